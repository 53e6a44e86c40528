"""Answers written to CSV files and workbooks, and read again."""

import io
from typing import Any

import msgspec
import pytest
from factories.random_answers import MANY, NEW, answer, field
from factories.submission_imports import csv_file, xlsx_file
from hypothesis import given, settings
from hypothesis import strategies as st

from formwright.domain.forms.definition import AnyField, Definition, RepeatField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Version, VersionStatus
from formwright.domain.submissions.imports.cells import (
    CellFormat,
    CellInvalid,
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
        ("decimal", "1 234,5", 1.5),
        ("decimal", "1,5", 1.5),
        ("decimal", "1,234,567.25", 1234567.25),
        ("integer", "5.0", 5),
        ("integer", "5.5", 5.5),
        ("boolean", "Ja", True),
        ("date", "2026-03-29 00:00:00", "2026-03-29"),
        ("date", "29.3.2026", "2026-03-29"),
        ("time", "1899-12-31T14:30:00", "14:30"),
        ("datetime", "29.03.2026 14:30", "2026-03-29T14:30:00+02:00"),
        ("location", "52.52001° N, 13.40495° W (± 5 m)", {"latitude": 52.52001, "longitude": -13.40495, "accuracy": 5}),
        ("choices", "Label 1; a,b", None),
    ],
)
def test_cells_that_people_write_are_read(type_: str, text: str, expected: Any) -> None:
    one = msgspec.convert(field(type_, "f", **({"options": ODD} if type_ == "choices" else {})), AnyField)
    if type_ == "decimal" and " " in text:
        assert parse_cell(one, text, CellFormat(decimal_comma=True)) == 1234.5
    elif expected is None:
        assert parse_cell(one, text, CellFormat()) == ["[c", "a", "b"]
    else:
        assert parse_cell(one, text, CellFormat("Europe/Berlin")) == expected


@pytest.mark.parametrize(
    ("type_", "text"),
    [("decimal", "1,23,4.5"), ("decimal", "=1+1"), ("decimal", "1e999"), ("date", "2026-02-30"), ("time", "25:00")],
)
def test_cells_that_cannot_be_read_are_rejected(type_: str, text: str) -> None:
    with pytest.raises(CellInvalid):
        parse_cell(msgspec.convert(field(type_, "f"), AnyField), text, CellFormat())
