"""Schemas of the rows of data sources."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import Moment, Resource, Timestamp, optional_ms
from formwright.core.clock import rfc3339
from formwright.domain.datasources import cell_types, models

StoredCells = Annotated[
    msgspec.Raw,
    Meta(
        description="The cells by column name, with the type of the column; null if a cell is empty.",
        examples=[{"number": "C-1", "name": "Harbour Ltd"}],
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]


class RowOrder(StrEnum):
    """The order of a list of rows."""

    UPDATED = "updated"


class RowListQuery(PageQuery, kw_only=True):
    """Filters of the list of rows."""

    q: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        Meta(
            description="Only rows that contain all of these words, ignoring case and accents. Words of three or more"
            " letters match anywhere, shorter ones at the beginning of a word; single letters are only searched for in"
            " the first 20,000 rows.",
        ),
    ] = None
    key: Annotated[Annotated[str, Meta(max_length=500)] | None, Meta(description="Only the row with this key.")] = None
    updated_from: Annotated[Moment | None, Meta(description="Only rows last changed at or after this time.")] = None
    updated_to: Annotated[Moment | None, Meta(description="Only rows last changed before this time.")] = None
    order: Annotated[
        RowOrder,
        Meta(
            description="Rows are always listed in the order of their last change, so a reader that continues from its"
            " last cursor misses no change. Deletions are not listed: see `listDatasourceRows`."
        ),
    ] = RowOrder.UPDATED

    def to_search(self) -> models.RowFilter:
        return models.RowFilter(
            text=self.q or "",
            key=self.key,
            updated_from=optional_ms(self.updated_from),
            updated_to=optional_ms(self.updated_to),
        )


class DatasourceRow(Resource):
    """A row of a data source."""

    key: Annotated[str, Meta(description="The value of the key column, as a text.")]
    data: StoredCells
    created: Annotated[Timestamp, Meta(description="When the row was created.")]
    updated: Annotated[Timestamp, Meta(description="When the row last changed. Unchanged rows of imports keep it.")]


def row(table: models.Datasource, times: Mapping[int, models.RowTimes], record: models.DataRow) -> DatasourceRow:
    texts = msgspec.json.decode(record.data, type=dict[str, str])
    return DatasourceRow(
        key=record.key,
        data=msgspec.Raw(msgspec.json.encode(cell_types.to_values(table.columns, texts))),
        created=rfc3339(times[record.number].created),
        updated=rfc3339(times[record.number].updated),
    )
