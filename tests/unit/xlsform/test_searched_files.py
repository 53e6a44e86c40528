"""Choices that the appearance `search()` finds in a file."""

from typing import Any

import pytest
from msgspec import to_builtins
from unit.xlsform.odk import is_valid
from unit.xlsform.workbooks import survey

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.exporter import export_xlsform
from formwright.domain.forms.xlsform.importer import ImportedForm, import_opened, open_xlsform

TOWNS = ChoiceSource("dat_" + "0" * 26, "code", ("code", "title", "land", "size"), "towns.csv")
COLUMNS = [["list_name", "name", "label"], ["towns", "code", "title, size"], ["short", "a", "A"]]


def read(appearance: str, question: str = "select_one towns", *more: list[str]) -> tuple[ImportedForm, dict[str, Any]]:
    content = survey(
        ["text", "land", "Land", "", ""],
        [question, "town", "Town", appearance, ""],
        ["calculate", "of", "", "", "pulldata('towns', 'size', 'code', ${town})"],
        columns="type name label appearance calculation",
        choices=[*COLUMNS, *more],
    )
    assert is_valid(content)
    opened = open_xlsform(content)
    found = import_opened(opened, "", {name: TOWNS for name in opened.choice_files if name == "towns.csv"})
    return found, {one["name"]: one for one in to_builtins(found.definition_fields)}["town"]


@pytest.mark.parametrize(
    ("appearance", "filters"),
    [
        ("search('towns')", {}),
        ('quick search( "towns.csv" ) w2', {}),
        ("minimal search('towns', 'matches', 'land', ${land})", {"land": "land"}),
        ("search('towns', 'matches', 'land', ${land}, 'size', 'big')", {"land": "land", "size": "town_size"}),
        ("search('towns', 'matches', 'land', if(${land} = 'a', 'x, (y)', ${land}))", {"land": "town_land"}),
    ],
)
def test_choices_in_a_file_are_looked_up(appearance: str, filters: dict[str, str]) -> None:
    found, town = read(appearance)
    assert (town["type"], town["datasourceId"], town["display"]) == ("lookup", TOWNS.id, ["title"])
    assert (town.get("filter", {}), town["mapping"]) == (filters, {"size": "of"})
    assert [note.detail for note in found.report if note.effect in ("questions", "rules")] == []
    exported, notes = export_xlsform("T", Definition(found.definition_fields, found.settings), None, {TOWNS.id: TOWNS})
    assert [note.code for note in notes] == ["xlsform.choice_file"]
    assert is_valid(exported)


def test_several_choices_can_be_searched() -> None:
    _, town = read("search('towns')", "select_multiple towns")
    assert (town["type"], town["datasourceId"]) == ("lookups", TOWNS.id)


@pytest.mark.parametrize(
    ("appearance", "more", "lost"),
    [
        ("search('towns', 'contains', 'title', ${land})", [], [("survey", "appearance", "rules")]),
        ("search('towns', 'startswith', 'title', ${land}, 'land', 'x')", [], [("survey", "appearance", "rules")]),
        ("search('towns')", [["towns", "99", "Another"]], [("choices", "name", "questions")]),
        ("search(${land})", [], [("survey", "appearance", "rules")]),
        ("search('towns', 'land')", [], [("survey", "appearance", "rules")]),
        ("search('location?url=x')", [], [("survey", "appearance", "rules")]),
    ],
)
def test_what_else_is_searched_is_reported(appearance: str, more: list[list[str]], lost: list[tuple[str, ...]]) -> None:
    found, town = read(appearance, "select_one towns", *more)
    places = [(note.sheet, note.column, note.effect) for note in found.report if note.effect in ("questions", "rules")]
    if town["type"] == "lookup":
        assert places == lost
    else:  # The question cannot be answered with a row then, so a calculation with it is lost, too.
        assert lost[0] in places


def test_a_search_for_a_part_of_a_text_keeps_its_filter() -> None:
    _, town = read("search('towns', 'contains', 'title', ${land}, 'land', ${land})")
    assert town["filter"] == {"land": "land"}


def test_rows_are_replaced_although_two_headings_are_the_same_column() -> None:
    """Forms for ArcGIS Survey123 have the columns `type` and `bind::type`."""
    content = survey(
        ["text", "land", "Land", "", ""],
        ["select_one towns", "town", "Town", "", "search('towns')"],
        columns="type name label bind::type appearance",
        choices=[["list_name", "name", "label"], ["towns", "id", "title"]],
    )
    opened = open_xlsform(content)
    assert "towns.csv" in opened.choice_files


def test_several_columns_of_a_file_identify_the_rows_of_questions() -> None:
    content = survey(
        ["select_one lands", "land", "Land", "search('places')"],
        ["select_one towns", "town", "Town", "search('places', 'matches', 'land_id', ${land})"],
        columns="type name label appearance",
        choices=[["list_name", "name", "label"], ["lands", "land_id", "land_name"], ["towns", "town_id", "town_name"]],
    )
    opened = open_xlsform(content)
    assert opened.choice_files == {"places.csv": "land_id", "places_by_town_id.csv": "town_id"}
    columns = ("land_id", "land_name", "town_id", "town_name")
    sources = {
        name: ChoiceSource(f"dat_{place:026}", key, columns, name)
        for place, (name, key) in enumerate(opened.choice_files.items())
    }
    found = import_opened(opened, sources=sources)
    land, town = to_builtins(found.definition_fields)
    assert (land["datasourceId"], town["datasourceId"]) == (f"dat_{0:026}", f"dat_{1:026}")
    assert town["filter"] == {"land_id": "land"}
    assert [note.row for note in found.report if note.code == "xlsform.choice_keys"] == [3]
