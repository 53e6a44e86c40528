"""Datasources."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.wire.basics import Name, Request, Resource, Timestamp
from formwright.api.v1_0.wire.ids import CustomerId, DatasourceId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.datasources import model

Column = Annotated[str, Meta(min_length=1, max_length=200)]
StoredCells = Annotated[
    msgspec.Raw,
    Meta(
        description="Values by column.",
        examples=[{"number": "C-1", "name": "Harbour Ltd"}],
        extra_json_schema={"type": "object", "additionalProperties": True},
    ),
]
Cells = dict[Column, str | int | float | bool | None]


class DatasourceCreate(Request):
    """A new datasource with its rows."""

    name: Name
    key_column: Annotated[Column, Meta(description="The column whose value is unique in each row.")]
    columns: Annotated[list[Column], Meta(description="Where none are named, they are those of the rows.")] = []
    rows: Annotated[list[Cells], Meta(examples=[[{"number": "C-1", "name": "Harbour Ltd"}]])] = []

    def new(self) -> model.NewDatasource:
        """What the domain makes a datasource from."""
        return model.NewDatasource(self.name, self.key_column, self.columns, self.rows)


class Datasource(Resource):
    """A table of outside data."""

    id: DatasourceId
    customer_id: CustomerId
    name: str
    key_column: str
    columns: list[str]
    row_count: int
    created: Timestamp
    updated: Timestamp
    revision: int


class DatasourceRow(Resource):
    """One row of it."""

    key: Annotated[str, Meta(description="The value of the key column, as text.")]
    data: StoredCells


def datasource(record: model.Datasource) -> Datasource:
    """The record as the API shows it."""
    return Datasource(
        id=record.id,
        customer_id=record.customer_id,
        name=record.name,
        key_column=record.key_column,
        columns=list(record.columns),
        row_count=record.row_count,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )


def row(record: model.DataRow) -> DatasourceRow:
    """A row as the API shows it."""
    return DatasourceRow(key=record.key, data=msgspec.Raw(record.data))
