"""Texts that a spreadsheet program could run as a formula."""

import re

_IGNORED = "\\s\ufeff\u200b-\u200d\u2060\u00ad\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\\x00-\\x1f"
"""Spaces, controls and invisible characters, which programs skip or trim before they look at the first character."""
_FORMULA = re.compile(f"[{_IGNORED}]*[=+\\-@＝＋－＠]")
_CONTROL_FIRST = ("\t", "\r", "\n")


def looks_like_formula(text: str) -> bool:
    """Whether a program could take this cell for a formula (OWASP: CSV injection).

    That is a text whose first visible character is `=`, `+`, `-`, `@` or the full-width form of one, which Excel
    converts in East Asian locales, or a text that begins with a tab or a line break.
    """
    return text.startswith(_CONTROL_FIRST) or _FORMULA.match(text) is not None


def escape_formula(text: str) -> str:
    """The text for a cell of a CSV: with an apostrophe before it if it looks like a formula."""
    return f"'{text}" if looks_like_formula(text) else text
