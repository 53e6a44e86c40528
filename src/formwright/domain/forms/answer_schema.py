"""JSON Schema (2020-12) of the answers to a form."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.definition import (
    AnyField,
    AreaField,
    AudioField,
    BarcodeField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Definition,
    EmailField,
    FileField,
    IntegerField,
    LineField,
    LocationField,
    LookupField,
    LookupsField,
    NoteField,
    NpsField,
    PhoneField,
    PhotoField,
    RankingField,
    RatingField,
    RepeatField,
    SectionField,
    SignatureField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
    VideoField,
    flatten_sections,
)

_MAX_SAFE_INTEGER = 2**53  # Exact in every JSON parser (RFC 8259, section 6).
_MAX_FLOAT = sys.float_info.max  # The greatest number that JSON parsers and databases accept.
DEFAULT_MAX_LENGTH = 10_000
MAX_KEY_LENGTH = 500
"""The most characters of the key of a row, and of a barcode."""
_MAX_CALCULATED_CHOICES = 100
MAX_POINTS = 1000
"""The most points of a line or an area."""
_FILE_ID_SCHEMA = {"type": "string", "pattern": "^fil_[0-7][0-9a-hjkmnp-tv-z]{25}$"}
_LOCATION_SCHEMA = {
    "type": "object",
    "properties": {
        "latitude": {"type": "number", "minimum": -90, "maximum": 90},
        "longitude": {"type": "number", "minimum": -180, "maximum": 180},
        "accuracy": {"type": "number", "minimum": 0, "maximum": _MAX_FLOAT},
    },
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}


def answers_schema(definition: Definition) -> dict[str, Any]:
    """Return the schema of an object with the answers by field name. Other properties are not allowed.

    Fields that a rule can hide are never `required` in the schema: they are required only while they are visible, which
    a schema cannot express.
    """
    return {"$schema": "https://json-schema.org/draft/2020-12/schema"} | object_schema(definition.fields)


def object_schema(fields: Sequence[AnyField]) -> dict[str, Any]:
    """Return the schema of an object with the answers to these fields."""
    asked = [field for field in flatten_sections(fields) if not isinstance(field, NoteField | SectionField)]
    return {
        "type": "object",
        "properties": {field.name: answer_schema(field) for field in asked},
        "required": list(_always_required(fields)),
        "additionalProperties": False,
    }


def _always_required(fields: Sequence[AnyField]) -> Iterator[str]:
    for field in fields:
        if field.visible_if is not UNSET:
            continue
        if isinstance(field, SectionField):
            yield from _always_required(field.fields)
        elif field.required and field.calculate is UNSET and not isinstance(field, NoteField):
            yield field.name


def answer_schema(field: AnyField) -> dict[str, Any]:
    """Return the schema of the answer to a field."""
    if field.calculate is not UNSET and (shape := _calculated_schema(field)):
        return shape
    return _typed_schema(field)


def _calculated_schema(field: AnyField) -> dict[str, Any] | None:
    """Return the schema of a calculated answer, without what people choose from: nobody could correct the answer.

    Bounds that a form states, such as `max` of a number and `maxLength` of a text, apply. None if all apply.
    """
    match field:
        case SliderField() | NpsField() | RatingField():
            return {"type": "integer", "minimum": -_MAX_SAFE_INTEGER, "maximum": _MAX_SAFE_INTEGER}
        case BooleanField():
            return {"type": "boolean"}
        case EmailField() | PhoneField() | UrlField():
            return {"type": "string", "maxLength": _typed_schema(field).get("maxLength", MAX_KEY_LENGTH)}
        case ChoiceField():
            return {"type": "string", "maxLength": MAX_KEY_LENGTH}
        case ChoicesField() | RankingField():
            shape = _choices_schema(field) if isinstance(field, ChoicesField) else {"type": "array"}
            items = {"type": "string", "maxLength": MAX_KEY_LENGTH}
            return {"maxItems": max_calculated_choices(field)} | shape | {"items": items, "uniqueItems": False}
    return None


def max_calculated_choices(field: ChoicesField | RankingField) -> int:
    """Return the most texts in a calculated answer, which need not be options."""
    return max(len(field.options), _MAX_CALCULATED_CHOICES)


def _typed_schema(field: AnyField) -> dict[str, Any]:
    shape: dict[str, Any] = {"not": {}}
    match field:
        case TextField() | TextareaField():
            low = field.min_length if isinstance(field, TextField) else UNSET
            pattern = field.pattern if isinstance(field, TextField) else UNSET
            shape = _omit_unset(type="string", minLength=low, maxLength=field.max_length, pattern=pattern)
            shape.setdefault("maxLength", DEFAULT_MAX_LENGTH)
        case EmailField():
            shape = {"type": "string", "format": "email", "maxLength": 254}
        case PhoneField():
            shape = {"type": "string", "pattern": r"^\+?[0-9 ()/.\-]{3,30}$"}
        case UrlField():
            shape = {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": 2048}
        case IntegerField() | SliderField():
            low = -_MAX_SAFE_INTEGER if field.min is UNSET else max(field.min, -_MAX_SAFE_INTEGER)
            high = _MAX_SAFE_INTEGER if field.max is UNSET else min(field.max, _MAX_SAFE_INTEGER)
            shape = {"type": "integer", "minimum": low, "maximum": high}
        case DecimalField():
            least = -_MAX_FLOAT if field.min is UNSET else field.min
            most = _MAX_FLOAT if field.max is UNSET else field.max
            shape = {"type": "number", "minimum": least, "maximum": most}
        case BooleanField(agreement=True):
            shape = {"type": "boolean", "enum": [True]}
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
            shape = _choices_schema(field)
        case RankingField():
            values = [option.value for option in field.options]
            shape = {"type": "array", "items": {"type": "string", "enum": values}, "uniqueItems": True}
            shape |= {"minItems": len(values), "maxItems": len(values)}
        case NpsField():
            shape = {"type": "integer", "minimum": 0, "maximum": 10}
        case RatingField():
            shape = {"type": "integer", "minimum": 1, "maximum": field.max}
        case LookupField() | BarcodeField():
            shape = {"type": "string", "maxLength": MAX_KEY_LENGTH}
        case LookupsField():
            key = {"type": "string", "minLength": 1, "maxLength": MAX_KEY_LENGTH}
            shape = {"type": "array", "items": key, "uniqueItems": True, "maxItems": field.most}
            least = max(field.min_choices or 0, 1 if field.required else 0)
            shape |= {"minItems": least} if least else {}
        case SignatureField():
            shape = _FILE_ID_SCHEMA
        case PhotoField() | AudioField() | VideoField() | FileField():
            shape = {"type": "array", "items": _FILE_ID_SCHEMA, "uniqueItems": True, "maxItems": field.max_files}
            shape |= {"minItems": 1} if field.required else {}
        case LocationField():
            shape = _LOCATION_SCHEMA
        case LineField() | AreaField():
            least = 2 if isinstance(field, LineField) else 3
            shape = {"type": "array", "items": _LOCATION_SCHEMA, "minItems": least, "maxItems": MAX_POINTS}
        case RepeatField():
            low = max(field.min, 1 if field.required else 0)
            shape = {"type": "array", "items": object_schema(field.fields), "minItems": low, "maxItems": field.max}
    if field.required and shape.get("type") == "string":
        shape.setdefault("minLength", 1)
    return shape


def _choices_schema(field: ChoicesField) -> dict[str, Any]:
    values = {"type": "string", "enum": [option.value for option in field.options]}
    shape = _omit_unset(type="array", items=values, uniqueItems=True, maxItems=field.max_choices)
    least = max(field.min_choices or 0, 1 if field.required else 0)
    exclusive = [option.value for option in field.options if option.exclusive]
    if not exclusive:
        return shape | ({"minItems": least} if least else {})
    # `json_schema_errors` recognises this condition by its place in the schema.
    alone = {"if": {"contains": {"enum": exclusive}}, "then": {"maxItems": 1}}
    return shape | {"allOf": [alone | ({"else": {"minItems": least}} if least else {})]}


def _omit_unset(**members: Any) -> dict[str, Any]:
    return {name: value for name, value in members.items() if value is not UNSET}
