"""Form definitions: serialisation, and validation of their fields."""

import msgspec
import pytest

from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import AnyField, ChoiceField, TextField
from formwright.domain.forms.fields.numbers import DecimalField, IntegerField, SliderField
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.fields.text import TextareaField

OPTIONS = [Option("a", "A"), Option("b", "B")]


def text(name: str = "a", **members: object) -> TextField:
    return TextField(name=name, label="A", **members)


def errors(*fields: AnyField) -> list[tuple[str, str]]:
    return [(fault.pointer, fault.code) for fault in find_errors(fields)]


def test_only_given_properties_are_serialised() -> None:
    assert msgspec.json.encode(text()) == b'{"type":"text","name":"a","label":"A"}'


@pytest.mark.parametrize("kind", AnyField.__args__, ids=lambda kind: kind.__struct_config__.tag)
def test_each_field_type_has_its_own_tag_and_description(kind: type[msgspec.Struct]) -> None:
    assert kind.__struct_config__.tag == kind.__name__.removesuffix("Field").lower()
    assert kind.__doc__


@pytest.mark.parametrize(
    "field",
    [
        text(),
        text(min_length=3, max_length=3, default="abc"),
        IntegerField(name="a", label="A", min=0, max=0, default=0),
        DecimalField(name="a", label="A", min=-1.5, default=-1.5),
        ChoiceField(name="a", label="A", options=OPTIONS, default="b"),
        SliderField(name="a", label="A", min=-5, max=-5),
        TextareaField(name="a", label="A", max_length=100_000, default="x" * 2000),
    ],
    ids=lambda field: type(field).__name__,
)
def test_valid_fields_have_no_errors(field: AnyField) -> None:
    assert errors(field) == []


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        (text(min_length=4, max_length=3), ("/fields/0/minLength", "field.range")),
        (text(min_length=4, default="abc"), ("/fields/0/default", "field.default")),
        (IntegerField(name="a", label="A", min=1, max=0), ("/fields/0/min", "field.range")),
        (IntegerField(name="a", label="A", min=1, default=0), ("/fields/0/default", "field.default")),
        (DecimalField(name="a", label="A", max=1, default=1.01), ("/fields/0/default", "field.default")),
        (SliderField(name="a", label="A", max=-1), ("/fields/0/min", "field.range")),
        (ChoiceField(name="a", label="A", options=OPTIONS, default="c"), ("/fields/0/default", "field.default")),
        (
            ChoiceField(name="a", label="A", options=[*OPTIONS, OPTIONS[0]]),
            ("/fields/0/options/2/value", "field.option.taken"),
        ),
    ],
)
def test_invalid_fields_have_an_error_with_a_pointer(field: AnyField, fault: tuple[str, str]) -> None:
    assert errors(field) == [fault]


def test_each_duplicate_name_is_an_error() -> None:
    assert errors(text("a"), text("b"), text("a"), text("a")) == [
        ("/fields/2/name", "field.name.taken"),
        ("/fields/3/name", "field.name.taken"),
    ]
