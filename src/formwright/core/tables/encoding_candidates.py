"""How plausible a text is, which was decoded with one of several possible encodings.

Bytes that are not UTF-8 are text in many encodings. A wrong one shows: by symbols and capital letters within words, by
letters of two scripts in one word, and by letters that no language uses together.
"""

from collections.abc import Iterator, Mapping
from functools import cache

CANDIDATES = (
    "cp1252", "iso8859-15", "cp1250", "iso8859-2", "cp1251", "koi8-r", "cp1253", "cp1254", "cp1257",
    "mac-roman", "cp850", "cp932", "euc_jp", "gb18030", "big5", "cp949",
)  # fmt: skip
"""The encodings that are detected, the most frequent ones first."""

_JAPANESE = frozenset({"cp932", "euc_jp"})
_OUTDATED = frozenset({"mac-roman", "cp850"})
"""Encodings of systems that nobody has used for long."""
_WEST, _CENTRE, _TURKISH, _BALTIC, _GREEK, _CYRILLIC = range(6)
_ALPHABETS = tuple(
    (frozenset(letters), regions)
    for letters, *regions in (
        ("äöüß", _WEST, _CENTRE), ("àâæçéèêëîïôœùûüÿ", _WEST), ("áéíñóúü", _WEST), ("áâãàçéêíóôõúü", _WEST),
        ("àèéìíòóùú", _WEST), ("éèëêïóöüá", _WEST), ("æøåé", _WEST), ("åäöé", _WEST), ("áðéíóúýþæö", _WEST),
        ("ąćęłńóśźż", _CENTRE), ("áčďéěíňóřšťúůýž", _CENTRE), ("áäčďéíĺľňóôŕšťúýž", _CENTRE), ("áéíóöőúüű", _CENTRE),
        ("čćđšž", _CENTRE), ("ăâîșțşţ", _CENTRE), ("çğıöşüâîû", _TURKISH),
        ("ąčęėįšųūž", _BALTIC), ("āčēģīķļņšūž", _BALTIC), ("äõöüšž", _BALTIC),
        ("αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋ", _GREEK),
        ("абвгдеёжзийклмнопрстуфхцчшщъыьэюя", _CYRILLIC), ("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", _CYRILLIC),
        ("абвгдђежзијклљмнњопрстћуфхцчџш", _CYRILLIC),
    )
)  # fmt: skip
"""The letters of languages that ASCII does not have, and where they are written. Greek and Cyrillic are complete."""
_OPENING = "“„«‘‚’¿¡–—°\u00a0"
_CLOSING = "”“»’‘…™®©²³ºª°·–—\u00a0€"
_QUOTES = "“”„‘’‚«»…\u00a0"
_WITHIN = "’–—\u00a0"
_SYMBOLS = frozenset(_OPENING + _CLOSING + "·£§±×÷•¼½¾´`¨µ†‰")
_COMMON_CHARACTERS: Mapping[str, tuple[str, int, int]] = {
    "cp932": ("shift_jis", 0x88, 0x97),
    "euc_jp": ("shift_jis", 0x88, 0x97),
    "gb18030": ("gb2312", 0xB0, 0xD7),
    "big5": ("big5", 0xA4, 0xC6),
    "cp949": ("euc_kr", 0xB0, 0xC8),
}
"""For ideographs: the codec whose first bytes in this range are the characters in daily use."""
_KNOWN_LETTERS = frozenset[str]().union(*(letters for letters, _ in _ALPHABETS))
_MAX_ODD = 0.1


def rate_text(text: str, encoding: str) -> float | None:
    """Return how many languages it takes to explain the letters of the text; None if it is not plausible at all.

    The part after the decimal point is about characters in unusual places.
    """
    odd = total = 0
    letters: set[str] = set()
    for before, char, after in _iter_foreign(text):
        total += 1
        odd += _is_odd(before, char, after, encoding)
        if char.isalpha() and not char.lower()[0].isascii():
            letters.add(_script(char) if _is_east_asian(char) else char.lower()[0])
    if odd > _MAX_ODD * total:
        return None
    # Japanese texts of some length have kana.
    is_unusual = encoding in _OUTDATED or (encoding == "cp932" and "han" in letters and "kana" not in letters)
    return _count_languages(letters) + is_unusual + odd / max(1, total)


def _iter_foreign(text: str) -> Iterator[tuple[str, str, str]]:
    """Yield each character that is not ASCII, between its neighbours."""
    padded = f" {text} "
    for index, char in enumerate(padded):
        if char > "\x7f":
            yield padded[index - 1], char, padded[index + 1]


def _is_odd(before: str, char: str, after: str, encoding: str) -> bool:
    if char.isalpha() and _is_east_asian(char):
        return _is_odd_ideograph(before, char, after, encoding)
    if char.isalpha() and char not in "ªº":
        lower = char.lower()[0]
        is_unknown = not lower.isascii() and lower not in _KNOWN_LETTERS and char != "µ"
        is_mixed = any(other.isalpha() and _script(other) != _script(char) for other in (before, after))
        return is_unknown or is_mixed or _breaks_case(before, char, after)
    if _is_east_asian_symbol(char):
        return encoding not in _COMMON_CHARACTERS or (
            (before + after).strip(" ").isascii() and (before + after).islower()
        )
    if char not in _SYMBOLS:
        return True
    if before.isalpha() and after.isalpha():
        return char not in _WITHIN
    if char not in _QUOTES and any(
        other > "\x7f" and not other.isalpha() and other != char for other in (before, after)
    ):
        return True
    return (after.isalpha() and char not in _OPENING) or (before.isalpha() and char not in _CLOSING)


def _breaks_case(before: str, char: str, after: str) -> bool:
    """Whether a word has a capital letter within it, or a small one among capitals."""
    if char.isupper():
        return before.islower() or (before.isalpha() and after.islower())
    return char.islower() and after.isupper() and (before.isupper() or not before.isalpha())


def _is_odd_ideograph(before: str, char: str, after: str, encoding: str) -> bool:
    if any(other.isascii() and other.islower() for other in (before, after)):
        return True
    if _script(char) == "kana":
        return encoding not in _JAPANESE
    return not _is_common(char, encoding)


@cache
def _is_common(char: str, encoding: str) -> bool:
    codec, low, high = _COMMON_CHARACTERS.get(encoding, ("ascii", 0, 0))
    try:
        return low <= char.encode(codec)[0] <= high
    except UnicodeEncodeError:
        return False


@cache
def _script(char: str) -> str:
    code = ord(char)
    if code < 0x370:
        return "latin"
    if code < 0x400:
        return "greek"
    if code < 0x530:
        return "cyrillic"
    if 0x3040 <= code < 0x3100:
        return "kana"
    if 0xFF61 <= code < 0xFFA0:
        return "half"
    if 0xAC00 <= code < 0xD7B0:
        return "hangul"
    return "han" if 0x3400 <= code < 0xA000 or 0xF900 <= code < 0xFB00 else "other"


def _is_east_asian(char: str) -> bool:
    return _script(char) in ("kana", "half", "hangul", "han")


def _is_east_asian_symbol(char: str) -> bool:
    return 0x3000 <= ord(char) < 0x3040 or 0xFF00 <= ord(char) < 0xFF61 or char == "ー"


def _count_languages(letters: set[str]) -> int:
    """Return the smallest number of languages that have all letters, as far as a greedy search finds it.

    Languages of several regions count more, because few encodings have the letters of both.
    """
    is_east_asian = bool(letters & {"kana", "half", "hangul", "han"})
    left, count, regions = letters & _KNOWN_LETTERS, int(is_east_asian), set(range(6))
    while left:
        best, own = max(_ALPHABETS, key=lambda one: (len(left & one[0]), len(regions.intersection(one[1]))))
        left -= best
        count += 1 if regions.intersection(own) else 2
        regions = regions.intersection(own) or set(own)
    return count
