"""Texts, patterns and names as XPath and the sheets of an export write them."""

import re

from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_CHOICE_HEADINGS = (
    "list_name", "name", "label", "image", "audio", "video", "media", "points", "value", "caption", "tag",
    "and", "or", "div", "mod",
)  # fmt: skip
# Brackets after a backslash or in a class such as `[()]` are characters.
_NO_BRACKETS = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]", re.DOTALL)


def choice_column(name: str) -> str:
    """Return the heading of a column of options in the sheet `choices`, which uses some names itself."""
    return f"{name}_" if name.lower() in _CHOICE_HEADINGS else name


def quote_xpath(text: str) -> str:
    """Write a text as an XPath literal. There are no escapes, so a text with both kinds of quotes cannot be written."""
    if "'" not in text:
        return f"'{text}'"
    if '"' not in text:
        return f'"{text}"'
    raise Untranslatable("XPath has no literal for a text with both kinds of quotes")


def to_full_match(pattern: str) -> str:
    """Convert a pattern that may match anywhere into one that must match the whole text."""
    if pattern.startswith("^(?:") and pattern.endswith(")$") and _has_closed_groups(pattern[4:-2]):
        return pattern[4:-2]
    return f".*(?:{pattern}).*"


def _has_closed_groups(pattern: str) -> bool:
    """Whether no bracket closes a group that is opened outside: `a)|(?:b` is a part of two groups."""
    open_groups = 0
    for bracket in re.findall(r"[()]", _NO_BRACKETS.sub("", pattern)):
        open_groups += 1 if bracket == "(" else -1
        if open_groups < 0:
            return False
    return True
