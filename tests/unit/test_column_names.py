"""Columns of tables have different names, also for programs that compare them without case."""

from types import SimpleNamespace
from typing import Any

from factories.definitions import fields
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.datasources.models import CellType
from formwright.domain.datasources.models import Column as SourceColumn
from formwright.domain.exports.parquet import build_schema
from formwright.domain.exports.table import Sheet, Table, headings
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.places import LocationField
from formwright.odata.columns import answer_columns
from formwright.odata.tables import datasource_table

NAMES = ["spot", "Spot", "spot_", "spot_latitude", "SPOT_LATITUDE", "spot_latitude_", "spot_accuracy", "x"]
LABELS = ["Spot", "spot", "Spot (x)", "Spot (spot)", "Spot (x) (spot_)", "Note", "Row", "Form", "form", "Status (spot)"]
KINDS = st.sampled_from(["location", "text"])
CONTEXT = DisplayContext("en", "UTC")


def named_fields() -> st.SearchStrategy[list[AnyField]]:
    """Fields of all versions of a form: the names of different ones may differ in case only."""
    one = st.fixed_dictionaries({"name": st.sampled_from(NAMES), "type": KINDS, "label": st.sampled_from(LABELS)})
    return st.lists(one, min_size=1, unique_by=lambda field: str(field["name"])).map(lambda found: fields(*found))


def differ(names: list[str]) -> bool:
    return len({name.casefold() for name in names}) == len(names)


@given(found=named_fields(), reserved=st.lists(st.sampled_from(NAMES), unique_by=str.casefold))
def test_columns_of_the_feed(found: list[AnyField], reserved: list[str]) -> None:
    columns = answer_columns(found, ("en",), reserved)
    assert differ([*reserved, *(column.name for column in columns)])
    places = {"latitude": 1.5, "longitude": 2.5, "accuracy": 3.5}
    data: dict[str, Any] = {
        field.name: places | {"accuracy": number} if isinstance(field, LocationField) else str(number)
        for number, field in enumerate(found)
    }
    row = SimpleNamespace(answers=data)
    expected: list[Any] = []
    for number, field in enumerate(found):
        expected += ["POINT (2.5 1.5)", 1.5, 2.5, number] if isinstance(field, LocationField) else [str(number)]
    assert [column.read(row) for column in columns] == expected
    kept = [field.name for field in found if field.name in {column.name for column in columns}]
    lower = [name.casefold() for name in (*reserved, *(field.name for field in found))]
    assert {field.name for field in found if lower.count(field.name.casefold()) == 1} <= set(kept)


@given(found=named_fields(), columns=st.sampled_from([(), ("id", "formId")]), is_repeat=st.booleans())
def test_headings_of_exports(found: list[AnyField], columns: tuple[str, ...], is_repeat: bool) -> None:
    repeat: Any = fields({"name": "rows", "type": "repeat", "fields": [{"name": "inner", "type": "text"}]})[0]
    sheet = Sheet(found, [repeat] if is_repeat else ())
    chosen = (*columns, *(f"answers.{field.name}" for field in found)) if columns else ()
    assert differ(headings(Table(sheet, [], CONTEXT, chosen, "Visit"), sheet))


@given(found=named_fields())
def test_columns_of_parquet_files_are_those_of_the_fields(found: list[AnyField]) -> None:
    names = list(build_schema(Table(Sheet(found), [], CONTEXT)).names)
    assert len(set(names)) == len(names)
    assert names[-len(found) :] == [field.name for field in found]


def test_columns_of_data_sources_in_the_feed() -> None:
    names = ["Name", "name", "NAME 2", "name-2", "c_name", "1name"]
    columns = [SourceColumn(name, CellType.TEXT) for name in names]
    source: Any = SimpleNamespace(columns=columns, key_column="name", name="Towns")
    table = datasource_table(source, "Datasource_Towns")
    assert differ(list(table.columns))
    assert [column.title for column in table.columns.values()] == names
    assert [table.columns[key].title for key in table.key] == ["name"]
