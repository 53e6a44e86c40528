"""What was typed in the form of a page, and what is wrong with it."""

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from formwright.core.errors import DomainError, Invalid


def read_text(form: Mapping[str, Any], name: str, max_length: int = 300) -> str:
    """A member of a form; a new line counts as one character, as it does in the browser."""
    return str(form.get(name) or "").strip().replace("\r\n", "\n")[:max_length]


def faults_by_field(error: DomainError) -> dict[str, str]:
    """What is wrong, by the member of the form that it is about; what is about none of them is under nothing."""
    if not isinstance(error, Invalid):
        return {"": str(error)}
    return {fault.pointer.split("/")[1] if fault.pointer else "": fault.detail for fault in reversed(error.faults)}


def fault_texts(faults: Mapping[str, str] | None) -> Mapping[str, str]:
    """As a template asks for them: what is right has no words."""
    return defaultdict(str, faults or {})
