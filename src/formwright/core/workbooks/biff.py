"""Reads from an .xls file ([MS-XLS]) what calamine, which reads the cells, does not provide: formulas and errors.

It also removes from the file what calamine would need too much memory for.

Only files of Excel 5 and newer, which are compound files, are supported.
"""

import os
import struct
from collections.abc import Iterator

from xlrd.compdoc import CompDoc, CompDocError

from formwright.core.workbooks.models import Limits, Positions, damaged, locked

MAGIC = bytes.fromhex("d0cf11e0a1b11ae1")
"""The first bytes of a compound file: an .xls, another old Office file, or any Office file with a password."""

_BOF, _EOF, _SHEET, _PASSWORD, _FORMULA, _ERROR = 0x0809, 0x000A, 0x0085, 0x002F, 0x0006, 0x0205
_DIMENSIONS = 0x0200
_COMPOUND_HEADER = 512
_HEADER = struct.Struct("<HH")
_CELL = struct.Struct("<HH")


class BiffWorkbook:
    """The records of a workbook stream. `content` is the file as calamine can read it."""

    def __init__(self, content: bytes) -> None:
        self._stream, sectors = _find_stream(content)
        self._sheets = []
        for record, _, data in self._records(0):
            if record == _PASSWORD:
                raise locked()
            if record == _SHEET:
                self._sheets.append(int.from_bytes(data[:4], "little"))
        self.content = self._without_dimensions(content, sectors) if sectors else content

    def _without_dimensions(self, content: bytes, sectors: list[slice]) -> bytes:
        """Return the file with zeros instead of the used ranges of the sheets.

        calamine reserves memory for all cells of the range before it reads those that exist. Some programs write a
        range with all rows and columns, for which that is 16 GB.
        """
        stream = bytearray(self._stream)
        for sheet in self._sheets:
            for record, position, data in self._records(sheet):
                if record == _DIMENSIONS:
                    stream[position : position + len(data)] = bytes(len(data))
        changed, position = bytearray(content), 0
        for sector in sectors:
            part = stream[position : position + sector.stop - sector.start]
            changed[sector.start : sector.start + len(part)] = part
            position += len(part)
        return bytes(changed)

    def check(self, limits: Limits, sheets: list[int]) -> None:
        """Do nothing: .xls files are not compressed, so the limit of the file size is sufficient."""

    def repair(self) -> bytes:
        """Raise an error: .xls files have no error values that calamine does not know."""
        raise damaged()

    def positions(self, sheet: int, *, formulas: bool) -> Positions:
        """Return the positions of formulas, if requested, and of error values in a sheet. All formulas have a value."""
        found = Positions()
        for record, _, data in self._records(self._sheets[sheet]):
            if record in (_FORMULA, _ERROR):
                row, column = _CELL.unpack_from(data)
                if formulas and record == _FORMULA:
                    found.formulas.append((row + 1, column + 1))
                if _is_error(record, data):
                    found.errors.append((row + 1, column + 1))
        return found

    def _records(self, position: int) -> Iterator[tuple[int, int, bytes]]:
        """Yield the records of the substream at `position`, without those of embedded charts: type, position, data."""
        stream, depth = self._stream, 0
        while position + _HEADER.size <= len(stream):
            record, length = _HEADER.unpack_from(stream, position)
            position += _HEADER.size
            depth += (record == _BOF) - (record == _EOF)
            if not depth:
                return
            if depth == 1:
                yield record, position, stream[position : position + length]
            position += length


def _is_error(record: int, data: bytes) -> bool:
    if record == _ERROR:
        return data[7:8] == b"\1"  # Otherwise the record is a boolean.
    return data[12:14] == b"\xff\xff" and data[6:7] == b"\2"


def _find_stream(content: bytes) -> tuple[bytes, list[slice]]:
    """Return the workbook stream, and where its sectors are in the file; none for a stream of less than 4 KiB."""
    try:
        with open(os.devnull, "w") as log:  # noqa: PTH123 - xlrd prints warnings.
            document = CompDoc(content, logfile=log, ignore_workbook_corruption=True)
            if document.locate_named_stream("EncryptedPackage")[0]:
                raise locked()
            for name in ("Workbook", "Book"):
                memory, start, length = document.locate_named_stream(name)
                if memory:
                    return bytes(memory[start : start + length]), _find_sectors(document, name)
    except (CompDocError, struct.error, IndexError, AssertionError, ValueError):
        pass
    raise damaged()


def _find_sectors(document: CompDoc, name: str) -> list[slice]:
    """Return the sectors of a stream. `locate_named_stream` has checked that their chain has an end."""
    entry = document._dir_search([name])
    if entry.tot_size < document.min_size_std_stream:
        return []
    sectors, number = list[slice](), entry.first_SID
    while number >= 0 and len(sectors) * document.sec_size < entry.tot_size:
        start = _COMPOUND_HEADER + number * document.sec_size
        sectors.append(slice(start, start + document.sec_size))
        number = document.SAT[number]
    return sectors
