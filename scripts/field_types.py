"""What each field type can do, asked of the code: `make field-types` writes the table for people and the one for tests.

Every answer comes from a real definition with a field of the type, or from a real answer to it, never from a list.
"""

import json
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from formwright.domain.exports.cells import answer_cell
from formwright.domain.exports.parquet import _column_type
from formwright.domain.forms.answers.texts import fill_placeholders
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.definition_validation import find_errors, find_title_error
from formwright.domain.forms.fields import FIELD_CLASSES, AnyField, Field
from formwright.domain.forms.fields.display import DisplayContext, SearchContext, read_texts
from formwright.domain.forms.fields.structure import text_readers
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.indexing.indexed_fields import filterable_fields
from formwright.domain.forms.location_fields import location_paths
from formwright.domain.forms.rules.compiler import cel_type, type_label
from formwright.domain.forms.rules.last_saved import find_keepable
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import import_xlsform
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import read_survey_workbook
from formwright.domain.submissions.imports.cell_format import CellFormat
from formwright.domain.submissions.imports.cells import encode_cell, parse_cell
from formwright.domain.summaries.fields import summary_kind
from formwright.odata.columns import answer_columns
from formwright.web.fill.surveyjs import survey

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "reference" / "field-types.md"
SNAPSHOT = ROOT / "tests" / "contracts" / "field_types.json"
Json = dict[str, Any]

_FILE = "fil_01m7z1eatyepj81c6hba0kcp97"
_SOURCE = "dat_01m7z1eatyepj81c6hba0kcp97"
_OPTIONS = [{"value": "a", "label": "Option A"}, {"value": "b", "label": "Option B"}]
_PLACE = {"latitude": 52.5, "longitude": 13.4}
_CORNERS = [_PLACE, {"latitude": 52.6, "longitude": 13.4}, {"latitude": 52.6, "longitude": 13.5}]
_TEXT: Json = {"type": "text", "name": "inside", "label": "Inside"}
PROPERTIES: Mapping[str, Json] = {
    "choice": {"options": _OPTIONS},
    "choices": {"options": _OPTIONS},
    "ranking": {"options": _OPTIONS},
    "lookup": {"datasourceId": _SOURCE},
    "lookups": {"datasourceId": _SOURCE},
    "section": {"fields": [_TEXT]},
    "repeat": {"fields": [_TEXT]},
}
"""The properties that a field of the type must have."""
ANSWERS: Mapping[str, Any] = {
    "text": "Berlin",
    "textarea": "Berlin",
    "email": "ann@example.org",
    "phone": "+49 30 1234",
    "url": "https://example.org",
    "integer": 7,
    "decimal": 7.5,
    "boolean": True,
    "date": "2026-03-29",
    "time": "14:30",
    "duration": 5400,
    "datetime": "2026-03-29T14:30:00+02:00",
    "choice": "a",
    "choices": ["a", "b"],
    "ranking": ["b", "a"],
    "lookup": "K-1",
    "lookups": ["K-1", "K-2"],
    "nps": 9,
    "rating": 4,
    "slider": 70,
    "photo": [_FILE],
    "audio": [_FILE],
    "video": [_FILE],
    "signature": _FILE,
    "file": [_FILE],
    "location": _PLACE,
    "line": _CORNERS,
    "area": _CORNERS,
    "barcode": "4006381333931",
    "repeat": [{"inside": "Berlin"}],
}
"""An answer to a field of each type that has answers."""
_CONTEXT = DisplayContext("en", "Europe/Berlin")


def make_field(kind: str, name: str = "one", **properties: Any) -> AnyField:
    """Return a field of this type. Raises `msgspec.ValidationError` if the type has no such property."""
    document = {"type": kind, "name": name, "label": "One"} | PROPERTIES.get(kind, {}) | properties
    if name != "one" and "fields" in document:
        document["fields"] = [{**_TEXT, "name": f"inside_{name}"}]
    field: AnyField = msgspec.convert(document, AnyField)
    return field


def is_valid(*fields: Field) -> bool:
    """Return whether a form with these fields can be published."""
    return not find_errors(list(fields))  # type: ignore[arg-type]


def describe(kind: str) -> Json:
    """Return what a field of this type can do, by the question."""
    field = make_field(kind)
    answer = ANSWERS.get(kind)
    # Through JSON, so that it compares equal with what was written.
    described: Json = json.loads(
        json.dumps({question: ask(kind, field, answer) for question, ask in QUESTIONS.items()})
    )
    return described


def _own_settings(kind: str) -> list[str]:
    common = {one.encode_name for one in msgspec.structs.fields(Field)}
    return [one.encode_name for one in msgspec.structs.fields(FIELD_CLASSES[kind]) if one.encode_name not in common]


def _accepts(kind: str, **properties: Any) -> bool:
    try:
        return is_valid(make_field(kind, "other"), make_field(kind, **properties))
    except msgspec.ValidationError:
        return False


def _accepts_default(kind: str, field: AnyField, answer: Any) -> bool:
    return answer is not None and _accepts(kind, default=answer)


def _filters_rows(kind: str, field: AnyField, answer: Any) -> bool:
    return answer is not None and is_valid(field, make_field("lookup", "row", filter={"column": field.name}))


def _is_filled_by_column(kind: str, field: AnyField, answer: Any) -> bool:
    return answer is not None and is_valid(field, make_field("lookup", "row", mapping={"column": field.name}))


def _is_searched(kind: str, field: AnyField, answer: Any) -> bool:
    rows = {(_SOURCE, key): dict[str, str]() for key in ("K-1", "K-2")}
    return bool([*read_texts(text_readers([field]), {field.name: answer}, SearchContext(rows, {_FILE: "photo.jpg"}))])


def _read_cell(kind: str, field: AnyField, answer: Any) -> Any:
    cell = encode_cell(field, answer)
    return cell if cell is None else parse_cell(field, str(cell), CellFormat("Europe/Berlin"))


def _export(field: AnyField) -> bytes:
    source = ChoiceSource(_SOURCE, "key", ("key",), "rows")
    return export_xlsform("Form", Definition([field], FormSettings()), "form", {_SOURCE: source})[0]


def _export_type(kind: str, field: AnyField, answer: Any) -> list[str]:
    rows = read_survey_workbook(_export(field), Report()).rows("survey")
    return [f"{row.value('type')} {row.value('appearance')}".strip() for row in rows]


def _import_type(kind: str, field: AnyField, answer: Any) -> list[str]:
    sources = {"rows.csv": ChoiceSource(_SOURCE, "key", ("key",), "rows")}
    found = import_xlsform(_export(field), sources=sources).definition_fields
    return [one.type for one in found]


def _page_element(kind: str, field: AnyField, answer: Any) -> Json:
    [element] = survey(Definition([field], FormSettings()))["pages"][0]["elements"]
    return {name: value for name, value in element.items() if name in ("type", "widget", "inputType", "renderAs")}


def _parquet_type(field: AnyField) -> str:
    return str(_column_type(field)).strip().removeprefix("arro3.core.DataType<").removesuffix(">")


def _odata_types(kind: str, field: AnyField, answer: Any) -> dict[str, str]:
    if answer is None or kind == "repeat":
        return {}
    return {column.name: column.type.value for column in answer_columns([field], ["en"])}


QUESTIONS: Mapping[str, Callable[[str, AnyField, Any], Any]] = {
    "answer": lambda kind, field, answer: field.answer_kind.name,
    "schema": lambda kind, field, answer: field.answer_schema(),
    "rule type": lambda kind, field, answer: (found := cel_type(field)) and type_label(found.name()),
    "settings": lambda kind, field, answer: _own_settings(kind),
    "default": _accepts_default,
    "computed default": lambda kind, field, answer: _accepts(kind, defaultRule="other"),
    "calculation": lambda kind, field, answer: _accepts(kind, calculate="other"),
    "title": lambda kind, field, answer: find_title_error([field], field.name) is None,
    "hidden": lambda kind, field, answer: _accepts(kind, hidden=True),
    "indexed": lambda kind, field, answer: any(
        one.indexed and not one.repeat for one in filterable_fields([make_field(kind, indexed=True)])
    ),
    "filters": lambda kind, field, answer: {
        one.name: [one.value_type.value, *(["list"] if one.is_list else [])]
        for one in filterable_fields([field])
        if not one.repeat
    },
    "filters rows": _filters_rows,
    "filled by a column": _is_filled_by_column,
    "shown in texts": lambda kind, field, answer: fill_placeholders("{{one}}", {"one": field}, {"one": answer}, "en"),
    "last answer": lambda kind, field, answer: field.name in find_keepable([field]),
    "searched": _is_searched,
    "text": lambda kind, field, answer: field.format_answer(answer, _CONTEXT),
    "cell": lambda kind, field, answer: str(answer_cell(field, answer, _CONTEXT)),
    "import cell": lambda kind, field, answer: encode_cell(field, answer),
    "imported": _read_cell,
    "Parquet": lambda kind, field, answer: None if answer is None else _parquet_type(field),
    "OData": _odata_types,
    "map": lambda kind, field, answer: [path.shape.value for path in location_paths([field]) if not path.repeat],
    "summary": lambda kind, field, answer: (found := summary_kind(field)) and found.name,
    "XLSForm out": _export_type,
    "XLSForm in": _import_type,
    "page": _page_element,
}


_ANSWERS = {
    "TEXT": "text",
    "CHOICE": "text",
    "CHOICES": "list of texts",
    "FILE": "file id",
    "FILES": "list of file ids",
    "INTEGER": "integer",
    "DECIMAL": "number",
    "BOOLEAN": "`true` or `false`",
    "DATE": "date",
    "TIME": "time of day",
    "DATETIME": "date and time",
    "POSITION": "object with coordinates",
    "POSITIONS": "list of objects with coordinates",
    "ROWS": "list of rows",
    "NONE": "none",
}
_MARKS: Mapping[str, str] = {
    "default": "Default",
    "computed default": "Initial answer by rule",
    "calculation": "Calculation",
    "title": "Title of submissions",
    "hidden": "Hidden",
    "indexed": "Index",
    "filters rows": "Filters rows",
    "filled by a column": "Filled by a lookup",
    "last answer": "Last answer",
}
_TABLE = re.compile(r"^\| Type \|.*\n(?:\|.*\n)+", re.MULTILINE)


def form_table(described: Mapping[str, Json]) -> str:
    """Return the table of what a field of each type can do in a form."""
    lines = [["Type", "Answer", *_MARKS.values()]]
    for kind, one in described.items():
        lines.append([f"`{kind}`", _ANSWERS[one["answer"]], *("yes" if one[question] else "" for question in _MARKS)])
    return _markdown(lines)


def data_table(described: Mapping[str, Json]) -> str:
    """Return the table of what becomes of the answers to a field of each type."""
    lines = [["Type", "Filters", "Searched", "Map", "Summary", "Parquet", "OData", "XLSForm"]]
    for kind, one in described.items():
        if one["answer"] != "NONE":
            filters = dict.fromkeys(" ".join([*words[1:], words[0]]) for words in one["filters"].values())
            odata = dict.fromkeys(name.removeprefix("Edm.") for name in one["OData"].values())
            lines.append(
                [
                    f"`{kind}`",
                    ", ".join(filters),
                    "yes" if one["searched"] else "",
                    ", ".join(one["map"]),
                    str(one["summary"]).lower(),
                    "`" + re.sub(r'"', "", one["Parquet"]) + "`",
                    ", ".join(odata),
                    f"`{one['XLSForm out'][0].replace(' one', ' list')}`",
                ]
            )
    return _markdown(lines)


def _markdown(lines: list[list[str]]) -> str:
    head, *rows = [f"| {' | '.join(line)} |" for line in lines]
    return "\n".join([head, "|" + "---|" * len(lines[0]), *rows, ""])


def with_tables(page: str, described: Mapping[str, Json]) -> str:
    """Return the page with both tables generated again. Raises ValueError if it does not have these two."""
    tables = iter((form_table(described), data_table(described)))
    if len(_TABLE.findall(page)) != 2:
        raise ValueError("docs/reference/field-types.md must contain two tables that begin with the column Type")
    return _TABLE.sub(lambda _: next(tables), page)


def main() -> int:
    """Write the table for tests, and replace those of the page."""
    described = {kind: describe(kind) for kind in FIELD_CLASSES}
    SNAPSHOT.write_text(json.dumps(described, indent=1) + "\n", encoding="utf-8")
    try:
        page = with_tables(PAGE.read_text(encoding="utf-8"), described)
    except ValueError as error:
        sys.stderr.write(f"field-types: {error}\n")
        return 1
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
