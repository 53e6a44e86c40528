"""Inserts many submissions with all that belongs to them: index entries, events, audit entries, deliveries.

It uses the application's own records and encodings, and skips only the service functions, which create one submission
at a time.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence

import asyncpg
import msgspec
from msgspec.structs import replace

from bench.data import SINCE, STEP_MS, build_submission, make_id
from formwright.api.v1_0.schemas.events import encode_event
from formwright.context import AppContext
from formwright.core.db.interface import WriteTransaction
from formwright.core.events import Event, EventType
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.indexing.indexed_fields import filterable_fields
from formwright.domain.submissions import answer_index as submission_index
from formwright.domain.submissions import store
from formwright.domain.submissions.models import Submission, SubmissionStatus

_BATCH = 20_000
FIRST = 1000
"""The sequence of the first event; earlier ones belong to the creation of the account."""
_EVENT = ["customer_id", "sequence", "id", "type", "form_id", "created", "body"]
_INDEX_ENTRY = ["customer_id", "form_id", "submission_id", "field", "place", "text", "number", "at"]
_AUDIT = [
    "customer_id",
    "at",
    "id",
    "actor_type",
    "actor_id",
    "actor_name",
    "address",
    "request_id",
    "action",
    "resource_type",
]
_DELIVERY = ["customer_id", "id", "subscriber_id", "sequence", "previous", "event_id", "type", "created", "due"]

Rows = Iterator[Sequence[object]]


class BulkAccount:
    """A growing account; all its submissions belong to one form, and one subscriber receives all of them."""

    def __init__(self, customer_id: str, form_id: str, version_id: str, subscriber_id: str, fields: object) -> None:
        self.id, self.form_id, self.version_id, self.subscriber_id = customer_id, form_id, version_id, subscriber_id
        self._indexed = [
            record for record in filterable_fields(msgspec.convert(fields, list[AnyField])) if record.indexed
        ]
        self.count = 0

    def submission(self, number: int) -> Submission:
        """One in a hundred was rejected, one in ten has a task, and there are a hundred users."""
        other = SubmissionStatus.APPROVED if number % 2 else SubmissionStatus.SUBMITTED
        return replace(
            build_submission(self.id, self.form_id, self.version_id, number),
            status=SubmissionStatus.REJECTED if number % 100 == 7 else other,
            external_id=f"visit-{number}",
            user_id=make_id("usr", number % 100),
            task_id=make_id("tsk", number // 100) if number % 10 == 0 else None,
        )

    async def grow(self, ctx: AppContext, to: int) -> None:
        """Insert submissions until there are this many."""
        for first in range(self.count, to, _BATCH):
            records = [self.submission(number) for number in range(first, min(first + _BATCH, to))]
            numbers = range(first, first + len(records))
            async with ctx.db.writing() as tx:
                await tx.copy("submissions", store.COLUMNS, [store.to_row(record) for record in records])
                await self._copy(tx, "answer_index", _INDEX_ENTRY, self._entries, numbers, records)
                await self._copy(tx, "events", _EVENT, self._events, numbers, records)
                await self._copy(
                    tx, "audit_log", [*_AUDIT, "resource_id", "resource_name", "changed"], self._lines, numbers, records
                )
                await self._copy(tx, "deliveries", [*_DELIVERY, "tries"], self._deliveries, numbers, records)
        self.count = to
        async with ctx.db.writing() as tx:
            await tx.execute("UPDATE account_order SET stamp = $2, sequence = $3 WHERE customer_id = $1", self.id,
                             SINCE + to * STEP_MS, FIRST + to)  # fmt: skip

    async def _copy(
        self,
        tx: WriteTransaction,
        table: str,
        columns: Sequence[str],
        rows: Callable[[Sequence[int], Sequence[Submission]], Rows],
        numbers: Sequence[int],
        records: Sequence[Submission],
    ) -> None:
        await tx.copy(table, columns, list(rows(numbers, records)))

    def _entries(self, numbers: Sequence[int], records: Sequence[Submission]) -> Rows:
        del numbers
        for record in records:
            for entry in submission_index.build_entries(record.id, record.data, record.at, self._indexed):
                yield (self.id, self.form_id, *entry)

    def _events(self, numbers: Sequence[int], records: Sequence[Submission]) -> Rows:
        for number, record in zip(numbers, records, strict=True):
            event = Event(EventType.SUBMISSION_SUBMITTED, self.id, record)
            body, form_id = encode_event(event, make_id("evt", number), FIRST + number, record.created)
            yield self.id, FIRST + number, make_id("evt", number), event.type, form_id, record.created, body.decode()

    def _lines(self, numbers: Sequence[int], records: Sequence[Submission]) -> Rows:
        for number, record in zip(numbers, records, strict=True):
            actor = ("key", make_id("key", 1), "Bench", "127.0.0.1", make_id("req", number))
            resource = ("submission.submitted", "submission", record.id, "", "")
            yield self.id, record.created, make_id("aud", number), *actor, *resource

    def _deliveries(self, numbers: Sequence[int], records: Sequence[Submission]) -> Rows:
        for number, record in zip(numbers, records, strict=True):
            row_part = (FIRST + number, FIRST + number - 1, make_id("evt", number), "submission.submitted")
            yield self.id, make_id("inv", number), self.subscriber_id, *row_part, record.created, record.created, 0


async def checkpoint(ctx: AppContext) -> int:
    """Do what the database would do by itself within minutes; return its size on the disk in bytes."""
    settings = ctx.settings
    if not settings.is_postgres:
        connection = sqlite3.connect(settings.sqlite_path, timeout=60)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.close()
        return settings.sqlite_path.stat().st_size
    db = await asyncpg.connect(settings.database_url)
    await db.execute("VACUUM ANALYZE")
    size: int = await db.fetchval("SELECT pg_database_size(current_database())")
    await db.close()
    return size
