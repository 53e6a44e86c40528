"""How much JSON a body may hold. It is measured on the bytes, before any object is made of them."""

import re
from collections.abc import Iterator
from itertools import accumulate

from formwright.core.errors import DomainError

MAX_DEPTH = 100
"""How many levels of lists and objects a body may have; a form needs 20."""
MAX_BODY = 10 * 1024 * 1024
"""How many bytes a body may have that is read as a whole."""
MAX_VALUES = 100_000
"""How many values, lists and objects included, a body may hold: so many are decoded in about 50 ms."""
MAX_DIGITS = 500
"""How long a whole number may be. Reading one takes time that grows with the square of its length."""

_PIECE = 64 * 1024
_STRUCTURE = bytes.maketrans(b"{}", b"[]")
_OTHERS = bytes(set(range(256)) - set(b'[]{},"'))
_STEPS = {ord("["): 1, ord("]"): -1, ord(","): 0}
_ZEROS = bytes.maketrans(b"123456789", b"0" * 9)
_LONG_NUMBER = b"0" * (MAX_DIGITS + 1)
_TEXT = re.compile(rb'"[^"]*"?')


class JsonMalformed(DomainError):
    """The body cannot be read at all."""

    code = "json.malformed"
    detail = "The body is not valid JSON."


class BodyTooLarge(DomainError):
    """The body has more bytes than are read."""

    code = "body.too_large"
    detail = "The body is larger than is read here, which is 10 MiB at most."


class BodyTooComplex(DomainError):
    """The body is small enough, and what it holds is too much to be read."""

    code = "body.too_complex"
    detail = f"The body holds more than {MAX_VALUES:,} values, lists and objects included: send less at once."


def check_json(raw: bytes, most: int = MAX_VALUES) -> int:
    """How many values the JSON holds, or more; lists and objects count too.

    `BodyTooComplex` where they are more than `most`; `JsonMalformed` where it is nested too deeply, or a number in it
    is too long. Stops where it is clear, and takes short steps, so that other threads come to their turn.
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
    """The brackets and commas that stand outside of texts, piece by piece; braces are turned into brackets."""
    plain, in_text = _without_escapes(raw), 0
    for start in range(0, len(plain), _PIECE):
        parts = plain[start : start + _PIECE].translate(_STRUCTURE, _OTHERS).split(b'"')
        yield b"".join(parts[in_text::2])
        in_text = (in_text + len(parts) - 1) % 2


def _refuse_long_numbers(raw: bytes) -> None:
    # Digits within a text are no number.
    if _LONG_NUMBER in _TEXT.sub(b"", _without_escapes(raw)).translate(_ZEROS):
        raise JsonMalformed(f"A number in the body has more than {MAX_DIGITS} digits.")
