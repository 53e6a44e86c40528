"""The verbs of files.

How a file comes in: received whole, then announced, then put at its place, then ready.

No transaction is open while the network or the disk is waited for. A process that is killed in between leaves a file
that nobody can name, with or without a content; it is cleared away after a day.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import AuditNote
from formwright.core.pagination import Page, Window
from formwright.domain.files import store
from formwright.domain.files.filenames import sanitize_filename
from formwright.domain.files.media_types import detect_media_type
from formwright.domain.files.models import (
    ID_PREFIX,
    MAX_SIZE,
    MAX_UNUSED,
    MAX_UNUSED_SIZE,
    File,
    FileNotFound,
    FileReference,
    FileState,
    Target,
    TooManyUnusedFiles,
)


async def register(
    tx: WriteTransaction, actor: Actor, target: Target, *, name: str, type_: str, received: ReceivedBlob
) -> File:
    """A new file: ready where the account has this content already, else `ARRIVING` until it is put at its place.

    The place is the content's hash and the file's id. A content that is being removed and comes again at that moment
    gets another place, and so cannot be removed by mistake. `TooManyUnused` where too many wait at the form already.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await _check_limits(tx, scope, target.form_id, received.size)
    file_id = tx.new_id(ID_PREFIX)
    here = await store.find_blob_key(tx, scope, received.hash)
    file = File(
        id=file_id,
        customer_id=scope.customer_id,
        form_id=target.form_id,
        field=target.field,
        name=name,
        type=type_,
        size=received.size,
        hash=received.hash,
        blob_key=here or f"{scope.customer_id}/{received.hash[:2]}/{received.hash}-{file_id}",
        state=FileState.READY if here else FileState.ARRIVING,
        submission_id=None,
        idle=now,
        created=now,
    )
    await store.insert(tx, file)
    tx.audit(AuditNote(scope.customer_id, "file.uploaded", file.id))
    return file


async def _check_limits(tx: ReadTransaction, scope: Scope, form_id: str, size: int) -> None:
    count, waiting = await store.count_unused(tx, scope, form_id)
    if count >= MAX_UNUSED or waiting + size > MAX_UNUSED_SIZE:
        raise TooManyUnusedFiles()


async def mark_ready(tx: WriteTransaction, actor: Actor, *, file_id: str) -> None:
    """The content is at its place. `FileNotFound` when it took so long that the file was cleared away."""
    if not await store.mark_ready(tx, allow(actor, Permission.SUBMISSIONS_CREATE), file_id):
        raise FileNotFound()


async def find(tx: ReadTransaction, scope: Scope, *, file_id: str) -> File:
    """A file whose content is there."""
    file = await store.find(tx, scope, file_id)
    if file is None or file.state is not FileState.READY:
        raise FileNotFound()
    return file


async def page_of_submission(tx: ReadTransaction, actor: Actor, window: Window, *, submission_id: str) -> Page[File]:
    """The files that a submission names, in the order in which they were uploaded."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return await store.page_of_submission(tx, scope, submission_id, window)


async def attach(
    tx: WriteTransaction,
    actor: Actor,
    purpose: Permission,
    *,
    form_id: str,
    submission_id: str,
    references: Sequence[FileReference],
) -> list[ValidationFault]:
    """From here on the submission has the files that it names; others that it had are free to be cleared away.

    Answers what is wrong with those that it cannot have. The caller holds the account's order, as every change does.
    """
    scope = allow(actor, purpose)
    known = {file.id: file for file in await store.find_all(tx, scope, list({name.file_id for name in references}))}
    faults = {name: _check_reference(known.get(name.file_id), name, form_id, submission_id) for name in references}
    good = {name.file_id for name, fault in faults.items() if fault is None}
    had = set(await store.list_ids(tx, scope, submission_id))
    await store.attach(tx, scope, submission_id, sorted(good - had))
    if had - good:
        await store.detach(tx, scope, sorted(had - good), tx.now())
    return [fault for fault in faults.values() if fault]


async def release(tx: WriteTransaction, actor: Actor, *, submission_id: str) -> None:
    """The submission is going: its files are free to be cleared away."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    await store.detach(tx, scope, await store.list_ids(tx, scope, submission_id), tx.now())


def _check_reference(
    file: File | None, reference: FileReference, form_id: str, submission_id: str
) -> ValidationFault | None:
    if file is None or file.state is not FileState.READY or (file.form_id, file.field) != (form_id, reference.field):
        return ValidationFault(
            reference.pointer, "file.unknown", "No such file was uploaded for this field of this form."
        )
    if file.submission_id not in (None, submission_id):
        return ValidationFault(
            reference.pointer, "file.taken", "This file belongs to another submission. Upload it once more."
        )
    return None


@dataclass(frozen=True, slots=True)
class Upload:
    """What is said of a file: its name and its type, neither of them checked yet."""

    target: Target
    name: str
    type: str


async def upload(db: Database, blobs: BlobStore, actor: Actor, declared: Upload, chunks: AsyncIterator[bytes]) -> File:
    """The new file, whose content is kept durably. `Invalid` when it is empty or is not what it says it is."""
    async with blobs.receive(chunks, MAX_SIZE) as received:
        if received.size == 0:
            raise Invalid.at("", "file.empty", "The file is empty.")
        type_ = detect_media_type(declared.target.use, declared.type, declared.name, received.head)
        async with db.writing() as tx:
            file = await register(
                tx, actor, declared.target, name=sanitize_filename(declared.name, type_), type_=type_, received=received
            )
        if file.state is FileState.ARRIVING:
            await _store_content(db, blobs, actor, file, received)
        return file


async def _store_content(db: Database, blobs: BlobStore, actor: Actor, file: File, received: ReceivedBlob) -> None:
    await blobs.put(file.blob_key, received)
    try:
        async with db.writing() as tx:
            await mark_ready(tx, actor, file_id=file.id)
    except FileNotFound:
        await blobs.delete(file.blob_key)
        raise
