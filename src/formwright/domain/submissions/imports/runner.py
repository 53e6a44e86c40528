"""Runs an import: checks all rows, then writes them in batches.

Each batch is committed together with the line at which the next one begins. If the worker is killed, another one takes
the import when the lease ends, and continues at that line.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from itertools import islice

import structlog

from formwright.core.blobs import BlobStore, ContentMissing
from formwright.core.db.interface import Database
from formwright.core.errors import DomainError, Invalid, Unavailable, ValidationFault
from formwright.core.tables.base import TableUnreadable
from formwright.domain.forms import service as forms
from formwright.domain.submissions import bulk
from formwright.domain.submissions.imports import checks, store
from formwright.domain.submissions.imports import service as imports
from formwright.domain.submissions.imports.models import (
    LEASE_MS,
    MAX_REPORTED,
    MAX_ROWS,
    MAX_TRIES,
    RejectedRow,
    SubmissionImportStatus,
    SubmissionsImport,
)
from formwright.domain.submissions.imports.reader import FileRow, SubmissionFile

_BATCH = 500
_SAVE_INTERVAL_S = 1.0
_MAX_ERRORS_OF_ROW = 5

log = structlog.get_logger()


class LeaseLost(Exception):
    """Another worker has taken the import."""


async def run(db: Database, blobs: BlobStore, record: SubmissionsImport) -> SubmissionsImport:
    """Run or continue an import that `service.claim` returned, and return its final state.

    Raises `Unavailable` if the database or the file storage is: then the import continues when its lease ends.
    """
    job = _Job(db, blobs, record)
    try:
        if record.tries > MAX_TRIES:
            raise TableUnreadable("import.interrupted", f"The server stopped {MAX_TRIES} times during this import.")
        await job.run()
    except (LeaseLost, Unavailable):
        raise
    except TableUnreadable as error:
        await job.end(SubmissionImportStatus.FAILED, [RejectedRow(error.line or 0, None, error.code, error.detail)])
    except ContentMissing as error:
        await job.end(SubmissionImportStatus.FAILED, [RejectedRow(0, None, error.code, str(error))])
    except DomainError as error:
        faults = error.faults if isinstance(error, Invalid) else [ValidationFault("", error.code, str(error))]
        await job.end(SubmissionImportStatus.FAILED, [RejectedRow(0, None, one.code, one.detail) for one in faults])
    except Exception:
        log.exception("import failed", id=record.id)
        detail = "A server error occurred. Tell the operator of this server."
        await job.end(SubmissionImportStatus.FAILED, [RejectedRow(0, None, "import.failed", detail)])
    # Last: until the end is saved, another worker may have to continue with the file.
    await blobs.delete(record.blob_key)
    return job.record


class _Job:
    """A running import and its progress."""

    def __init__(self, db: Database, blobs: BlobStore, record: SubmissionsImport) -> None:
        self._db, self._blobs, self.record = db, blobs, record
        self._saved_at = time.monotonic()

    async def run(self) -> None:
        async with self._open() as file:
            if self.record.status is not SubmissionImportStatus.IMPORTING:
                await self._check(file)
                if self._is_decided():
                    return
            await self._write(file)
        if not self._is_decided():
            await self.end(SubmissionImportStatus.DONE)

    def _is_decided(self) -> bool:
        return not self.record.is_active

    @asynccontextmanager
    async def _open(self) -> AsyncIterator[SubmissionFile]:
        record = self.record
        async with self._db.reading() as tx:
            _, version = await forms.get_for_answering(
                tx, record.actor, form_id=record.form_id, version_id=record.version_id
            )
        async with imports.open_content(self._blobs, record) as file:
            yield await asyncio.to_thread(SubmissionFile, file, record.kind, version, record.options)

    async def _check(self, file: SubmissionFile) -> None:
        """Check all rows without writing any, and decide whether they are written."""
        await self._save(status=SubmissionImportStatus.CHECKING, checked=0, rejected=0, errors=(), total=0)
        external_ids: set[str] = set()
        async for batch in _iter_batches(file.rows()):
            bad = await self._check_batch(file, batch, external_ids)
            checked = self.record.checked + len(batch)
            if checked > MAX_ROWS:
                raise TableUnreadable("import.rows.too_many", f"An import has at most {MAX_ROWS:,} rows.")
            self._add_rejected(bad)
            self.record = replace(self.record, checked=checked)
            await self._save_sometimes()
        options, is_bad = self.record.options, self.record.rejected > 0
        self.record = replace(self.record, total=self.record.checked)
        if is_bad and not options.skip_bad:
            await self.end(SubmissionImportStatus.REJECTED)
        elif options.check_only:
            await self.end(SubmissionImportStatus.DONE)
        else:
            # The rows are checked again when they are written, so the counts restart at zero.
            await self._save(status=SubmissionImportStatus.IMPORTING, rejected=0, errors=(), next_line=0)

    async def _check_batch(
        self, file: SubmissionFile, batch: Sequence[FileRow], external_ids: set[str]
    ) -> list[list[RejectedRow]]:
        """Return the errors of each invalid row."""
        async with self._db.reading(long=True) as tx:
            found = await checks.find_row_errors(tx, self.record, file, batch, external_ids)
        return [errors for errors in found if errors]

    async def _write(self, file: SubmissionFile) -> None:
        first = self.record.next_line
        async for batch in _iter_batches(row for row in file.rows() if row.position >= first):
            try:
                await self._write_batch(file, batch)
            except _RowRejected as error:
                await self.end(SubmissionImportStatus.FAILED, error.rows)
                return

    async def _write_batch(self, file: SubmissionFile, batch: Sequence[FileRow]) -> None:
        """Write the valid rows of a batch, and save in the same transaction that they are written."""
        before = self.record
        valid = [row for row in batch if row.payload]
        changes = [
            bulk.Creation(before.form_id, checks.complete_payload(before, row.payload)) for row in valid if row.payload
        ]
        try:
            async with self._db.writing() as tx:
                # Otherwise, all remaining rows would be rejected one by one if the form was deleted or archived.
                await forms.get_for_answering(tx, before.actor, form_id=before.form_id, version_id=before.version_id)
                outcomes = await bulk.apply(tx, before.actor, changes)
                bad = [list(row.errors) for row in batch if row.payload is None]
                for row, outcome in zip(valid, outcomes, strict=True):
                    if isinstance(outcome, DomainError):
                        bad.append(checks.describe_failure(file, row.line, outcome))
                if bad and not before.options.skip_bad:
                    raise _RowRejected([error for errors in bad for error in errors])
                self._add_rejected(sorted(bad, key=lambda errors: errors[0].line))
                self.record = replace(
                    self.record,
                    imported=before.imported + len(batch) - len(bad),
                    next_line=batch[-1].position + 1,
                    updated=tx.now(),
                    due=tx.now() + LEASE_MS,
                )
                if not await store.save(tx, self.record):
                    raise LeaseLost()
        except BaseException:
            # The transaction was rolled back, so the counts are those that are stored.
            self.record = before
            raise

    def _add_rejected(self, bad: Sequence[Sequence[RejectedRow]]) -> None:
        errors = list(self.record.errors)
        for one in bad:
            errors += one[:_MAX_ERRORS_OF_ROW]
        self.record = replace(self.record, rejected=self.record.rejected + len(bad), errors=errors[:MAX_REPORTED])

    async def _save_sometimes(self) -> None:
        if time.monotonic() - self._saved_at > _SAVE_INTERVAL_S:
            await self._save()

    async def _save(self, **changes: object) -> None:
        self._saved_at = time.monotonic()
        async with self._db.writing() as tx:
            due = None if changes.get("ended") else tx.now() + LEASE_MS
            self.record = replace(self.record, updated=tx.now(), due=due, **changes)  # type: ignore[arg-type]
            if not await store.save(tx, self.record):
                raise LeaseLost()

    async def end(self, status: SubmissionImportStatus, errors: Sequence[RejectedRow] = ()) -> None:
        """Save the final status, and further errors."""
        errors = [*errors[:MAX_REPORTED], *self.record.errors][:MAX_REPORTED]
        async with self._db.writing() as tx:
            now = tx.now()
        await self._save(status=status, errors=errors, ended=now)


class _RowRejected(Exception):
    """A row that was valid when it was checked cannot be written."""

    def __init__(self, rows: Sequence[RejectedRow]) -> None:
        super().__init__()
        self.rows = rows


async def _iter_batches(rows: Iterator[FileRow]) -> AsyncIterator[list[FileRow]]:
    """Yield the rows in batches, which are read in a thread."""
    while batch := await asyncio.to_thread(lambda: list(islice(rows, _BATCH))):
        yield batch
