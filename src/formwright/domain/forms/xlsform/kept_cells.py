"""Cells of a workbook that mean nothing here. They are kept with the form, so that exports write them again."""

import re
from collections.abc import Set

MAX_KEPT = 20
_MAX_LENGTH = 2000
_REFERENCE = re.compile(r"\$\{\s*([^}]*?)\s*\}")


def keep(kept: dict[str, str], column: str, text: str) -> bool:
    """Add a cell to those that are kept. Returns whether that was possible."""
    fits = len(column) <= 100 and 0 < len(text) <= _MAX_LENGTH and len(kept) < MAX_KEPT
    if fits:
        kept[column] = text
    return fits


def missing_name(text: str, names: Set[str]) -> str | None:
    """Return the name of a question that the text refers to and the form does not have, or None."""
    return min(set(_REFERENCE.findall(text)) - names, default=None)
