"""How numbers and dates are written in a file: its decimal mark, and whether the day or the month is first in dates.

Both are decided from all cells, because a single `1.234` or `3/4/2026` has two readings.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from formwright.core.errors import ValidationFault
from formwright.core.tables.base import BadRow, FileTable, TableUnreadable
from formwright.core.tables.numbers import DecimalMark, DecimalMarks, NumberPlace
from formwright.domain.forms.fields import AnswerKind
from formwright.domain.submissions.imports.cells import first_in_date, unescape_text
from formwright.domain.submissions.imports.columns import Property, Target
from formwright.domain.submissions.imports.models import MAX_ROWS

_DATES = (AnswerKind.DATE, AnswerKind.DATETIME)
_Add = Callable[[str, int, str], None]


@dataclass(frozen=True, slots=True)
class Notation:
    """The decimal mark and the order of dates; None if a file has none or it is unclear.

    `faults` say that the cells of the file contradict each other.
    """

    decimal_mark: DecimalMark | None = None
    day_first: bool | None = None
    faults: Sequence[ValidationFault] = ()


class DateOrders:
    """Finds out whether the day or the month is first in dates. `places` are the first dates that have one reading."""

    def __init__(self) -> None:
        self.places: dict[bool, NumberPlace] = {}

    def add(self, text: str, line: int, column: str) -> None:
        """Add a cell. Texts that are no dates say nothing."""
        is_day = first_in_date(text)
        if is_day is not None and is_day not in self.places:
            self.places[is_day] = NumberPlace(text, line, column)

    def decide(self) -> bool | None:
        """Return whether the day is first; None if it is unclear or not always the same."""
        return next(iter(self.places)) if len(self.places) == 1 else None


def detect_notation(tables: Sequence[tuple[FileTable, Mapping[int, Target]]], known: Notation) -> Notation:
    """Return the notation of the cells of tables, whose columns have these targets. What is `known` remains."""
    marks, orders = DecimalMarks(), DateOrders()
    for table, targets in tables:
        adds = {
            AnswerKind.DECIMAL: marks.add if known.decimal_mark is None else None,
            AnswerKind.DATE: orders.add if known.day_first is None else None,
        }
        columns = [
            (index, table.header[index], add)
            for index, target in targets.items()
            if (kind := _kind(target)) and (add := adds[kind])
        ]
        # An import reports a file that cannot be read to its end.
        with suppress(TableUnreadable):
            _add_cells(table, columns)
    mark = known.decimal_mark or marks.decide(tables[0][0].dialect.delimiter)
    order = orders.decide() if known.day_first is None else known.day_first
    return Notation(mark, order, list(_list_faults(marks, orders)))


def _kind(target: Target) -> AnswerKind | None:
    if isinstance(target, Property):
        return {Property.ACCURACY: AnswerKind.DECIMAL, Property.SUBMITTED_AT: AnswerKind.DATE}.get(target)
    kind = target.answer_kind
    return AnswerKind.DECIMAL if kind.is_number else AnswerKind.DATE if kind in _DATES else None


def _add_cells(table: FileTable, columns: Sequence[tuple[int, str, _Add]]) -> None:
    for row in islice(table.rows(), MAX_ROWS) if columns else ():
        if isinstance(row, BadRow):
            continue
        line, cells = row
        for index, name, add in columns:
            if cell := cells[index]:
                add(unescape_text(cell) if cell[0] == "'" else cell, line, name)


def _list_faults(marks: DecimalMarks, orders: DateOrders) -> Iterator[ValidationFault]:
    if marks.is_mixed:
        point, comma = marks.places["."], marks.places[","]
        detail = (
            f"Some numbers have a decimal point, others a decimal comma: {point}, and {comma}. Write all of them in"
            " the same way, or choose the decimal mark."
        )
        yield ValidationFault("?decimalMark", "import.decimal_mark.mixed", detail)
    if len(orders.places) > 1:
        day, month = orders.places[True], orders.places[False]
        detail = (
            f"In some dates the day is first, in others the month: {day}, and {month}. Write all of them in the same"
            " way, or choose which one is first."
        )
        yield ValidationFault("?firstInDates", "import.date_order.mixed", detail)
