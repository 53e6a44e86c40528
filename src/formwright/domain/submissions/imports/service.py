"""Creating and reading imports, and handing them to workers. `staging` is for files whose columns people map."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import BinaryIO

from formwright.core.auth.actor import Actor, Scope, allow, allow_everywhere
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
from formwright.domain.forms.models import Version
from formwright.domain.submissions.imports import store
from formwright.domain.submissions.imports.models import (
    ACTIVE,
    LEASE_MS,
    MAX_FILE,
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

DUE = store.DUE
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
    """Store a file and return its import into the published version of the form, which `queue` starts.

    Raises `Invalid` if it is not a table or its columns cannot be mapped, and `TooManyImports`. A silent import also
    needs the permission to manage webhooks, because those who can pause webhooks can skip them, too.
    """
    scope = allow_import(actor, options)
    async with db.reading() as tx:
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id)
        await check_active(tx, scope)
        options = await complete_options(tx, actor, options)
    options = await map_columns(_binary(received), kind, version, options)
    with suppress(Rollback):
        async with db.writing() as tx:
            record = await insert(
                tx, actor, version, kind=kind, file_name=file_name, size=received.size, options=options
            )
            audit_start(tx, record)
            if dry_run:
                raise Rollback()
    record = replace(record, status=SubmissionImportStatus.QUEUED)
    if dry_run:
        return record
    await blobs.put(record.blob_key, received)
    return record


def allow_import(actor: Actor, options: ImportOptions) -> Scope:
    """Return the scope of an actor who may import with these options. Raises `Denied`."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    if options.silent:
        allow_everywhere(actor, Permission.WEBHOOKS_MANAGE)
    return scope


async def check_active(tx: ReadTransaction, scope: Scope) -> None:
    """Raise `TooManyImports` if no further import of the account may wait or run."""
    if await store.count(tx, scope, ACTIVE) >= MAX_WAITING:
        raise TooManyImports()


async def complete_options(tx: ReadTransaction, actor: Actor, options: ImportOptions) -> ImportOptions:
    """Return the options with the time zone of the account, unless they have one."""
    return replace(options, time_zone=options.time_zone or (await customers.get(tx, actor)).time_zone)


async def map_columns(file: BinaryIO, kind: Kind, version: Version, options: ImportOptions) -> ImportOptions:
    """Return the options with the mapping of the columns, and with how the file is read.

    Raises `Invalid` if the file or the mapping is invalid, or if the cells of the file contradict each other.
    """
    try:
        opened = await asyncio.to_thread(SubmissionFile, file, kind, version, options)
    except TableUnreadable as error:
        raise to_invalid(error) from None
    if opened.notation.faults:
        raise Invalid(opened.notation.faults)
    mark = opened.notation.decimal_mark
    return replace(
        options,
        columns=summarise_columns(opened),
        skip_unmapped=True,
        encoding=opened.dialect.encoding,
        delimiter=opened.dialect.delimiter,
        sheet=opened.dialect.sheet,
        decimal_comma=None if mark is None else mark == ",",
        day_first=opened.notation.day_first,
        is_detected=True,
    )


async def insert(
    tx: WriteTransaction,
    actor: Actor,
    version: Version,
    *,
    kind: Kind,
    file_name: str,
    size: int,
    options: ImportOptions,
) -> SubmissionsImport:
    """Insert an import whose file has not been stored yet."""
    customer_id = version.customer_id
    now = await account_lock.next_timestamp(tx, customer_id)
    record = SubmissionsImport(
        id=tx.new_id("imp"),
        customer_id=customer_id,
        form_id=version.form_id,
        version_id=version.id,
        file_name=file_name,
        kind=kind,
        size=size,
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
    return record


async def queue(tx: WriteTransaction, record: SubmissionsImport, now: int) -> bool:
    """Let workers take the import; return False if it has been started already."""
    is_queued = await store.queue(tx, record, now)
    if is_queued:
        tx.schedule(WorkKind.IMPORT, record.customer_id, now)
    return is_queued


@asynccontextmanager
async def open_content(blobs: BlobStore, record: SubmissionsImport) -> AsyncIterator[BinaryIO]:
    """Yield the file of an import. Raises `ContentMissing`."""
    chunks = await blobs.read(record.blob_key, 0, record.size)
    async with blobs.receive(chunks, MAX_FILE) as received:
        yield _binary(received)


def _binary(received: ReceivedBlob) -> BinaryIO:
    file: BinaryIO = received.file  # type: ignore[assignment]
    return file


def audit_start(tx: WriteTransaction, record: SubmissionsImport) -> None:
    """Record in the audit log who starts the import, and with which options."""
    options = record.options
    chosen: Mapping[str, bool] = {
        "silent": options.silent,
        "skipBadRows": options.skip_bad,
        "checkOnly": options.check_only,
    }
    names = tuple(name for name, is_chosen in chosen.items() if is_chosen)
    tx.audit(AuditNote(record.customer_id, "import.created", record.id, record.file_name, names))


def to_invalid(error: TableUnreadable) -> Invalid:
    """Return the validation error for a file that cannot be read as a table."""
    where = f"#row={error.line}" if error.line else ""
    return Invalid.at(where, error.code, f"Line {error.line}: {error.detail}" if error.line else error.detail)


async def get(tx: ReadTransaction, actor: Actor, *, import_id: str) -> SubmissionsImport:
    """Return an import. Raises `ImportNotFound`, also for files of others that wait for their columns to be mapped."""
    record = await store.find(tx, allow(actor, Permission.SUBMISSIONS_READ), import_id)
    if record is None or (record.status is SubmissionImportStatus.ARRIVING and record.actor.id != actor.id):
        raise ImportNotFound()
    return record


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, form_id: str | None) -> Page[SubmissionsImport]:
    """Return a page of the imports that have been started, newest first."""
    return await store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), form_id, window)


async def claim(tx: WriteTransaction, customer_id: str, now: int) -> SubmissionsImport | None:
    """Take the oldest import of the account that is due, for a worker that renews its lease."""
    return await store.claim(tx, customer_id, now, now + LEASE_MS)


async def renew_lease(tx: WriteTransaction, record: SubmissionsImport, now: int) -> None:
    """Extend the lease of the import, unless it has ended or another worker has taken it."""
    await store.renew_lease(tx, record, now + LEASE_MS)


async def delete_old(db: Database, blobs: BlobStore, now: int) -> None:
    """Delete the imports of all accounts that ended a month ago, and files that did not arrive completely."""
    while True:
        async with db.reading() as tx:
            old = await store.find_old(tx, now - RETENTION_MS, now - _ARRIVAL_MS)
        for record in old:
            # The content first: after a crash in between, the row is found again, and the deletion is repeated.
            await blobs.delete(record.blob_key)
            async with db.writing() as tx:
                await store.delete(tx, record)
        if not old:
            return
