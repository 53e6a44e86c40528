"""Answers written to CSV files and workbooks, and read again."""

import io
from dataclasses import replace
from typing import Any

import msgspec
import pytest
from factories.random_answers import MANY, NEW, answer, field
from factories.submission_imports import csv_file, xlsx_file
from hypothesis import given, settings
from hypothesis import strategies as st

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, RepeatField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Version, VersionStatus
from formwright.domain.submissions.imports.cell_format import CellFormat, CellInvalid
from formwright.domain.submissions.imports.cells import (
    encode_cell,
    escape_text,
    parse_cell,
    unescape_text,
)
from formwright.domain.submissions.imports.models import ImportOptions, Kind
from formwright.domain.submissions.imports.reader import SubmissionFile

TEXT = st.text("aB ñ中'\"=+-@\t\n,;[{🎉\u202e", min_size=1, max_size=20).filter(str.strip)
FILE_IDS = st.lists(st.integers(0, 9).map(lambda n: f"fil_01m7z1fcaeezx9ew4g6yzwgd2{n}"), min_size=1, unique=True)
ODD = [{"value": value, "label": f"Label {n}"} for n, value in enumerate(["a,b", "[c", " d", "Label 0", "e;f"])]
FIELDS = [
    *NEW,
    field("choices", "odd", options=ODD),
    field("choices", "plain", options=MANY[:4]),
    field("photo", "photos"),
    field("file", "papers"),
    field("signature", "signed"),
    field("lookup", "client", datasourceId="dat_01m7z1fcaeezx9ew4g6yzwgd2d"),
    field("email", "mail"),
    field("barcode", "code"),
    field("text", "status"),
    field("text", "userId"),
]
OWN = {
    "photo": FILE_IDS,
    "file": FILE_IDS,
    "signature": FILE_IDS.map(lambda ids: ids[0]),
    "lookup": TEXT,
    "email": st.emails(),
    "barcode": TEXT,
    "text": TEXT,
    "textarea": TEXT,
}
DEFINITION = Definition(msgspec.convert(FIELDS, list[AnyField]), FormSettings())
ANSWERS = st.fixed_dictionaries(
    {}, optional={one["name"]: OWN[one["type"]] if one["type"] in OWN else answer(one) for one in FIELDS}
).filter(bool)


def read(content: bytes, kind: Kind) -> list[dict[str, Any]]:
    """Return the answers in the rows of a file."""
    file = SubmissionFile(io.BytesIO(content), kind, _version(), ImportOptions())
    rows = list(file.rows())
    assert [error for row in rows for error in row.errors] == []
    return [row.payload.data for row in rows if row.payload]


def _version() -> Version:
    return Version("ver_1", "cus_1", "frm_1", 1, VersionStatus.FINAL, "", DEFINITION, 0, 0, 1)


def csv_of(submissions: list[dict[str, Any]]) -> bytes:
    header = [f"answers.{one.name}" for one in DEFINITION.fields]
    return csv_file(
        [header, *([encode_cell(one, data.get(one.name)) for one in DEFINITION.fields] for data in submissions)]
    )


def xlsx_of(submissions: list[dict[str, Any]]) -> bytes:
    """Return a workbook with the rows of the repeat in a sheet of their own."""
    (repeat,) = [one for one in DEFINITION.fields if isinstance(one, RepeatField)]
    fields = [one for one in DEFINITION.fields if one is not repeat]
    main: list[list[Any]] = [["id", *(f"answers.{one.name}" for one in fields)]]
    inside: list[list[Any]] = [["id", *(one.name for one in repeat.fields)]]
    for number, data in enumerate(submissions):
        main.append([f"v{number}", *(encode_cell(one, data.get(one.name)) for one in fields)])
        inside += [
            [f"v{number}", *(encode_cell(one, row.get(one.name)) for one in repeat.fields)]
            for row in data.get(repeat.name, [])
        ]
    return xlsx_file({"Submissions": main, repeat.name: inside})


@given(st.lists(ANSWERS, min_size=1, max_size=4))
def test_every_answer_in_a_csv_file_is_read_as_it_was_written(submissions: list[dict[str, Any]]) -> None:
    once = read(csv_of(submissions), "csv")
    assert once == submissions
    assert csv_of(once) == csv_of(submissions)


@pytest.mark.slow
# Each workbook is read by a process of its own, so few of them have many submissions.
@settings(max_examples=4)
@given(st.lists(ANSWERS, min_size=20, max_size=40))
def test_every_answer_in_a_workbook_is_read_as_it_was_written(submissions: list[dict[str, Any]]) -> None:
    expected = [{name: value for name, value in one.items() if (name, value) != ("visits", [])} for one in submissions]
    once = read(xlsx_of(submissions), "xlsx")
    assert once == expected
    assert read(xlsx_of(once), "xlsx") == once


@given(st.text("'=+-@\t\n a", max_size=8))
def test_escaped_text_is_no_formula_and_can_be_restored(text: str) -> None:
    assert unescape_text(escape_text(text)) == text


@pytest.mark.parametrize(
    ("type_", "text", "expected"),
    [
        ("decimal", "1 234,5", 1234.5),
        ("decimal", "1,5", 1.5),
        ("decimal", "1,234,567.25", 1234567.25),
        ("decimal", "12,34,567.5", 1234567.5),
        ("decimal", "١٬٢٣٤٫٥", 1234.5),
        ("decimal", "\u22120.5", -0.5),
        ("decimal", "0.10000000000000001", 0.1),
        ("integer", "5.0", 5),
        ("integer", "5.5", 5.5),
        ("boolean", "Ja", True),
        ("date", "2026-03-29 00:00:00", "2026-03-29"),
        ("date", "29.3.2026", "2026-03-29"),
        ("date", "29/3/2026", "2026-03-29"),
        ("date", "3/3/2026", "2026-03-03"),
        ("time", "1899-12-31T14:30:00", "14:30"),
        ("datetime", "29.03.2026 14:30", "2026-03-29T14:30:00+02:00"),
        ("location", "52.52001° N, 13.40495° W (± 5 m)", {"latitude": 52.52001, "longitude": -13.40495, "accuracy": 5}),
        ("location", "52,125; 0,125", {"latitude": 52.125, "longitude": 0.125}),
        ("location", "52,125 0,125 3", {"latitude": 52.125, "longitude": 0.125, "accuracy": 3}),
        ("location", "52.125,0.125,5", {"latitude": 52.125, "longitude": 0.125, "accuracy": 5}),
        ("location", "52, 13", {"latitude": 52, "longitude": 13}),
        ("choices", "Label 1; a,b", ["[c", "a", "b"]),
    ],
)
def test_cells_that_people_write_are_read(type_: str, text: str, expected: Any) -> None:
    one = msgspec.convert(field(type_, "f", **({"options": ODD} if type_ == "choices" else {})), AnyField)
    assert parse_cell(one, text, CellFormat("Europe/Berlin")) == expected


@pytest.mark.parametrize(
    ("type_", "text"),
    [
        *[("decimal", text) for text in ("1,23,4.5", "=1+1", "1e999", "1.234", "1,234", "12 34")],
        *[("date", text) for text in ("2026-02-30", "3/4/2026", "31/31/2026")],
        ("time", "25:00"),
        ("location", "52,52;13"),
        ("location", "52.5"),
        ("line", "52,5 13,4; 52,6 13,5"),
        ("datetime", "2026-03-29 02:30"),
        ("datetime", "2026-10-25T02:30:00"),
        ("datetime", "25.10.2026 02:00"),
    ],
)
def test_cells_that_cannot_be_read_are_rejected(type_: str, text: str) -> None:
    with pytest.raises(CellInvalid):
        parse_cell(msgspec.convert(field(type_, "f"), AnyField), text, CellFormat("Europe/Berlin"))


@pytest.mark.parametrize("text", ["0,125", "00,125", "-0,500", "1,5", "1,234.5,6"])
def test_with_a_decimal_point_commas_are_only_groups(text: str) -> None:
    with pytest.raises(CellInvalid) as caught:
        parse_cell(msgspec.convert(field("decimal", "f"), AnyField), text, CellFormat(decimal_mark="."))
    assert caught.value.code == "import.cell.number"


def test_lines_with_decimal_commas_are_read_if_the_file_has_them() -> None:
    one = msgspec.convert(field("line", "f"), AnyField)
    points = [{"latitude": 52.5, "longitude": 0.125}, {"latitude": 52.625, "longitude": 13}]
    assert parse_cell(one, "52,5 0,125; 52,625 13", CellFormat(decimal_mark=",")) == points
    for text in ("52.5 0.125; 52.625 13", "52.5,0.125;52.625,13", "52.5, 0.125; 52.625, 13"):
        assert parse_cell(one, text, CellFormat()) == parse_cell(one, text, CellFormat(decimal_mark=",")) == points
    assert parse_cell(one, "52,13; 53,14", CellFormat(decimal_mark=",")) == [
        {"latitude": 52, "longitude": 13},
        {"latitude": 53, "longitude": 14},
    ]


def test_errors_of_numbers_dates_and_times_have_both_readings() -> None:
    for type_, text, readings in [
        ("decimal", "1.234", ["1.234", "1234"]),
        ("date", "3/4/2026", ["2026-04-03", "2026-03-04"]),
        ("datetime", "2026-10-25 02:30", ["2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"]),
    ]:
        with pytest.raises(CellInvalid) as caught:
            parse_cell(msgspec.convert(field(type_, "f"), AnyField), text, CellFormat("Europe/Berlin"))
        assert all(one in caught.value.detail for one in readings)


@pytest.mark.parametrize("text", ["0.12345678901234567", "0,12345678901234567", "1 234,12345678901234567"])
def test_numbers_that_would_be_rounded_are_rejected(text: str) -> None:
    with pytest.raises(CellInvalid) as caught:
        parse_cell(msgspec.convert(field("decimal", "f"), AnyField), text, CellFormat())
    assert caught.value.code == "value.inexact"


@pytest.mark.parametrize("number", ["0.12345678901234567", "1e999"])
def test_numbers_in_json_that_would_be_rounded_are_rejected(number: str) -> None:
    repeat = field("repeat", "f", fields=[field("decimal", "size")])
    with pytest.raises(CellInvalid) as caught:
        parse_cell(msgspec.convert(repeat, AnyField), f'[{{"size": {number}}}]', CellFormat())
    assert caught.value.code == "value.inexact"


def read_prices(content: bytes, kind: Kind = "csv", **options: Any) -> list[Any]:
    """Return the prices of a file, or the codes of the errors instead of them."""
    fields = [field("text", "site"), field("decimal", "price"), field("decimal", "weight")]
    definition = Definition(msgspec.convert(fields, list[AnyField]), FormSettings())
    version = replace(_version(), definition=definition)
    file = SubmissionFile(io.BytesIO(content), kind, version, ImportOptions(**options))
    if file.notation.faults:
        return [fault.code for fault in file.notation.faults]
    return [row.payload.data.get("price") if row.payload else row.errors[0].code for row in file.rows()]


UNCLEAR = "import.cell.number"


@pytest.mark.parametrize(
    ("delimiter", "cells", "expected"),
    [
        (";", ["0.125", "1.234", "1.5"], [0.125, 1.234, 1.5]),
        (";", ["0,125", "1,234", "-0,500"], [0.125, 1.234, -0.5]),
        (",", ["0,125", "00,125", "-0,500"], [0.125, 0.125, -0.5]),
        (",", ["1,234.5", "1,234"], [1234.5, 1234]),
        (";", ["1.234,5", "1.234"], [1234.5, 1234]),
        (";", ["1.234.567", "1.234"], [1234567, 1234]),
        (";", ["1\u202f234,5", "12"], [1234.5, 12]),
        (",", ["1'234.5", "1.234"], [1234.5, 1.234]),
        # Without any evidence, the delimiter only confirms the simpler reading.
        (",", ["1.234"], [1.234]),
        (";", ["1,234"], [1.234]),
        (";", ["1.234", "12"], [UNCLEAR, 12]),
        (",", ["1,234", "12"], [UNCLEAR, 12]),
        ("\t", ["1.234"], [UNCLEAR]),
        (";", ["1.234", "1,234"], [UNCLEAR, UNCLEAR]),
        (";", ["1.5", "1,5"], ["import.decimal_mark.mixed"]),
    ],
)
def test_the_decimal_mark_is_decided_from_all_cells(delimiter: str, cells: list[str], expected: list[Any]) -> None:
    assert read_prices(csv_file([["site", "price"], *[["Quay", cell] for cell in cells]], delimiter)) == expected


def test_other_columns_decide_the_decimal_mark_too() -> None:
    table = [["price", "weight"], ["1.234", "0,5"]]
    assert read_prices(csv_file(table, ";")) == [1234]
    assert read_prices(csv_file([["price", "weight"], ["1.234", "0.5"]], ";")) == [1.234]


def test_a_requested_decimal_mark_holds_for_csv_files_and_text_in_workbooks() -> None:
    for cells, mark, expected in [
        (["0,125", "1.234"], False, [UNCLEAR, 1.234]),
        (["0.125", "1.234"], True, [UNCLEAR, 1234]),
    ]:
        table = [["site", "price"], *[["Quay", cell] for cell in cells]]
        assert read_prices(csv_file(table, ";"), decimal_comma=mark) == expected
        assert read_prices(xlsx_file({"Sheet": table}), "xlsx", decimal_comma=mark) == expected


def test_numbers_in_workbooks_have_one_reading_and_texts_are_decided_from_all_cells() -> None:
    def workbook(*cells: Any) -> list[Any]:
        return read_prices(xlsx_file({"Sheet": [["site", "price"], *[["Quay", cell] for cell in cells]]}), "xlsx")

    assert workbook("0,125", "1.234", 1.234) == [0.125, 1234, 1.234]
    assert workbook("1.234", 0.5) == [UNCLEAR, 0.5]
    assert workbook("1.234", "0.5", 1234567.891) == [1.234, 0.5, 1234567.891]
