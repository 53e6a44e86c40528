"""Decoding and validating bodies and queries."""

import os
import subprocess
import sys
from contextlib import suppress
from typing import Annotated, Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from formwright.asgi.validation import JsonMalformed, QueryInvalid, read_body, read_query
from formwright.core.errors import Invalid


class Cat(msgspec.Struct, tag="cat", forbid_unknown_fields=True):
    lives: int = 9


class Dog(msgspec.Struct, tag="dog", forbid_unknown_fields=True):
    tricks: list[str]


class Zoo(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=2)]
    animals: list[Cat | Dog] = []
    keeper: Annotated[str, Meta(max_length=3)] | None = None


class Wanted(msgspec.Struct):
    limit: Annotated[int, Meta(ge=1)] = 10
    kind: list[Literal["a", "b"]] = []
    name: str | None = None


def faults(raw: bytes) -> set[tuple[str, str]]:
    with pytest.raises(Invalid) as refusal:
        read_body(raw, Zoo)
    return {(fault.pointer, fault.code) for fault in refusal.value.faults}


def query_faults(*given: tuple[str, str]) -> set[tuple[str, str]]:
    with pytest.raises(QueryInvalid) as refusal:
        read_query(given, Wanted)
    return {(fault.pointer, fault.code) for fault in refusal.value.faults}


def test_a_valid_body_is_decoded() -> None:
    raw = b'{"name": "Ark", "animals": [{"type": "cat"}, {"type": "dog", "tricks": ["sit"]}]}'
    assert read_body(raw, Zoo) == Zoo("Ark", [Cat(), Dog(["sit"])])


def test_all_errors_are_reported_at_once() -> None:
    raw = b'{"name": "A", "animals": [{"type": "dog"}, {"type": "cat", "lives": "x"}], "keeper": "Noah", "x/y": 1}'
    assert faults(raw) == {
        ("/name", "value.too_short"),
        ("/animals/0/tricks", "value.required"),
        ("/animals/1/lives", "value.type"),
        ("/keeper", "value.too_long"),
        ("/x~1y", "value.unknown"),
    }


def test_only_errors_of_the_tagged_branch_are_reported() -> None:
    assert faults(b'{"name": "Ark", "animals": [{"type": "cat", "tricks": []}]}') == {
        ("/animals/0/tricks", "value.unknown")
    }
    assert faults(b'{"name": "Ark", "animals": [{"type": "cow"}]}') == {("/animals/0/type", "value.choice")}
    assert faults(b'{"name": "Ark", "animals": [{}]}') == {("/animals/0/type", "value.required")}


def test_a_value_that_is_not_a_tagged_object_is_one_error() -> None:
    with pytest.raises(Invalid) as refusal:
        read_body(b'{"name": "Ark", "animals": [5]}', Zoo)
    assert [fault.pointer for fault in refusal.value.faults] == ["/animals/0"]


def test_nul_is_rejected_in_texts_and_names_but_its_escape_as_text_is_not() -> None:
    assert read_body(b'{"a": "\\\\u0000"}', dict[str, str]) == {"a": "\\u0000"}
    for raw, where in ((b'{"a": ["\\u0000"]}', "/a/0"), (b'{"a\\u0000": 1}', "/a\0"), (b'"x\\u0000"', "")):
        with pytest.raises(Invalid) as refusal:
            read_body(raw, Any)
        assert [(f.pointer, f.code) for f in refusal.value.faults] == [(where, "value.nul")]


def test_the_position_of_invalid_utf_8_is_reported() -> None:
    with pytest.raises(JsonMalformed, match="byte 10 "):
        read_body(b'{"name": "\xff"}', Zoo)


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_rejected(raw: bytes) -> None:
    with suppress(JsonMalformed, Invalid):
        assert isinstance(read_body(raw, Zoo), Zoo)


MALFORMED_MANY_TIMES = """
import json
from contextlib import suppress
from formwright.api.v1_0.schemas.forms import FormCreate
from formwright.asgi.validation import read_body
from formwright.core.errors import Invalid

names = {f"l{n}": "a/b" for n in range(600)}
field = {"type": "text", "name": "a", "label": "A", "media": {"image": names}}
body = json.dumps({"name": "X", "fields": [field]}).encode()
for _ in range(100):
    with suppress(Invalid):
        read_body(body, FormCreate)
"""


def test_many_wrong_texts_with_patterns_do_not_crash_the_process() -> None:
    run = [sys.executable, "-c", MALFORMED_MANY_TIMES]
    done = subprocess.run(run, env={"PYTHONPATH": os.pathsep.join(sys.path)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("depth", [200, 400, 800, 950, 970, 990, 1200, 50_000])
def test_any_depth_is_decoded_or_rejected(depth: int) -> None:
    for inner in (b"1", b'"\\u0000"'):
        with suppress(JsonMalformed, Invalid):
            assert read_body(b"[" * depth + inner + b"]" * depth, list[Any])


def test_a_query_is_decoded() -> None:
    given_ = [("limit", "5"), ("kind", "a"), ("kind", "b"), ("name", "5")]
    assert read_query(given_, Wanted) == Wanted(5, ["a", "b"], "5")
    assert read_query([], Wanted) == Wanted()


def test_all_errors_of_a_query_are_reported_at_once() -> None:
    assert query_faults(("limit", "0"), ("kind", "c"), ("nobody", "1"), ("name", "a"), ("name", "b")) == {
        ("?limit", "query.value"),
        ("?kind", "query.value"),
        ("?nobody", "query.unknown"),
        ("?name", "query.repeated"),
    }


def test_nul_in_a_query_is_rejected() -> None:
    assert query_faults(("name", "a\0")) == {("?name", "value.nul")}
