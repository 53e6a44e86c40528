"""What the designer knows about field types: what their fields can do, their settings, and how it presents them."""

from dataclasses import asdict
from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from formwright.domain.forms.fields import FIELD_CLASSES, TRAITS, AnyField, Field
from formwright.web.fields import DESIGNER_ENTRIES

Json = dict[str, Any]


@cache
def describe_field_types() -> dict[str, Json]:
    """Return by type, in the order of the menu, its title and what its fields can do, such as `canBeTitle`.

    `settings` are those that only they have.
    """
    return {kind: _describe_type(kind, FIELD_CLASSES[kind]) for kind in DESIGNER_ENTRIES}


def _describe_type(kind: str, one: type[AnyField]) -> Json:
    described = asdict(DESIGNER_ENTRIES[kind]) | {name: getattr(one, name) for name in TRAITS}
    own = {"answerKind": one.answer_kind.name, "settings": _own_settings(one)}
    return {_camel(name): value for name, value in described.items()} | own


@cache
def describe_settings(one: type[msgspec.Struct]) -> dict[str, Json]:
    """Return the properties of fields or options, with the kinds of their values, defaults and limits."""
    return {field.encode_name: _describe_setting(field) for field in msgspec.structs.fields(one)}


def _own_settings(one: type[AnyField]) -> dict[str, Json]:
    # The designer keeps the fields of a group beside it.
    others = {*describe_settings(Field), "fields"}
    return {name: setting for name, setting in describe_settings(one).items() if name not in others}


def _describe_setting(field: msgspec.structs.FieldInfo) -> Json:
    described = _describe_values(inspect.type_info(field.type))
    has_default = field.default not in (msgspec.NODEFAULT, msgspec.UNSET)
    return described | ({"default": field.default} if has_default else {})


def _describe_values(values: inspect.Type) -> Json:
    match values:
        case inspect.Metadata():
            return _describe_values(values.type)
        case inspect.BoolType():
            return {"kind": "boolean"}
        case inspect.IntType():
            return {"kind": "integer"}
        case inspect.FloatType():
            return {"kind": "number"}
        case inspect.EnumType():
            return {"kind": "enum", "values": [one.value for one in values.cls]}
        case inspect.StrType():
            return {"kind": "text", "maxLength": values.max_length}
        case inspect.ListType():
            return {"kind": "list", "maxItems": values.max_length}
        case inspect.DictType():
            return {"kind": "object", "maxItems": values.max_length}
        case inspect.UnionType():
            # A text, or one in each language.
            return _describe_values(values.types[0]) | {"kind": "label"}
        case _:
            return {"kind": "object"}


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
