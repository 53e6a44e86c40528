"""Limits on JSON bodies, checked on the bytes before any object is created."""

import re
from collections.abc import Iterator
from itertools import accumulate

from formwright.core.errors import DomainError

MAX_DEPTH = 100
"""Maximum nesting of lists and objects; a form needs 20."""
MAX_BODY = 10 * 1024 * 1024
"""Maximum size in bytes of a body that is read into memory."""
MAX_VALUES = 100_000
"""Maximum number of values, including lists and objects. Decoding this many takes about 50 ms."""
MAX_DIGITS = 500
"""Maximum digits of an integer. Parsing takes time quadratic in the length."""

_PIECE = 64 * 1024
_STRUCTURE = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b'[]{},"'))
_STEPS = {ord("["): 1, ord("]"): -1, ord(","): 0}
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * (MAX_DIGITS + 1)
_TEXT = re.compile(rb'"[^"]*"?')


class JsonMalformed(DomainError):
    """The body is not readable JSON."""

    code = "json.malformed"
    detail = "The body is not valid JSON."


class BodyTooLarge(DomainError):
    """The body exceeds the size limit."""

    code = "body.too_large"
    detail = "The body is larger than is read here, which is 10 MiB at most."


class BodyTooComplex(DomainError):
    """The body is within the size limit but holds too many values."""

    code = "body.too_complex"
    detail = f"The body holds more than {MAX_VALUES:,} values, lists and objects included: send less at once."


def check_json(raw: bytes, most: int = MAX_VALUES) -> int:
    """Return an upper bound of the number of values in the JSON, including lists and objects.

    Raises `BodyTooComplex` if there are more than `most`, `JsonMalformed` if it is nested too deeply or has too long a
    number. Stops as soon as the result is clear, and works in short steps so that other threads can run.
    """
    if _LONG_NUMBER in raw.translate(_ZEROS):
        _refuse_long_numbers(raw)
    opened = raw.count(b"[") + raw.count(b"{")
    upper = opened + raw.count(b",") + 1
    if upper <= most and opened <= MAX_DEPTH:
        return upper
    values, level = 1, 0
    for structure in _outside_of_texts(raw):
        values += structure.count(b"[") + structure.count(b",")
        if values > most:
            raise BodyTooComplex(
                f"The body holds more than {most:,} values, lists and objects included: send less at once."
            )
        levels = list(accumulate(map(_STEPS.__getitem__, structure), initial=level))
        level = levels[-1]
        if max(levels) > MAX_DEPTH:
            raise JsonMalformed(
                f"The body is nested too deeply: at most {MAX_DEPTH} levels of lists and objects are read."
            )
    return values


def _without_escapes(raw: bytes) -> bytes:
    return raw.replace(rb"\\", b"").replace(rb"\"", b"") if b"\\" in raw else raw


def _outside_of_texts(raw: bytes) -> Iterator[bytes]:
    """Yield the brackets and commas outside of strings, in pieces; braces are mapped to brackets."""
    plain, in_text = _without_escapes(raw), 0
    for start in range(0, len(plain), _PIECE):
        parts = plain[start : start + _PIECE].translate(_STRUCTURE, _OTHERS).split(b'"')
        yield b"".join(parts[in_text::2])
        in_text = (in_text + len(parts) - 1) % 2


def _refuse_long_numbers(raw: bytes) -> None:
    # Digits inside a string are not a number.
    if _LONG_NUMBER in _TEXT.sub(b"", _without_escapes(raw)).translate(_ZEROS):
        raise JsonMalformed(f"A number in the body has more than {MAX_DIGITS} digits.")
