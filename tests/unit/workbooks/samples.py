"""Typical workbooks, a form and a table, as XlsxWriter writes them, and modified as other programs would save them."""

import datetime
import io
import re
import warnings
import zipfile
from collections.abc import Callable, Mapping
from typing import Any

import openpyxl
import xlsxwriter

UTF_16_PART = '<?xml version="1.0" encoding="UTF-16"?><b:Sources xmlns:b="urn:b"/>'.encode("utf-16")
DAY, MOMENT = datetime.date(2026, 11, 21), datetime.datetime(2026, 11, 21, 10, 30)  # noqa: DTZ001
SHEET, BOOK, RELATIONS = "xl/worksheets/sheet1.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"


def form(**options: Any) -> bytes:
    """Return an XLSForm with everything that a spreadsheet program adds to cells."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, **options}) as book:
        bold = book.add_format({"bold": True})
        survey, choices, settings = (book.add_worksheet(name) for name in ("survey", "choices", "settings"))
        survey.write_row(0, 0, ["type", "name", "label::English (en)", "required", "relevant", "hint"])
        survey.write_row(1, 0, ["select_one bulk", "bulk", "Bulk", "yes"])
        survey.write_row(2, 0, ["integer", "amount", "How many?", "yes", "${bulk} = 'l'"])
        survey.write_row(3, 0, ["text", "remark"])
        if not options.get("constant_memory"):
            survey.write_rich_string(3, 2, "Anything ", bold, "else", " to say?")
        else:
            survey.write(3, 2, "Anything else to say?")
        survey.write_row(4, 0, ["text", "more"])
        survey.write_formula(4, 2, "=40+2", None, 42)
        choices.write_row(0, 0, ["list_name", "name", "label::English (en)"])
        for row, (name, label) in enumerate([("s", "Small"), ("l", "Large")], start=1):
            choices.write_row(row, 0, ["bulk", name, label])
        settings.write_row(0, 0, ["form_title", "default_language"])
        settings.write_row(1, 0, ["Order", "English (en)"])
        _decorate(survey, bold)
        _decorate(choices, bold)
    return content.getvalue()


def table(**options: Any) -> bytes:
    """Return a table with all kinds of values, below and to the right of empty cells."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True, **options}) as book:
        bold, day = book.add_format({"bold": True}), book.add_format({"num_format": "yyyy-mm-dd"})
        moment, share = book.add_format({"num_format": "dd.mm.yyyy hh:mm"}), book.add_format({"num_format": "0.0%"})
        sheet = book.add_worksheet("Stock")
        sheet.write_row(2, 1, ["key", "name", "count", "day", "moment", "share", "sold", "sum"])
        for row, (key, name, count) in enumerate([("007", "Äpfel & <Birnen>", 7), ("008", "Nüsse\n2", 1.5)], start=3):
            sheet.write_row(row, 1, [key, name, count])
            sheet.write_datetime(row, 4, datetime.datetime.combine(DAY, datetime.time()), day)
            sheet.write_datetime(row, 5, MOMENT, moment)
            sheet.write_number(row, 6, 0.25, share)
            sheet.write_boolean(row, 7, row == 3)
            sheet.write_formula(row, 8, f"=D{row + 1}*2", None, count * 2)
        if not options.get("constant_memory"):
            columns = [{"header": name} for name in ("key", "name", "count", "day", "moment", "share", "sold", "sum")]
            columns[-1] |= {"formula": "=D4*2"}
            book.add_worksheet("Other").write(0, 0, "other")
        _decorate(sheet, bold)
    return content.getvalue()


ROWS = [
    ["key", "name", "count", "day", "moment", "share", "sold", "sum"],
    ["007", "Äpfel & <Birnen>", "7", "2026-11-21", "2026-11-21T10:30:00", "0.25", "true", "14"],
    ["008", "Nüsse\n2", "1.5", "2026-11-21", "2026-11-21T10:30:00", "0.25", "false", "3"],
]


def _decorate(sheet: Any, bold: Any) -> None:
    """Add elements after the cells, and formatted cells without values at the ends of an .xls sheet."""
    sheet.set_header("&CConfidential 12")
    sheet.set_footer("&LPage &P of &N&R7")
    sheet.data_validation("L2:L9", {"validate": "list", "source": ["text", "integer", "0"]})
    sheet.conditional_format("L2:L9", {"type": "cell", "criteria": "==", "value": '"text"', "format": bold})
    sheet.conditional_format("M2:M9", {"type": "data_bar", "data_bar_2010": True, "min_value": "=$M$1"})
    sheet.write_comment("A1", "A remark")
    sheet.autofilter("A1:C9")
    sheet.write_blank(65_535, 0, None, bold)
    sheet.write_blank(7, 255, None, bold)


def far_formats(content: bytes) -> bytes:
    """Return the workbook with a formatted cell in the last possible row and column."""
    far = '<row r="1048576"><c r="A1048576" s="1"/><c r="XFD1048576" s="1"/></row></sheetData>'
    return with_parts(content, {SHEET: part(content, SHEET).replace("</sheetData>", far)})


def part(content: bytes, name: str) -> str:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return archive.read(name).decode()


def with_parts(content: bytes, parts: Mapping[str, str | bytes], rename: Callable[[str], str] = str) -> bytes:
    """Return the workbook with some parts replaced or added, and all parts renamed."""
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as new:
        for name in dict.fromkeys([*old.namelist(), *parts]):
            new.writestr(rename(name), parts[name] if name in parts else old.read(name))
    return changed.getvalue()


def _each_part(content: bytes, change: Callable[[str], str]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = [name for name in archive.namelist() if name.endswith((".xml", ".rels"))]
    return with_parts(content, {name: change(part(content, name)) for name in names})


def _prefixed(xml: str) -> str:
    """Add a prefix to every SpreadsheetML element, as the Open XML SDK does."""
    if 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"' not in xml:
        return xml
    return re.sub(r"<(/?)(?=[A-Za-z]+[ />])(?!\?)", r"<\1x:", xml).replace(' xmlns="', ' xmlns:x="', 1)


def _strict(xml: str) -> str:
    """Use the namespaces of ISO 29500 Strict."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    return xml.replace(office, "http://purl.oclc.org/ooxml/officeDocument").replace(
        main, "http://purl.oclc.org/ooxml/spreadsheetml/main"
    )


def _opened_and_saved(content: bytes) -> bytes:
    saved = io.BytesIO()
    with warnings.catch_warnings(action="ignore"):  # It warns that it drops data bars.
        openpyxl.load_workbook(io.BytesIO(content), data_only=True).save(saved)
    return saved.getvalue()


CHANGES: dict[str, Callable[[bytes], bytes]] = {
    "xlsxwriter": bytes,
    "openpyxl": _opened_and_saved,
    "UTF-16 properties": lambda content: with_parts(content, {"customXml/item1.xml": UTF_16_PART}),
    "other parts broken": lambda content: with_parts(content, {"docProps/app.xml": "<a>", "xl/theme/theme1.xml": "x"}),
    "last cell formatted": far_formats,
    "absolute targets": lambda content: with_parts(
        content, {RELATIONS: part(content, RELATIONS).replace('Target="', 'Target="/xl/')}
    ),
    "names in other case": lambda content: with_parts(
        content, {}, lambda name: name.replace("sheet1", "Sheet1").replace("sharedStrings", "SharedStrings")
    ),
    "prefixes": lambda content: _each_part(content, _prefixed),
    "strict": lambda content: _each_part(content, _strict),
    "bytes in front": lambda content: with_parts(content, {BOOK: "\ufeff" + part(content, BOOK)}),
}
"""The same workbook as other programs would save it."""
