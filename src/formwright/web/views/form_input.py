"""Reading submitted forms, and the errors of their fields."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from formwright.core.errors import DomainError, Invalid


def read_text(form: Mapping[str, Any], name: str, max_length: int = 300) -> str:
    """Return a field, trimmed and cut at `max_length`. A line break counts as one character, as in browsers."""
    return str(form.get(name) or "").strip().replace("\r\n", "\n")[:max_length]


def faults_by_field(error: DomainError) -> dict[str, str]:
    """Return the first error of each field. Errors that concern no field have an empty key."""
    if not isinstance(error, Invalid):
        return {"": str(error)}
    return {fault.pointer.split("/")[1] if fault.pointer else "": fault.detail for fault in reversed(error.faults)}


def fault_texts(faults: Mapping[str, str] | None) -> Mapping[str, str]:
    """Return the errors for a template: fields without an error have an empty text."""
    return defaultdict(str, faults or {})
