"""A form's JSON Schema (2020-12): what its answers have to be."""

from typing import Any

from msgspec import UNSET

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
    IntegerField,
    NoteField,
    PhoneField,
    RatingField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
)

_SAFE = 2**53  # What every reader of JSON keeps exactly (RFC 8259, 6).
_LONGEST = 10_000


def answers_schema(definition: Definition) -> dict[str, Any]:
    """The schema of an object that holds the answers by field name; no other member is allowed."""
    asked = [field for field in definition.fields if not isinstance(field, NoteField)]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {field.name: answer_schema(field) for field in asked},
        "required": [field.name for field in asked if field.required],
        "additionalProperties": False,
    }


def answer_schema(field: AnyField) -> dict[str, Any]:
    """The schema of one field's answer."""
    shape: dict[str, Any] = {"not": {}}
    match field:
        case TextField() | TextareaField():
            low = field.min_length if isinstance(field, TextField) else UNSET
            shape = _given(type="string", minLength=low, maxLength=field.max_length)
            shape.setdefault("maxLength", _LONGEST)
        case EmailField():
            shape = {"type": "string", "format": "email", "maxLength": 254}
        case PhoneField():
            shape = {"type": "string", "pattern": r"^\+?[0-9 ()/.\-]{3,30}$"}
        case UrlField():
            shape = {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048}
        case IntegerField() | SliderField():
            shape = _given(type="integer", minimum=field.min, maximum=field.max)
            shape = {"minimum": -_SAFE, "maximum": _SAFE} | shape
        case DecimalField():
            shape = _given(type="number", minimum=field.min, maximum=field.max)
        case BooleanField():
            shape = {"type": "boolean"}
        case DateField():
            shape = {"type": "string", "format": "date"}
        case TimeField():
            shape = {"type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"}
        case DatetimeField():
            shape = {"type": "string", "format": "date-time"}
        case ChoiceField():
            shape = {"type": "string", "enum": [option.value for option in field.options]}
        case ChoicesField():
            values = {"type": "string", "enum": [option.value for option in field.options]}
            shape = {"type": "array", "items": values, "uniqueItems": True} | (
                {"minItems": 1} if field.required else {}
            )
        case RatingField():
            shape = {"type": "integer", "minimum": 1, "maximum": field.max}
    if field.required and shape.get("type") == "string":
        shape.setdefault("minLength", 1)
    return shape


def _given(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not UNSET}
