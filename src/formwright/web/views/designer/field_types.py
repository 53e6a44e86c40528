"""What the designer knows about field types: what their fields can do, and their settings."""

from typing import Any

import msgspec

from formwright.domain.forms.fields import FIELD_CLASSES, TRAITS, AnswerKind, AnyField, Field


def describe_field_types() -> dict[str, dict[str, Any]]:
    """Return by type what its fields can do, such as `canBeTitle`, and the names of the `settings` only they have."""
    return {
        kind: {"settings": _own_settings(one), "hasAnswer": one.answer_kind is not AnswerKind.NONE}
        | {_camel(name): getattr(one, name) for name in TRAITS}
        for kind, one in FIELD_CLASSES.items()
    }


def common_settings() -> list[str]:
    """Return the names of the settings that fields of all types have."""
    return [field.encode_name for field in msgspec.structs.fields(Field)]


def _own_settings(one: type[AnyField]) -> list[str]:
    common = set(common_settings())
    names = [field.encode_name for field in msgspec.structs.fields(one)]
    # The designer keeps the fields of a group beside it.
    return [name for name in names if name not in common and name != "fields"]


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(map(str.capitalize, others))
