"""Regular expressions in forms: the `pattern` of a text field, and `matches` in rules.

The server evaluates them with RE2 and the page with RE2 in JavaScript (`static/fill/patterns.js`), so both come to the
same result, in time that is linear in the length of the text. The engines of browsers backtrack, which takes
exponential time for some patterns.

The syntax is the part of RE2 that JSON Schema (ECMA-262) reads in the same way, because the schema of a version
contains the patterns. It has no look-around, back-references, flags or named classes.
"""

import re
import string
from functools import lru_cache
from typing import Any

import re2  # type: ignore[import-untyped]

MAX_SIZE = 1000
"""The largest `pattern_size`. In the worst case, RE2 takes 16 ns for each of these parts and character of the text."""

_PUNCTUATION = re.escape(string.punctuation)
_CATEGORY = r"\\[pP]\{(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}"
_ESCAPE = rf"\\[dDwWsSnrtfv{_PUNCTUATION}]|{_CATEGORY}"
_CLASS = rf"\[\^?(?:{_ESCAPE}|[^\\\[\]])+\]"
_ATOM = rf"{_ESCAPE}|{_CLASS}|[^\\\[\](){{}}*+?|^$]"
_REPETITION = r"(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??"
_PORTABLE = re.compile(rf"(?:(?:{_ATOM}|\))(?:{_REPETITION})?|\^|\$|\\[bB]|\((?:\?:|(?!\?))|\|)*")
# Ranges that begin or end with a class, operators between classes (Java) and named classes (POSIX).
_UNPORTABLE_CLASS = re.compile(rf"(?:\\[dDwWsS]|{_CATEGORY})-[^\]]|-(?:\\[dDwWsS]|{_CATEGORY})|&&|--|~~|\[:")
_PART = re.compile(
    r"\\[pP]\{\w+\}|\\.|\[(?:\\.|[^\]])*\]|\((?:\?:)?|\{(?P<least>\d+)(?:,(?P<most>\d*))?\}|.", re.DOTALL | re.ASCII
)

_UNSUPPORTED = (
    "This regular expression uses syntax that is not supported, such as look-around, back-references, flags or named"
    " classes."
)


def pattern_error(pattern: str) -> str | None:
    """Why a form cannot contain the pattern, in a sentence; None if it can."""
    if not _PORTABLE.fullmatch(pattern) or any(map(_UNPORTABLE_CLASS.search, _classes(pattern))):
        return _UNSUPPORTED
    try:
        _compile(pattern)
    except re2.error as error:
        return f"This is not a valid regular expression: {error.args[0].decode()}."
    if (size := pattern_size(pattern)) > MAX_SIZE:
        return f"This regular expression is too large: {size} parts with its repetitions written out, of {MAX_SIZE}."
    return None


def matches(pattern: str, text: str) -> bool:
    """Whether the pattern matches anywhere in the text. Raises `re2.error` if RE2 cannot read the pattern."""
    return _compile(pattern).search(text) is not None


@lru_cache(maxsize=1024)
def _compile(pattern: str) -> Any:
    options = re2.Options()
    options.never_capture = True  # Only whether there is a match is asked.
    options.log_errors = False
    return re2.compile(pattern, options)


def pattern_size(pattern: str) -> int:
    """How many parts the pattern has with its counted repetitions written out: 8 for `^(?:ab){3}$`.

    The page (`patternSize` in `static/fill/patterns.js`) comes to the same number.
    """
    outer: list[int] = []
    size = last = 0
    for part in _PART.finditer(pattern):
        if part[0].startswith("("):
            outer.append(size)
            size = 0
        elif part[0] == ")":
            last = size
            size += outer.pop() if outer else 0
        elif part["least"]:
            size += last * (int(part["most"] or part["least"]) - 1)
        else:
            last = 1
            size += 1
    return size


def _classes(pattern: str) -> list[str]:
    return [part[0] for part in _PART.finditer(pattern) if part[0].startswith("[")]
