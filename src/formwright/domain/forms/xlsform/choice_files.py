"""Files with choices (`select_one_from_file` and others): each is a data source with the name of the file."""

import re
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import BinaryIO

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.geojson import open_geojson
from formwright.domain.datasources.imports.row_sources import RowSource, open_row_source
from formwright.domain.datasources.models import CellType, Datasource, DatasourceNotFound
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, walk_fields

_FILE_NAME = re.compile(r"[\w-][\w.-]*")
_NUMBERS = (CellType.INTEGER, CellType.DECIMAL)
_COLUMN_NAME = re.compile(r"[A-Za-z_][\w.-]*", re.ASCII)


@dataclass(frozen=True, slots=True)
class ChoiceSource:
    """A data source whose rows are choices."""

    id: str
    key_column: str
    columns: tuple[str, ...]
    name: str = ""
    types: Mapping[str, str] = field(default_factory=dict)
    """The types of fields for columns of numbers."""


ChoiceSources = Mapping[str, ChoiceSource]
"""Data sources by the names of files."""


def default_value(file_name: str) -> str:
    """Return the column with the names of the choices, unless a question names another."""
    return "id" if _is_geojson(file_name) else "name"


def default_label(file_name: str) -> str:
    """Return the column with the labels of the choices, unless a question names another."""
    return "title" if _is_geojson(file_name) else "label"


def _is_geojson(file_name: str) -> bool:
    return PurePath(file_name).suffix.lower() == ".geojson"


def name_by_key(file_name: str, key: str) -> str:
    """Return the name of a second data source with the rows of a file, which another column identifies."""
    path = PurePath(file_name)
    return f"{path.stem}_by_{key}{path.suffix}"


def open_choice_file(name: str, file: BinaryIO) -> RowSource:
    """Return the rows of a file. Those of GeoJSON are its features. Raises `TableUnreadable` if it is not a table."""
    return open_geojson(file) if _is_geojson(name) else open_row_source(file, "")


async def find_sources(tx: ReadTransaction, actor: Actor, file_names: Iterable[str]) -> ChoiceSources:
    """Find the data sources that are named like these files, with or without the extension."""
    found: dict[str, ChoiceSource] = {}
    if Permission.DATASOURCES_READ not in actor.permissions:
        return found
    for name in file_names:
        for one in dict.fromkeys((name, PurePath(name).stem)):
            if name not in found and (source := await datasources.find_by_name(tx, actor, one)):
                found[name] = to_choice_source(source)
    return found


async def list_sources(tx: ReadTransaction, actor: Actor, definition: Definition) -> dict[str, ChoiceSource]:
    """Return the data sources of the lookups in a form, by their id; none that the actor may not see."""
    ids = {field.datasource_id for field in walk_fields(definition.fields) if field.datasource_id}
    if Permission.DATASOURCES_READ not in actor.permissions:
        return {}
    found: dict[str, ChoiceSource] = {}
    for one in ids:
        with suppress(DatasourceNotFound):
            found[one] = to_choice_source(await datasources.get(tx, actor, datasource_id=one))
    return found


def to_choice_source(source: Datasource) -> ChoiceSource:
    """Return a data source as one of choices."""
    types = {column.name: str(column.type) for column in source.columns if column.type in _NUMBERS}
    return ChoiceSource(source.id, source.key_column, tuple(source.column_names), source.name, types)


def can_name_column(name: str) -> bool:
    """Whether XLSForm expressions can name a column."""
    return _COLUMN_NAME.fullmatch(name) is not None


def to_file_name(field: AnyField, source: ChoiceSource) -> str | None:
    """Return the name of the file with the rows of a lookup, or None if XLSForm could not name it or its columns."""
    named = [source.key_column, *field.display[:1], *field.filter]
    if not _FILE_NAME.fullmatch(source.name) or not all(map(can_name_column, named)):
        return None
    return source.name if PurePath(source.name).suffix in (".csv", ".geojson", ".xml") else f"{source.name}.csv"
