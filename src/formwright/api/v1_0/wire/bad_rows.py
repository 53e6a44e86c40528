"""Rows that were not taken in, and why."""

from collections.abc import Sequence
from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.wire.basics import Resource
from formwright.domain.datasources.tables.model import BadRow


class BadRowShape(Resource):
    """A row that was not taken in."""

    line: Annotated[int, Meta(description="In the file, from 1; of JSON rows the index and one.")]
    column: str | None
    code: str
    detail: str


def bad_rows(rows: Sequence[BadRow]) -> list[BadRowShape]:
    """The rows as the API shows them."""
    return [BadRowShape(line=row.line, column=row.column, code=row.code, detail=row.detail) for row in rows]
