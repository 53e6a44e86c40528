"""Rows whose column `due` says when (milliseconds) a worker has to do something with them; NULL means never."""

from collections.abc import Sequence

import msgspec

from formwright.core.db.interface import ReadTransaction, Row
from formwright.core.db.query import form_exists, in_array


class DueRows:
    """The rows of one table. `of_forms`: those of a form in the trash are not due until the form is restored."""

    def __init__(self, table: str, *, columns: str = "id", key: str = "id", of_forms: bool = False) -> None:
        self._table, self._columns, self._key = table, columns, key
        self._and_exists = f" AND {form_exists()}" if of_forms else ""
        # `form_exists` is about one account.
        self._and_exist = (
            " AND NOT EXISTS (SELECT 1 FROM trash_rows AS gone WHERE gone.source = 'forms'"
            f" AND gone.customer_id = {table}.customer_id AND gone.id = {table}.form_id)"
            if of_forms
            else ""
        )

    async def fetch(self, tx: ReadTransaction, customer_id: str, now: int, limit: int) -> Sequence[Row]:
        """Return the columns of an account's due rows, the longest overdue first."""
        return await tx.fetch(
            f"SELECT {self._columns} FROM {self._table} WHERE customer_id = $1 AND due <= $2{self._and_exists}"
            f" ORDER BY due, {self._key} LIMIT {limit}",
            customer_id,
            now,
        )

    async def list_ids(self, tx: ReadTransaction, customer_id: str, now: int, limit: int) -> list[str]:
        """Return the ids of an account's due rows, the longest overdue first."""
        return [str(row[0]) for row in await self.fetch(tx, customer_id, now, limit)]

    async def find_next_due(self, tx: ReadTransaction, customer_id: str, now: int) -> int | None:
        """Return when a row of an account is next due, in milliseconds; None for never."""
        del now
        return await self.find_next_due_except(tx, customer_id, ())

    async def find_next_due_except(self, tx: ReadTransaction, customer_id: str, ids: Sequence[str]) -> int | None:
        """Return when a row of an account is next due, in milliseconds, without the rows with these ids."""
        others = f" AND NOT (id {in_array('$2')})" if ids else ""
        row = await tx.fetch_one(
            # Indexes of these times leave out NULL.
            f"SELECT min(due) FROM {self._table} WHERE customer_id = $1 AND due IS NOT NULL{self._and_exists}{others}",
            customer_id,
            *([msgspec.json.encode(ids).decode()] if ids else []),
        )
        return row[0] if row else None

    async def find_due_accounts(self, tx: ReadTransaction, now: int) -> list[str]:
        """Return the ids of all accounts with due rows."""
        rows = await tx.fetch(
            f"SELECT DISTINCT customer_id FROM {self._table} WHERE due <= $1{self._and_exist}",
            now,
        )
        return [str(row[0]) for row in rows]
