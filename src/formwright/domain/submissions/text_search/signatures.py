"""Signatures of blocks of submissions: a Bloom filter with one hash of the letter groups in their texts."""

from collections.abc import Iterable, Sequence
from zlib import crc32

from formwright.domain.submissions.text_search.words import iter_grams

BYTES = 3900
"""Size of a signature. PostgreSQL stores two rows per page of 8 KiB."""
_MAX_TESTED = 16


def build_signature(texts: Iterable[str]) -> bytes:
    """Return the signature of texts: a bit is set for each group of letters in them."""
    words = {word for text in texts for word in text.split()}
    bits = bytearray(BYTES)
    for gram in {gram for word in words for gram in iter_grams(word)}:
        place = _bit(gram)
        bits[place >> 3] |= 1 << (place & 7)
    return bytes(bits)


def find_bits(words: Sequence[str]) -> list[int]:
    """Return bits that are set in the signature of every text that contains all words."""
    grams = dict.fromkeys(gram for word in words for gram in iter_grams(word))
    # Longer groups occur in fewer texts, so they exclude more blocks.
    return [_bit(gram) for gram in sorted(grams, key=len, reverse=True)[:_MAX_TESTED]]


def _bit(gram: str) -> int:
    return crc32(gram.encode()) % (BYTES * 8)
