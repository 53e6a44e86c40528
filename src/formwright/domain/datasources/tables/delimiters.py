"""What stands between the cells of a CSV."""

import csv
import re
from collections.abc import Sequence

from formwright.domain.datasources.tables.model import TableUnreadable

# The rarer it is in plain text, the sooner it is believed.
_CANDIDATES = ("\t", "|", ";", ",")
NONE = "\udfff"
"""Half a character, which no decoded text holds: a table of one column has nothing between its cells."""

_SAID = re.compile(r'sep=([^\w\s"]|\t)\r?\n?', re.IGNORECASE)
_MAY_BE = re.compile(r'[^\w\s"]|\t')


def said(first_line: str) -> str | None:
    """The delimiter of the line `sep=;` that Excel writes and reads before the header."""
    found = _SAID.fullmatch(first_line)
    return found[1] if found else None


def checked(delimiter: str) -> str:
    """The delimiter that was asked for, if it can be one."""
    if _MAY_BE.fullmatch(delimiter):
        return delimiter
    detail = f"{delimiter!r} cannot stand between cells. Use a comma, a semicolon, a tab or |."
    raise TableUnreadable("table.delimiter", detail)


def found(lines: Sequence[str]) -> str:
    """The delimiter with which the first records have most often as many cells as the header; `NONE` for one column."""
    scores = {candidate: _score(lines, candidate) for candidate in _CANDIDATES}
    best = max(_CANDIDATES, key=lambda candidate: scores[candidate])
    return best if scores[best][1] > 1 else NONE


def _score(lines: Sequence[str], delimiter: str) -> tuple[float, int]:
    """The share of the records that agree with the header, and its width; a fault in the quotes does not agree."""
    if not any(delimiter in line for line in lines):
        return (-2, 0)
    widths: list[int] = []
    try:
        rows = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        for row in rows:
            widths += [len(row)] if any(row) else []
    except csv.Error:
        widths += [0] if widths else []
    if not widths:
        return (-1, 2)  # Better than none: a fault in the first record is then found where it is.
    header, *rest = widths
    return (rest.count(header) / len(rest) if rest else 1, header) if header > 1 else (-2, 0)
