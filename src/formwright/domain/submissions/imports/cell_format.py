"""How the cells of a file are written, and the error of a cell that cannot be read."""

from dataclasses import dataclass

from formwright.core.tables.numbers import DecimalMark


class CellInvalid(Exception):
    """The cell cannot be read as an answer. `code` is stable; the text says what is expected."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code, self.detail = code, detail


@dataclass(frozen=True, slots=True)
class CellFormat:
    """How cells are written: the time zone of times without an offset, and what a number and a date look like.

    Without a decimal mark, numbers such as `1.234` are rejected, because they have two readings. `day_first` says
    whether `3/4/2026` is 3 April or March 4; without it, such dates are rejected.
    """

    time_zone: str = "UTC"
    decimal_mark: DecimalMark | None = None
    day_first: bool | None = None
