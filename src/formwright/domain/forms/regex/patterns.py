"""Regular expressions that people write: what a browser, RE2 and JSON Schema read alike, and what stalls none of them.

We match in linear time; a browser backtracks. An expression is refused if one text can be read through it in two ways
and again in two ways, without end (exponential ambiguity, Weber and Seidl 1991): that is when backtracking explodes.
What does not explode can still be slow: that depends on how long the text may be, and is refused for such a length.
"""

import re
import string
from collections.abc import Sequence

import jsonschema_rs

from formwright.domain.forms.regex.redos import Automaton, Backtracking

LINEAR = jsonschema_rs.RegexOptions()
"""Match in time linear to the text, whatever the expression (a finite automaton, no backtracking)."""

_PUNCTUATION = re.escape(string.punctuation)
_CATEGORY = r"\\[pP]\{(?:L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?)\}"
_ESCAPE = rf"\\[dDwWsnrtfv{_PUNCTUATION}]|{_CATEGORY}"
_CLASS = rf"\[\^?(?:{_ESCAPE}|[^\\\[\]])+\]"
_TOKEN = re.compile(
    rf"(?P<one>{_ESCAPE}|\\S|{_CLASS}|[^\\\[\](){{}}*+?|^$])|(?P<at>\^|\$|\\[bB])|(?P<open>\((?:\?:)?(?!\?))|(?P<close>\))"
    r"|(?P<either>\|)|(?P<repeat>(?:[*+?]|\{\d{1,3}(?:,\d{0,3})?\})\??)"
)
_ODD_CLASS = re.compile(r"\\[dDwWs]-[^\]]|-\\[dDwWs]|&&|--|~~|^\[\^?\]|\[:")
_DEEPEST = 20
_MOST_STEPS = 10_000_000
"""15 to 35 ms in Chromium's engine on a small machine."""

_LENGTHS = (10, 20, 50, 100, 150, 200, 300, 500, 1000, 2000, 3000, 4000)

_UNREADABLE = "This is no regular expression that a browser and we read alike; look-around and references are not."
_TOO_LARGE = "This regular expression is too large."
_SLOW = "Some texts would keep a browser busy for too long: neighbouring repetitions can share them in many ways."
_ENDLESS = "Some texts would take a browser forever: what is repeated can be read in two ways. Write it flatter."


def pattern_fault(pattern: str) -> str | None:
    """Why the expression cannot be taken, in a sentence; None when it can."""
    tokens = _tokens(pattern)
    if tokens is None or not _compiles(pattern):
        return _UNREADABLE
    try:
        return _ENDLESS if Automaton(tokens).explodes() else None
    except OverflowError:
        return _TOO_LARGE


def slow_fault(pattern: str, length: int) -> str | None:
    """Why an expression that can be taken is too slow for texts of up to `length` characters; None where it is not."""
    tokens = _tokens(pattern) or []
    try:
        way = Backtracking(Automaton(tokens), held=_held(tokens), open_end=_open_end(tokens))
        if way.steps(length) <= _MOST_STEPS:
            return None
        fits = max((n for n in _LENGTHS if way.steps(n) <= _MOST_STEPS), default=0)
    except OverflowError:
        return _TOO_LARGE
    return f"{_SLOW} Answers of at most {fits} characters (maxLength) are quick enough." if fits else _SLOW


def _held(tokens: Sequence[tuple[str, str]]) -> bool:
    """Whether each way through it begins with `^`."""
    depth, begins = 0, True
    for kind, text in tokens:
        if begins and (kind, text) != ("at", "^"):
            return False
        depth += (kind == "open") - (kind == "close")
        begins = kind == "either" and depth == 0
    return not begins


def _open_end(tokens: Sequence[tuple[str, str]]) -> bool:
    """Whether nothing has to hold behind what was read."""
    return all(kind != "at" or text == "^" for kind, text in tokens)


def _tokens(pattern: str) -> list[tuple[str, str]] | None:
    """Its parts; None where one is not read alike everywhere."""
    found: list[tuple[str, str]] = []
    at = depth = 0
    while at < len(pattern):
        token = _TOKEN.match(pattern, at)
        if token is None or (token["one"] and _ODD_CLASS.search(token["one"])):
            return None
        kind = str(token.lastgroup)
        depth += (kind == "open") - (kind == "close")
        if not 0 <= depth <= _DEEPEST or (kind == "repeat" and (not found or found[-1][0] not in ("one", "close"))):
            return None
        found.append((kind, token[0]))
        at = token.end()
    return found


def _compiles(pattern: str) -> bool:
    try:
        jsonschema_rs.Draft202012Validator({"pattern": pattern}, pattern_options=LINEAR)
    except ValueError:
        return False
    return True
