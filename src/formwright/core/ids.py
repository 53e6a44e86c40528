"""Ids with a prefix for their type, sorted by creation time.

They are TypeIDs (https://github.com/jetify-com/typeid, spec 0.3): a prefix, `_`, and a version 7 UUID (RFC 9562) as 26
characters of Crockford's base 32. For example, `sub_01h455vb4pex5vsknk084sn02q` is the id of a submission.
"""

import re
import secrets
from collections.abc import Callable

from formwright.core.clock import Clock

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_PAIRS = [a + b for a in _ALPHABET for b in _ALPHABET]
_SUFFIX = re.compile(r"[0-7][0-9a-hjkmnp-tv-z]{25}")
_RANDOM_BITS = 74
"""As many as a UUID of version 7 has besides the time (RFC 9562, 5.7)."""
_MASK_40 = (1 << 40) - 1


class Ids:
    """Creates ids. The ids of a process increase strictly, even within a millisecond and if the clock is set back."""

    def __init__(self, clock: Clock, random_bits: Callable[[int], int] = secrets.randbits) -> None:
        self._clock = clock
        self._random_bits = random_bits
        self._millisecond = 0
        self._letters = _encode_timestamp(0)
        self._tail = 0

    def new(self, prefix: str) -> str:
        """Return a new id with this prefix."""
        now = self._clock.now()
        if now > self._millisecond:
            self._millisecond, self._letters = now, _encode_timestamp(now)
            # The first bit is zero, so that the steps within a millisecond cannot overflow (RFC 9562, 6.2).
            self._tail = self._random_bits(_RANDOM_BITS - 1)
        else:
            # RFC 9562, 6.2, method 2: within a millisecond, the random part increases by a random step.
            self._tail += 1 + self._random_bits(32)
        rest = _after_timestamp(self._tail)
        return f"{prefix}_{self._letters}{_encode_40_bits(rest >> 40)}{_encode_40_bits(rest & _MASK_40)}"


def is_id(text: str, prefix: str) -> bool:
    """Return whether the text has the format of an id with this prefix."""
    return text.startswith(prefix + "_") and _SUFFIX.fullmatch(text, len(prefix) + 1) is not None


def _after_timestamp(tail: int) -> int:
    """Return the 80 bits of the UUID after its 48 bits of time: version, variant and the random bits."""
    high, low = tail >> 62 & 0xFFF, tail & ((1 << 62) - 1)
    return 0x7 << 76 | high << 64 | 0b10 << 62 | low


def _encode_timestamp(ms: int) -> str:
    """Encode a time as ten characters."""
    return _PAIRS[ms >> 40] + _encode_40_bits(ms & _MASK_40)


def _encode_40_bits(bits: int) -> str:
    """Encode 40 bits as eight characters."""
    return f"{_PAIRS[bits >> 30]}{_PAIRS[bits >> 20 & 1023]}{_PAIRS[bits >> 10 & 1023]}{_PAIRS[bits & 1023]}"
