"""Numbers as people write them: `1234.5`, `1,234.5`, `1.234,5`, `1 234,5`, `1'234.5`.

A text such as `1.234` has two readings. Which one is right depends on the other numbers of the file, so the decimal
mark is decided once for a whole file.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from unicodedata import decimal

from formwright.core.exact_numbers import DIGITS, is_exact

DecimalMark = Literal[".", ","]
MARKS: tuple[DecimalMark, DecimalMark] = (".", ",")
MARK_NAMES: dict[DecimalMark, str] = {".": "point", ",": "comma"}

# A group has three digits, and no number with groups begins with a zero: 0,125 is less than one. In India, groups
# before the last one have two digits. The Arabic marks have one meaning each.
_BLANKS = " \u00a0\u2009\u202f'\u2019\u066c"
_INDIAN = r"|[1-9]\d?(?:,\d\d)+,\d{3}"
_NUMBER = (
    r"[+-]?(?:(?:(?P<grouped>[1-9]\d{{0,2}}(?P<group>[{groups}])\d{{3}}(?:(?P=group)\d{{3}})*{others})|\d+)(?:[{mark}]\d*)?"
    r"|[{mark}]\d+)(?:[eE][+-]?\d+)?"
)
_ARABIC_MARK = "\u066b"
_NUMBERS: dict[DecimalMark, re.Pattern[str]] = {
    ".": re.compile(_NUMBER.format(mark="." + _ARABIC_MARK, groups="," + _BLANKS, others=_INDIAN)),
    ",": re.compile(_NUMBER.format(mark="," + _ARABIC_MARK, groups="." + _BLANKS, others="")),
}
_UNGROUPED = re.compile(r"[+-]?(?:\d+(?:[.,]\d*)?|[.,]\d+)(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?\d{1,300}")


class NumberCell(str):
    """The text of a cell that is a number in a workbook. It has one reading, with a decimal point."""

    __slots__ = ()


def to_machine_notation(text: str, mark: DecimalMark) -> str | None:
    """Return the number as `1234.5`, without groups; None if the text is no number with this decimal mark."""
    text = _normalize(text)
    match = _NUMBERS[mark].fullmatch(text)
    if match is None:
        return None
    if match["grouped"]:
        text = text.replace(match["group"] or ",", "")
    return text.replace("," if mark == "," else _ARABIC_MARK, ".").replace(_ARABIC_MARK, ".")


def _normalize(text: str) -> str:
    """Return the text with ASCII digits and signs, and without white space around it."""
    text = text.strip()
    if text.isascii():
        return text
    text = text.replace("\u2212", "-")
    return "".join(str(decimal(one)) if one.isdecimal() else one for one in text)


def read_number(text: str, mark: DecimalMark) -> int | float | None:
    """Return the number, which is infinite if it is too large; None if the text is no number with this mark."""
    plain = to_machine_notation(text, mark)
    return None if plain is None else _to_number(plain)


def is_rounded(text: str, mark: DecimalMark) -> bool:
    """Return whether a number with this mark has more digits than `read_number` can return."""
    plain = to_machine_notation(text, mark) if len(text) > DIGITS else None
    return plain is not None and not _WHOLE.fullmatch(plain) and not is_exact(plain)


def read_coordinate(text: str) -> int | float | None:
    """Return a number whose decimal mark is a point or a comma; None for other texts.

    No coordinate has groups of digits, so it has one reading.
    """
    text = _normalize(text)
    return _to_number(text.replace(",", ".")) if _UNGROUPED.fullmatch(text) else None


def _to_number(plain: str) -> int | float:
    return int(plain) if _WHOLE.fullmatch(plain) else float(plain)


def list_readings(text: str) -> dict[DecimalMark, int | float]:
    """Return the number that the text is with each decimal mark with which it is one."""
    found = {mark: read_number(text, mark) for mark in MARKS}
    return {mark: number for mark, number in found.items() if number is not None}


@dataclass(frozen=True, slots=True)
class NumberPlace:
    """A number and where it is: the line, and the name of the column."""

    text: str
    line: int
    column: str

    def __str__(self) -> str:
        return f"{self.text[:50]!r} in line {self.line}, column {self.column[:100]!r}"


class DecimalMarks:
    """Finds out which decimal mark the numbers of a file have.

    `places` are the first numbers that are only numbers with a point, and only with a comma.
    """

    def __init__(self) -> None:
        self.places: dict[DecimalMark, NumberPlace] = {}
        self._unclear: set[str] = set()

    def add(self, text: str, line: int, column: str) -> None:
        """Add a cell. Texts that are no numbers say nothing."""
        points, commas = text.count("."), text.count(",")
        if not (points or commas) or type(text) is NumberCell:
            return
        # A number with a single mark says nothing new if another one has only been a number with this mark.
        if ((points, commas) == (1, 0) and "." in self.places) or ((points, commas) == (0, 1) and "," in self.places):
            return
        found = list_readings(text)
        if len(found) == 1:
            [mark] = found
            if mark not in self.places:
                self.places[mark] = NumberPlace(text, line, column)
        elif found:
            self._unclear.add("." if "." in text else ",")

    def add_all(self, texts: Iterable[str], line: int, column: str) -> None:
        """Add cells of one place."""
        for text in texts:
            self.add(text, line, column)

    @property
    def is_mixed(self) -> bool:
        """Whether some numbers have a point and others a comma."""
        return len(self.places) > 1

    def decide(self, delimiter: str | None) -> DecimalMark | None:
        """Return the decimal mark of all numbers; None if it does not matter, is unclear, or is not the same.

        Where all numbers have two readings, the delimiter decides only if it confirms the simpler one: programs that
        write decimal commas separate cells by semicolons, and those that write points by commas.
        """
        if len(self.places) == 1:
            [mark] = self.places
            return mark
        if not self.places:
            for mark, usual in ((MARKS[0], ","), (MARKS[1], ";")):
                if self._unclear == {mark} and delimiter == usual:
                    return mark
        return None
