"""Data sources for the choices that an import brings along: lists of the workbook, and attached files.

A data source of the account is only used if it has exactly these rows. Otherwise the choices become a data source of
their own, because other forms may look up the rows of the one that has the name.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import PurePath

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.tables.base import BadRow
from formwright.domain.datasources import service as datasources
from formwright.domain.datasources.cell_types import normalize
from formwright.domain.datasources.imports.row_sources import DistinctRows, JsonRows, RowSource
from formwright.domain.datasources.models import Datasource, ImportPlan, ImportSource
from formwright.domain.datasources.service import DatasourceChanges
from formwright.domain.forms.xlsform.choice_files import (
    ChoiceSource,
    ChoiceSources,
    find_sources,
    name_by_key,
    to_choice_source,
)
from formwright.domain.forms.xlsform.report import Report

_PAGE_ROWS = 1000
_MAX_NAMES = 1000
_decode = msgspec.json.Decoder(dict[str, str]).decode


@dataclass(frozen=True, slots=True)
class OwnChoices:
    """Choices that come with a form: their rows, the sheet that contains them or `survey` for a file, and the column
    with their names.
    """

    rows: RowSource
    sheet: str
    key: str


def list_needed(name: str, choices: OwnChoices, needed: Mapping[str, str]) -> dict[str, OwnChoices]:
    """Return the choices by the names under which a form needs them: their own, and those for other keys.

    Expressions find the first row that has another key.
    """
    others = {name_by_key(name, key): key for key in needed.values()}
    found = {other: key for other, key in others.items() if needed.get(other) == key}
    return {name: choices} | {
        other: replace(choices, rows=DistinctRows(choices.rows, key), key=key) for other, key in found.items()
    }


async def provide_sources(
    db: Database,
    actor: Actor,
    needed: Mapping[str, str],
    own: Mapping[str, OwnChoices],
    create_id: Callable[[], str],
    report: Report,
) -> ChoiceSources:
    """Return the data sources for the files and lists that a form needs, by their names.

    Its own choices are stored if the account has no equal data source and the actor may create some; the account's
    data sources provide the others. Raises `Invalid` if a row cannot be one of a data source.
    """
    async with db.reading() as tx:
        found = dict(await find_sources(tx, actor, [name for name in needed if name not in own]))
    for name, choices in own.items():
        if Permission.DATASOURCES_READ in actor.permissions:
            with _locate_faults(name, choices):
                async with db.reading(long=True) as tx:
                    same, free_name = await _find_same(tx, actor, name, choices)
            if same is not None:
                found[name] = to_choice_source(same)
                _report_used(report, name, choices.sheet, same.name)
            elif Permission.DATASOURCES_EDIT in actor.permissions:
                with _locate_faults(name, choices):
                    found[name] = await _create(db, actor, free_name, choices, create_id())
                _report_renamed(report, name, choices.sheet, free_name)
    return found


async def _find_same(
    tx: ReadTransaction, actor: Actor, name: str, choices: OwnChoices
) -> tuple[Datasource | None, str]:
    """Return the data source with such a name that has these rows, or None, and the first name that is free."""
    plain = await datasources.find_by_name(tx, actor, PurePath(name).stem)
    if plain is not None and await _has_rows(tx, plain, choices):
        return plain, plain.name
    for candidate in _names(name):
        source = await datasources.find_by_name(tx, actor, candidate)
        if source is None:
            return None, candidate
        if await _has_rows(tx, source, choices):
            return source, candidate
    raise Invalid.at("/survey", "xlsform.choice_source_names", f"Too many data sources have names like {name[:100]}.")


def _names(name: str) -> Iterator[str]:
    """Yield the names that the data source may get: `towns.csv`, `towns_2.csv` and so on."""
    yield name
    path = PurePath(name)
    yield from (f"{path.stem[:190]}_{number}{path.suffix}" for number in range(2, _MAX_NAMES))


async def _has_rows(tx: ReadTransaction, source: Datasource, choices: OwnChoices) -> bool:
    """Whether a data source has these rows in this order, and no others."""
    if source.key_column != choices.key or set(source.column_names) != set(choices.rows.header):
        return False
    expected = await asyncio.to_thread(_read_rows, choices.rows, source)
    if expected is None or len(expected) != source.row_count:
        return False
    number: int | None = None
    for start in range(0, len(expected), _PAGE_ROWS):
        rows = await datasources.list_rows_after(tx, source, number, _PAGE_ROWS)
        if [_decode(row.data) for row in rows] != expected[start : start + _PAGE_ROWS]:
            return False
        number = rows[-1].number
    return True


def _read_rows(rows: RowSource, source: Datasource) -> list[dict[str, str]] | None:
    """Return the cells that are not empty, as the data source would store them; None if a row is invalid."""
    kinds = {column.name: column.type for column in source.columns}
    read = list[dict[str, str]]()
    for row in rows.rows():
        # One row more than the data source has is enough to know that they differ.
        if isinstance(row, BadRow) or len(read) > source.row_count:
            return None
        cells = zip(rows.header, row[1], strict=False)
        read.append({name: normalize(kinds[name], text) for name, text in cells if text})
        if key := read[-1].get(source.key_column):
            read[-1][source.key_column] = key.strip()
    return read


async def _create(db: Database, actor: Actor, name: str, choices: OwnChoices, datasource_id: str) -> ChoiceSource:
    rows = choices.rows.source if isinstance(choices.rows, DistinctRows) else choices.rows
    plan = ImportPlan(ImportSource.JSON if isinstance(rows, JsonRows) else ImportSource.CSV)
    changes = DatasourceChanges(name, choices.key)
    source, _ = await datasources.create(db, actor, changes, choices.rows, plan, datasource_id=datasource_id)
    return to_choice_source(source)


@contextmanager
def _locate_faults(name: str, choices: OwnChoices) -> Iterator[None]:
    """Let validation errors of rows refer to the file or sheet that contains them."""
    try:
        yield
    except Invalid as error:
        where = name if choices.sheet == "survey" else choices.sheet
        faults = [replace(fault, pointer=f"/{where}/{fault.pointer.lstrip('/#')}") for fault in error.faults]
        raise Invalid(faults) from None


def _report_used(report: Report, name: str, sheet: str, used: str) -> None:
    detail = f"The account has a data source named {used} with the rows of {name}: the form looks them up there."
    report.add_change(sheet, None, None, "choice_source", detail)


def _report_renamed(report: Report, name: str, sheet: str, created: str) -> None:
    if created != name:
        detail = f"The account has a data source named {name} with other rows. Those of the form are in {created}."
        report.add_change(sheet, None, None, "choice_source", detail)
