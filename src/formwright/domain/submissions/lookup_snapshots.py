"""Copies of the data source rows that a submission's lookups refer to, as the person saw them.

They are stored with the submission, because the data source may change afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import ValidationFault
from formwright.domain.datasources.cell_types import to_text
from formwright.domain.datasources.row_snapshots import retains_version
from formwright.domain.forms import lookups
from formwright.domain.forms.fields.display import DisplayContext, RowTexts
from formwright.domain.forms.lookups import LookupAnswer
from formwright.domain.forms.models import Version

MAX_BYTES = 1024 * 1024
"""Maximum size of the cells stored with a submission. Of further rows only the key and the version are stored."""


def encode_snapshots(lookup_answers: Sequence[LookupAnswer], before: str | None = None) -> str | None:
    """Return the rows as JSON; None if there are no lookups.

    Rows that are no longer in the data source are copied from `before`, the JSON stored so far. `version` and `data`
    are null for a row that was not found, and `data` also beyond `MAX_BYTES`.
    """
    return _to_json(list(_build_snapshots(lookup_answers, _index_by_key(before)))) if lookup_answers else None


def with_rows(context: DisplayContext, stored: str | None) -> DisplayContext:
    """Return the context with the rows stored in a submission, as the respondent saw them."""
    return replace(context, rows=read_rows(stored)) if stored else context


def read_rows(stored: str | None) -> RowTexts:
    """Return the texts of the cells of the rows stored in a submission."""
    return index_rows(msgspec.json.decode(stored) if stored else ())


def index_rows(stored: Sequence[Mapping[str, Any]]) -> RowTexts:
    """Return the texts of the cells of stored rows, given what `encode_snapshots` has encoded."""
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for row in stored:
        # Two lookups may show different columns of the same row.
        cells = rows.setdefault((row["datasourceId"], row["key"]), {})
        cells |= {column: to_text(cell) for column, cell in (row["data"] or {}).items()}
    return rows


def unknown_row_errors(
    version: Version, lookup_answers: Sequence[LookupAnswer], before: str | None
) -> list[ValidationFault]:
    """Return a validation error for each lookup whose row does not exist, unless it was stored in `before`."""
    stored = _index_by_key(before)
    return lookups.unknown_row_errors(version, [item for item in lookup_answers if item.id not in stored])


async def filter_errors(
    tx: WriteTransaction,
    actor: Actor,
    version: Version,
    data: Mapping[str, Any],
    lookup_answers: Sequence[LookupAnswer],
    before: str | None,
) -> list[ValidationFault]:
    """Return a validation error for each lookup whose filter excludes its row, given the other answers.

    Choices that the answers `before` contained with the same filter values are accepted, and so are rows in a version
    of the data source that is no longer stored, because they cannot be checked.
    """
    previous = msgspec.json.decode(before) if before else None
    excluded = lookups.find_filtered_out(version, data, lookup_answers, previous)
    return lookups.filtered_out_errors(version, [item for item in excluded if await _can_be_checked(tx, actor, item)])


async def _can_be_checked(tx: WriteTransaction, actor: Actor, lookup: LookupAnswer) -> bool:
    datasource, seen = lookup.row.of if lookup.row else None, lookup.seen_version or 0
    if lookup.is_unchanged or datasource is None or not 0 < seen < datasource.version:
        return True
    return await retains_version(tx, actor, datasource_id=datasource.id, version=seen)


def _index_by_key(before: str | None) -> dict[tuple[str, str], dict[str, Any]]:
    rows: list[dict[str, Any]] = msgspec.json.decode(before) if before else []
    return {(row["datasourceId"], row["key"]): row for row in rows}


def _build_snapshots(
    lookup_answers: Sequence[LookupAnswer], before: Mapping[tuple[str, str], dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    remaining = MAX_BYTES
    for item in lookup_answers:
        data = item.row.values([*dict.fromkeys([*item.field.display, *item.field.mapping])]) if item.row else None
        stored = before.get(item.id, {}) if item.row is None else {}
        data = stored.get("data", data)
        remaining -= len(_to_json(data).encode())
        yield {
            "pointer": item.pointer,
            "datasourceId": item.field.datasource_id,
            "version": item.row.version if item.row else stored.get("version"),
            "key": item.key,
            "data": data if remaining >= 0 else None,
        }


def _to_json(value: object) -> str:
    return msgspec.json.encode(value).decode()
