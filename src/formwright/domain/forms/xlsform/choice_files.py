"""Files with choices (`select_one_from_file`): each is a data source with the name of the file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import BinaryIO

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.imports.geojson import open_geojson
from formwright.domain.datasources.imports.row_sources import RowSource, open_row_source


@dataclass(frozen=True, slots=True)
class ChoiceSource:
    """A data source whose rows are choices."""

    id: str
    key_column: str
    columns: tuple[str, ...]


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
                found[name] = ChoiceSource(source.id, source.key_column, tuple(source.column_names))
    return found
