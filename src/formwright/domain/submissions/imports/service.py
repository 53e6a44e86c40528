"""Creating and reading imports, and handing them to workers."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import BinaryIO

from formwright.core.auth.actor import Actor, allow, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
from formwright.core.errors import Invalid
from formwright.core.events import AuditNote
from formwright.core.pagination import Page, Window
from formwright.core.tables.base import TableUnreadable
from formwright.core.work_kinds import WorkKind
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.submissions.imports import store
from formwright.domain.submissions.imports.models import (
    LEASE_MS,
    MAX_WAITING,
    RETENTION_MS,
    ImportNotFound,
    ImportOptions,
    Kind,
    SubmissionImportStatus,
    SubmissionsImport,
    TooManyImports,
)
from formwright.domain.submissions.imports.reader import SubmissionFile, summarise_columns

_ARRIVAL_MS = 3_600_000


async def create(
    db: Database,
    blobs: BlobStore,
    actor: Actor,
    received: ReceivedBlob,
    *,
    form_id: str,
    kind: Kind,
    file_name: str,
    options: ImportOptions,
    dry_run: bool = False,
) -> SubmissionsImport:
    """Store a file and queue its import into the published version of the form.

    Raises `Invalid` if it is not a table or its columns cannot be mapped, and `TooManyImports`. A silent import also
    needs the permission to manage webhooks, because those who can pause webhooks can skip them, too.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    if options.silent:
        allow_everywhere(actor, Permission.WEBHOOKS_MANAGE)
    async with db.reading() as tx:
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id)
        customer = await customers.get(tx, actor)
        if await store.count_active(tx, scope) >= MAX_WAITING:
            raise TooManyImports()
    options = replace(options, time_zone=options.time_zone or customer.time_zone)
    try:
        opened = await asyncio.to_thread(SubmissionFile, _binary(received), kind, version, options)
    except TableUnreadable as error:
        raise to_invalid(error) from None
    options = replace(options, columns=summarise_columns(opened), skip_unmapped=True, sheet=opened.dialect.sheet)
    with suppress(Rollback):
        async with db.writing() as tx:
            now = await account_lock.next_timestamp(tx, scope.customer_id)
            record = SubmissionsImport(
                id=tx.new_id("imp"),
                customer_id=scope.customer_id,
                form_id=form_id,
                version_id=version.id,
                file_name=file_name,
                kind=kind,
                size=received.size,
                actor=actor,
                options=options,
                status=SubmissionImportStatus.ARRIVING,
                errors=(),
                total=0,
                checked=0,
                imported=0,
                rejected=0,
                next_line=0,
                due=None,
                tries=0,
                created=now,
                updated=now,
                revision=1,
                ended=None,
            )
            await store.insert(tx, record)
            tx.audit(AuditNote(scope.customer_id, "import.created", record.id, file_name, _audited(options)))
            if dry_run:
                raise Rollback()
    record = replace(record, status=SubmissionImportStatus.QUEUED)
    if dry_run:
        return record
    await blobs.put(record.blob_key, received)
    async with db.writing() as tx:
        now = tx.now()
        await store.queue(tx, record, now)
        tx.schedule(WorkKind.IMPORT, scope.customer_id, now)
    return replace(record, updated=now)


def _binary(received: ReceivedBlob) -> BinaryIO:
    file: BinaryIO = received.file  # type: ignore[assignment]
    return file


def _audited(options: ImportOptions) -> tuple[str, ...]:
    """Return the options that the audit log names."""
    chosen: Mapping[str, bool] = {
        "silent": options.silent,
        "skipBadRows": options.skip_bad,
        "checkOnly": options.check_only,
    }
    return tuple(name for name, is_chosen in chosen.items() if is_chosen)


def to_invalid(error: TableUnreadable) -> Invalid:
    """Return the validation error for a file that cannot be read as a table."""
    where = f"#row={error.line}" if error.line else ""
    return Invalid.at(where, error.code, f"Line {error.line}: {error.detail}" if error.line else error.detail)


async def get(tx: ReadTransaction, actor: Actor, *, import_id: str) -> SubmissionsImport:
    """Return an import; raises `ImportNotFound`."""
    record = await store.find(tx, allow(actor, Permission.SUBMISSIONS_READ), import_id)
    if record is None:
        raise ImportNotFound()
    return record


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, form_id: str | None) -> Page[SubmissionsImport]:
    """Return a page of the imports, newest first."""
    return await store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), form_id, window)


async def claim(tx: WriteTransaction, customer_id: str, now: int) -> SubmissionsImport | None:
    """Take the oldest import of the account that is due, for a worker that renews its lease."""
    return await store.claim(tx, customer_id, now, now + LEASE_MS)


async def renew_lease(tx: WriteTransaction, record: SubmissionsImport, now: int) -> None:
    """Extend the lease of the import, unless it has ended or another worker has taken it."""
    await store.renew_lease(tx, record, now + LEASE_MS)


async def find_next_due(tx: ReadTransaction, customer_id: str, _: int) -> int | None:
    """Return when an import of the account is next due."""
    return await store.find_next_due(tx, customer_id)


async def find_due_accounts(tx: ReadTransaction, now: int) -> list[str]:
    """Return the ids of all accounts with imports that are due."""
    return await store.find_due_accounts(tx, now)


async def delete_old(db: Database, blobs: BlobStore, now: int) -> None:
    """Delete the imports of all accounts that ended a month ago, and files that did not arrive completely."""
    while True:
        async with db.reading() as tx:
            old = await store.find_old(tx, now - RETENTION_MS, now - _ARRIVAL_MS)
        for record in old:
            await blobs.delete(record.blob_key)
            async with db.writing() as tx:
                await store.delete(tx, record)
        if not old:
            return
