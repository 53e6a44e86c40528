"""Regular expressions of Java, in which XLSForm has them, in the syntax of RE2."""

import re

from formwright.domain.forms.xlsform.syntax_tree import Untranslatable

_CLASSES = frozenset("dDsSwW")
_SET = r"\[\^?(?:\\.|[^\\\]])+\]"
_POSSESSIVE = re.compile(
    rf"(\\.|{_SET}|[^\\)\[\]])(\{{\d+\}}\+|(?:[*+?]|\{{\d+,\d*\}})\+(?=\$?$))|\\.|{_SET}|.", re.DOTALL
)
"""A character with a possessive quantifier that means the same as one that gives characters back, because it always
takes the same number of them, or is the last; or any other character."""


def convert_pattern(pattern: str) -> str:
    """Return the pattern for RE2. Raises `Untranslatable` for sets that mean something else there.

    In Java, a hyphen beside a class such as `\\w` stands for itself: `[\\w-.]`. A set in a set adds its characters, and
    `[:digit:]` has these letters only.
    """
    pattern = _POSSESSIVE.sub(lambda found: f"{found[1]}{found[2][:-1]}" if found[2] else found[0], pattern)
    found, at, depth = "", 0, 0
    while at < len(pattern):
        sign = pattern[at : at + 2] if pattern[at] == "\\" else pattern[at]
        after = pattern[at + len(sign) : at + len(sign) + 2]
        if depth and (pattern.startswith("[^", at) or pattern.startswith("&&", at)):
            raise Untranslatable("a set of characters excludes another one")
        is_plain = (sign == "-" and (_is_class(found[-2:]) or _is_class(after))) or (sign == ":" and found[-1:] == "[")
        before, depth = depth, max(0, depth + (sign == "[") - (sign == "]"))
        if not before or not depth or sign not in "[]":
            found += f"\\{sign}" if before and is_plain else sign
        at += len(sign)
    return found


def _is_class(text: str) -> bool:
    return text[:1] == "\\" and text[1:2] in _CLASSES
