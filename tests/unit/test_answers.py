"""Answers, held against the version they are for."""

from dataclasses import replace
from typing import Any

import pytest

from formwright.domain.forms import answers
from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Definition,
    EmailField,
    FormSettings,
    IntegerField,
    NoteField,
    Option,
    PhoneField,
    RatingField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
)
from formwright.domain.forms.model import Version, VersionStatus

OPTIONS = [Option("a", "A"), Option("b", "B")]
_numbers = iter(range(10_000))


def version(*fields: AnyField) -> Version:
    definition = Definition(list(fields), FormSettings())
    return Version(f"ver_{next(_numbers)}", "cus", "frm", 1, VersionStatus.FINAL, "", definition, 0, 0, 1)


def faults(fields: list[AnyField], **data: Any) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in answers.faults(version(*fields), data)]


def field(kind: type[Any], **members: Any) -> Any:
    return kind(name="x", label="X", **members)


@pytest.mark.parametrize(
    ("asked", "good", "bad"),
    [
        (field(TextField, min_length=2, max_length=3), ["ab", "🎉🎉🎉"], ["a", "abcd", 5, None, ["ab"]]),
        (field(TextField), ["", "x" * 10_000], ["x" * 10_001]),
        (field(TextareaField, max_length=20_000), ["x" * 20_000, "a\nb"], ["x" * 20_001]),
        (field(EmailField), ["a@example.org", "a+b@sub.example.org"], ["a", "a@", "@b", "a b@example.org", ""]),
        (field(PhoneField), ["+49 (431) 12-34", "112"], ["12", "phone", "+49\n112", "1" * 32]),
        (field(UrlField), ["https://example.org/a?b=c#d"], ["example.org", "ftp://a.org", "javascript:alert(1)"]),
        (field(IntegerField, min=-1, max=9), [-1, 0, 9, 1.0], [-2, 10, 1.5, "1", True, 2**70]),
        (field(IntegerField), [2**53, -(2**53)], [2**53 + 1, 10**400]),
        (field(DecimalField, min=0.5, max=1), [0.5, 1, 0.75], [0.49, 1.01, "1", False]),
        (field(BooleanField), [True, False], [1, 0, "true", None]),
        (field(DateField), ["2026-02-28", "2024-02-29"], ["2026-02-29", "28.02.2026", "2026-2-8", ""]),
        (field(TimeField), ["00:00", "23:59", "12:30:59"], ["24:00", "12:60", "9:00", "12:30:60", "12:30\n"]),
        (
            field(DatetimeField),
            ["2026-03-29T14:30:00+02:00", "2026-03-29T12:30:00Z"],
            ["2026-03-29", "2026-03-29T14:30"],
        ),
        (field(ChoiceField, options=OPTIONS), ["a"], ["c", "A", "", ["a"], None]),
        (field(ChoicesField, options=OPTIONS), [[], ["a"], ["b", "a"]], ["a", ["c"], ["a", "a"], [["a"]]]),
        (field(RatingField, max=3), [1, 3], [0, 4, 1.5]),
        (field(SliderField, min=5, max=6), [5, 6], [4, 7, 5.5]),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, AnyField.__args__) else "",
)
def test_each_kind_takes_its_answers_and_no_others(asked: AnyField, good: list[Any], bad: list[Any]) -> None:
    for value in good:
        assert faults([asked], x=value) == [], value
    for value in bad:
        assert {where.removeprefix("/data/x").split("/")[0] for where, _ in faults([asked], x=value)} == {""}, value


def test_a_required_answer_has_to_be_there_and_not_be_empty() -> None:
    asked = [field(TextField, required=True)]
    assert faults(asked) == [("/data/x", "value.required")]
    assert faults(asked, x="") == [("/data/x", "value.too_short")]
    assert faults([field(ChoicesField, options=OPTIONS, required=True)], x=[]) == [("/data/x", "value.too_few")]


def test_what_is_not_required_may_be_left_out() -> None:
    assert faults([field(TextField), NoteField(name="n", label="N")]) == []


def test_a_note_has_no_answer() -> None:
    assert faults([NoteField(name="x", label="X")], x="a") == [("/data/x", "value.unknown")]


def test_an_unfinished_set_of_answers_is_only_asked_for_its_names() -> None:
    asked = version(field(IntegerField, required=True), NoteField(name="n", label="N"))
    found = answers.unknown(asked, {"x": "not a number yet", "n": 1, "a/b": 2})
    assert [(fault.pointer, fault.code) for fault in found] == [
        ("/data/n", "value.unknown"),
        ("/data/a~1b", "value.unknown"),
    ]


def test_a_draft_that_was_changed_is_held_against_what_it_asks_now() -> None:
    before = version(field(TextField))
    after = replace(before, definition=Definition([field(IntegerField)], FormSettings()), revision=2)
    assert answers.faults(before, {"x": "a"}) == []
    assert answers.faults(after, {"x": "a"}) != []


def test_a_thousand_versions_in_turn_are_each_held_against_their_own() -> None:
    asked = [version(field(IntegerField, max=n)) for n in range(1000)]
    for n, each in enumerate([*asked, *asked]):
        assert answers.faults(each, {"x": n % 1000}) == []
        assert answers.faults(each, {"x": n % 1000 + 1}) != []
