"""Protection against text that spreadsheet programs would run as a formula (OWASP: CSV injection)."""

import re

_IGNORED = "\\s\ufeff\u200b-\u200d\u2060\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\x00-\\x1f"
"""Spaces, control characters and invisible characters, which programs skip before the first character."""
_FORMULA = re.compile(f"[{_IGNORED}]*[=+\\-@＝＋－＠]")
_FIRST = re.compile(f"[{_IGNORED}=+\\-@＝＋－＠]")
_CONTROL_FIRST = ("\t", "\r", "\n")


def looks_like_formula(text: str) -> bool:
    """Return whether a program could interpret this cell as a formula.

    This includes text whose first visible character is `=`, `+`, `-` or `@`, or a full-width form of one, which Excel
    converts in East Asian locales, and text that begins with a tab or a line break.
    """
    return text.startswith(_CONTROL_FIRST) or _FORMULA.match(text) is not None


def can_start_formula(character: str) -> bool:
    """Return whether `looks_like_formula` can be true for a text with this first character."""
    return _FIRST.match(character) is not None


def escape_formula(text: str) -> str:
    """Return the text for a CSV cell, prefixed with an apostrophe if it looks like a formula."""
    return f"'{text}" if looks_like_formula(text) else text
