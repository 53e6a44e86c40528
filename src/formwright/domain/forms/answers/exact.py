"""Finds integers that only some programs read exactly, which a JSON Schema cannot express.

Fractions that would be rounded are refused with the body (`asgi/validation.py`), because they are rounded there.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from formwright.core.errors import ValidationFault
from formwright.core.exact_numbers import DIGITS, is_exact
from formwright.core.json_schema_errors import Messages, to_fault
from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, flatten_sections

Decimals = Mapping[str, "Decimals | None"]
"""The names of the decimal fields, and the repeats that contain some, with those of their rows."""
Path = tuple[str | int, ...]

_MAX_SAFE_INTEGER = 2**53
"""Not all larger integers are exact as doubles, which is how the page reads numbers."""


def list_decimals(fields: Sequence[AnyField]) -> Decimals:
    """Return the decimal fields among these fields, and in their rows."""
    found: dict[str, Decimals | None] = {}
    for field in flatten_sections(fields):
        if field.answer_kind is AnswerKind.DECIMAL:
            found[field.name] = None
        elif isinstance(field, RepeatField) and (inner := list_decimals(field.fields)):
            found[field.name] = inner
    return found


def inexact_errors(
    decimals: Decimals, answers: Mapping[str, Any], path: Path, words: Messages
) -> Iterator[ValidationFault]:
    """Yield an error for each integer in a decimal field that a 64-bit float does not keep."""
    for name, inner in decimals.items():
        value = answers.get(name)
        if inner and isinstance(value, list):
            for index, row in enumerate(value):
                if isinstance(row, dict):
                    yield from inexact_errors(inner, row, (*path, name, index), words)
        elif type(value) is int and abs(value) > _MAX_SAFE_INTEGER and not is_exact(str(value)):
            yield to_fault("inexact", (*path, name), words, limit=DIGITS)
