"""A workbook yields the same form and the same rows, whichever program saved it."""

import io
import re
import struct
from typing import Any

import pytest
import xlsxwriter
from fixtures import libreoffice
from unit.tables.reads import bad, lines, read
from unit.workbooks import samples

from formwright.core.tables.base import Dialect, TableUnreadable
from formwright.domain.forms.xlsform.importer import ImportedForm, import_xlsform

STOCK = Dialect(sheet="Stock")


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, bytes]]:
    """Save the form, the table and a table with error values with LibreOffice's filters."""
    folder = tmp_path_factory.mktemp("office")
    for name, content in {"form": samples.form(), "table": samples.table(), "errors": _table_with_errors()}.items():
        (folder / f"{name}.xlsx").write_bytes(content)
    files = sorted(folder.glob("*.xlsx"))
    filters = (*libreoffice.FORMATS, libreoffice.ODS)
    return {filter_: libreoffice.convert(files, filter_, folder / str(at)) for at, filter_ in enumerate(filters)}


def definition(content: bytes) -> tuple[Any, ...]:
    """Return the imported form, and the codes of its report without formulas, which some programs do not store."""
    found: ImportedForm = import_xlsform(content)
    codes = [note.code for note in found.report if note.code != "xlsform.formula"]
    return found.name, found.definition_fields, found.settings, codes


FORM = definition(samples.form())


def test_the_form_has_the_written_content() -> None:
    name, fields, *_ = FORM
    assert name == "Order"
    assert [field.name for field in fields] == ["bulk", "amount", "remark", "more"]
    assert [field.label for field in fields][2:] == ["Anything else to say?", "42"]


@pytest.mark.parametrize("change", samples.CHANGES)
def test_a_form_is_the_same_whichever_program_saved_it(change: str) -> None:
    assert definition(samples.CHANGES[change](samples.form())) == FORM


@pytest.mark.parametrize("change", samples.CHANGES)
def test_a_table_is_the_same_whichever_program_saved_it(change: str) -> None:
    content = samples.CHANGES[change](samples.table())
    assert read(content, "xlsx") == samples.ROWS
    assert lines(content, "xlsx") == [4, 5]


@pytest.mark.parametrize("options", [{"date_1904": True}, {"constant_memory": True}, {"use_zip64": True}], ids=str)
def test_options_of_a_workbook_change_nothing(options: dict[str, bool]) -> None:
    """The 1904 date system, inline strings instead of shared strings, and large archives."""
    assert definition(samples.form(**options)) == FORM
    assert read(samples.table(**options), "xlsx") == samples.ROWS


@pytest.mark.slow
@pytest.mark.parametrize("filter_", libreoffice.FORMATS)
def test_libreoffice_saves_the_same_form_and_table(saved: dict[str, dict[str, bytes]], filter_: str) -> None:
    assert definition(saved[filter_]["form"]) == FORM
    assert read(saved[filter_]["table"], "xlsx", STOCK) == samples.ROWS
    notes = import_xlsform(saved[filter_]["form"]).report
    assert [(n.sheet, n.row, n.column) for n in notes if n.code == "xlsform.formula"] == [("survey", 5, "C")]


@pytest.mark.slow
def test_a_used_range_with_all_rows_and_columns_takes_no_memory(saved: dict[str, dict[str, bytes]]) -> None:
    """Some programs that save .xls files write it, however few cells there are."""
    content = saved[libreoffice.FORMATS[0]]["form"]
    everything = struct.pack("<HHIIHHH", 0x0200, 14, 0, 2**20, 0, 256, 0)
    written, count = re.subn(rb"\x00\x02\x0e\x00.{14}", everything, content, flags=re.DOTALL)
    assert count == 3, "one for each sheet"
    assert definition(written) == definition(content)


def test_an_ods_file_is_rejected(saved: dict[str, dict[str, bytes]]) -> None:
    with pytest.raises(TableUnreadable, match=r"\.ods"):
        read(saved[libreoffice.ODS]["table"], "xlsx")


def test_error_values_are_found_in_each_format(saved: dict[str, dict[str, bytes]]) -> None:
    for content in (_table_with_errors(), *(saved[filter_]["errors"] for filter_ in libreoffice.FORMATS)):
        assert bad(content, "xlsx") == [(3, "b", "cell.formula_error"), (4, "b", "cell.formula_error")]


def _table_with_errors() -> bytes:
    written = io.BytesIO()
    with xlsxwriter.Workbook(written, {"in_memory": True}) as book:
        sheet = book.add_worksheet()
        sheet.write_column(0, 0, "akkk")
        sheet.write_column(0, 1, ["b", 1])
        sheet.write_formula(2, 1, "=NA()", None, "#N/A")
        sheet.write_formula(3, 1, "=1/0", None, "#DIV/0!")
    return written.getvalue()
