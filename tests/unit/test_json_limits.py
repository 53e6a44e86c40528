"""Limits of JSON bodies and of the validation errors in them."""

import json
from contextlib import suppress
from typing import Annotated, Any

import msgspec
import pytest
from factories import worst_bodies
from msgspec import Meta

from formwright.asgi.validation import MAX_VALUES, BodyTooComplex, JsonMalformed, check_json, read_body
from formwright.core.errors import MAX_ERRORS, Invalid


class Item(msgspec.Struct, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1)]
    parent: "Item | None" = None


class Bodies(msgspec.Struct, forbid_unknown_fields=True):
    items: Annotated[list[Item], Meta(max_length=600)] = []
    data: dict[str, Any] = {}


def refusal(body: Any) -> Invalid:
    with pytest.raises(Invalid) as refused:
        read_body(json.dumps(body).encode(), Bodies)
    return refused.value


@pytest.mark.parametrize("value", [{"a": [1, {"b": "x,[{"}, '\\",[']}, [], {}, [[], {}], '"', "\\", [",", "[["]])
def test_values_are_counted_and_strings_are_ignored(value: Any) -> None:
    raw = json.dumps([value] * 300).encode()
    exact = 1 + 300 * _values(value)
    assert check_json(raw) >= exact
    check_json(raw, most=exact + raw.count(b"[]") + raw.count(b"{}"))
    with pytest.raises(BodyTooComplex):
        check_json(raw, most=299)


def _values(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + sum(map(_values, inner))


def test_too_many_values_are_rejected_and_long_texts_are_not() -> None:
    assert check_json(json.dumps(["[,{"] * MAX_VALUES).encode(), MAX_VALUES + 1) == MAX_VALUES + 1
    check_json(b'{"a":"' + b",[" * 1_000_000 + b'"}')
    check_json(b'{"a":"' + b"1" * 1_000_000 + b'"}')
    for raw, kind in ((b"[" + b"1," * MAX_VALUES + b"1]", BodyTooComplex), (b"[" + b"1" * 501 + b"]", JsonMalformed)):
        with pytest.raises(kind):
            check_json(raw)


@pytest.mark.parametrize(("count", "more"), [(MAX_ERRORS, False), (MAX_ERRORS + 1, True), (20_000, True)])
def test_a_hundred_errors_are_listed_with_a_note_that_there_are_more(count: int, more: bool) -> None:
    refused = refusal({f"a{n}": 1 for n in range(count)})
    assert len(refused.faults) == MAX_ERRORS
    assert (refused.more, "Only the first 100 errors are listed." in str(refused)) == (more, more)
    assert {fault.code for fault in refused.faults} == {"value.unknown"}


def test_large_bodies_get_the_same_errors_as_small_ones() -> None:
    bad = [{}, {"name": "", "x": 1}, {"name": "a", "parent": {"name": 1}}]
    good = {"data": {f"a{n}": n for n in range(800)}}
    small = {(fault.pointer, fault.code) for fault in refusal({"items": bad, "other": 1}).faults}
    large = {(fault.pointer, fault.code) for fault in refusal({"items": bad, "other": 1} | good).faults}
    assert small == large
    assert ("/items/2/parent/name", "value.type") in small


def test_a_list_that_is_too_long_is_reported() -> None:
    refused = refusal({"items": [{"name": "a"}] * 601})
    assert [(fault.pointer, fault.code) for fault in refused.faults] == [("/items", "value.too_many")]


def test_only_a_bounded_number_of_values_is_validated() -> None:
    """The library validates a few hundred values per call, and not all of them. Calls are counted rather than timed."""
    nested: Any = {"name": 1, "parent": None}
    refused = refusal({"items": [nested | {"parent": {"name": "", "x": [1] * 300}} for _ in range(200)]})
    assert refused.more
    assert len(refused.faults) < MAX_ERRORS


@pytest.mark.parametrize("name", worst_bodies.raw_values(1))
def test_every_invalid_value_is_rejected_or_read(name: str) -> None:
    raw = b'{"data":' + worst_bodies.raw_values(300_000)[name] + b"}"
    with suppress(Invalid, JsonMalformed, BodyTooComplex):
        assert isinstance(read_body(raw, Bodies), Bodies)
