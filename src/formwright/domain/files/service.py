"""Uploading files, and attaching them to submissions.

An upload has four steps: receive the content, insert the file, store the content, and mark the file as ready. No
transaction is open while waiting for the network or the disk. A process that is killed in between leaves a file that
cannot be attached; it is deleted after a day.
"""

from collections.abc import AsyncIterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, ActorKind, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
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
    MAX_UNUSED_BY_KEYS,
    MAX_UNUSED_SIZE,
    MAX_UNUSED_SIZE_BY_KEYS,
    MEDIA_FIELD,
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
    """Insert a file: `READY` if the account already has this content, else `ARRIVING` until it is stored.

    Raises `TooManyUnusedFiles` if the form has too many unused files. The blob key contains the file's id beside the
    hash: content that is uploaded again while it is being deleted gets another key, and is not deleted by mistake.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_CREATE)
    await _check_limits(tx, scope, target.form_id, received.size, by_keys=actor.kind is ActorKind.KEY)
    file = await insert(tx, scope, actor, target, received, name=name, type_=type_, now=now)
    tx.audit(AuditNote(scope.customer_id, "file.uploaded", file.id))
    return file


async def insert(
    tx: WriteTransaction,
    scope: Scope,
    actor: Actor,
    target: Target,
    received: ReceivedBlob,
    *,
    name: str,
    type_: str,
    now: int,
) -> File:
    """Insert a file as `register` does, without checking any limit. The caller holds the account lock."""
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
        api_key_id=actor.id if actor.kind is ActorKind.KEY else None,
    )
    await store.insert(tx, file)
    return file


async def _check_limits(tx: ReadTransaction, scope: Scope, form_id: str, size: int, *, by_keys: bool) -> None:
    max_files = MAX_UNUSED_BY_KEYS if by_keys else MAX_UNUSED
    max_size = MAX_UNUSED_SIZE_BY_KEYS if by_keys else MAX_UNUSED_SIZE
    count, waiting = await store.count_unused(tx, scope, form_id, by_keys=by_keys)
    if count >= max_files or waiting + size > max_size:
        raise TooManyUnusedFiles()


async def mark_ready(tx: WriteTransaction, actor: Actor, *, file_id: str) -> None:
    """Mark the content as stored. Raises `FileNotFound` if storing took so long that the file has been deleted."""
    if not await store.mark_ready(tx, allow(actor, Permission.SUBMISSIONS_CREATE), file_id):
        raise FileNotFound()


async def find(tx: ReadTransaction, scope: Scope, *, file_id: str) -> File:
    """Return a file whose content is available. Raises `FileNotFound`."""
    file = await store.find(tx, scope, file_id)
    if file is None or file.state is not FileState.READY:
        raise FileNotFound()
    return file


async def get(tx: ReadTransaction, actor: Actor, *, file_id: str) -> File:
    """Return an uploaded file whose content is available, and no media of forms. Raises `FileNotFound`."""
    file = await find(tx, allow(actor, Permission.SUBMISSIONS_READ), file_id=file_id)
    if file.field == MEDIA_FIELD:
        raise FileNotFound()
    return file


async def list_of_submissions(tx: ReadTransaction, actor: Actor, submission_ids: Sequence[str]) -> list[File]:
    """Return the files that these submissions refer to, in the order of their upload."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return await store.list_of_submissions(tx, scope, submission_ids) if submission_ids else []


async def page_of_submission(tx: ReadTransaction, actor: Actor, window: Window, *, submission_id: str) -> Page[File]:
    """Return a page of the files that a submission refers to, in the order of their upload."""
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
    """Attach the referenced files to a submission, and detach all others that it had.

    Returns an error for each file that cannot be attached. The caller holds the account lock.
    """
    scope = allow(actor, purpose)
    known = {file.id: file for file in await store.find_all(tx, scope, list({name.file_id for name in references}))}
    faults = {one: _check_reference(known.get(one.file_id), one, form_id, submission_id) for one in references}
    valid = {reference.file_id for reference, fault in faults.items() if fault is None}
    previous = set(await store.list_ids(tx, scope, submission_id))
    await store.attach(tx, scope, submission_id, sorted(valid - previous))
    if previous - valid:
        await store.detach(tx, scope, sorted(previous - valid), tx.now())
    return [fault for fault in faults.values() if fault]


async def find_errors(
    tx: ReadTransaction, actor: Actor, *, form_id: str, references: Sequence[FileReference]
) -> list[ValidationFault]:
    """Return an error for each file that cannot be attached to a new submission."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    known = {file.id: file for file in await store.find_all(tx, scope, list({one.file_id for one in references}))}
    faults = [_check_reference(known.get(one.file_id), one, form_id, "") for one in references]
    return [fault for fault in faults if fault]


async def release(tx: WriteTransaction, actor: Actor, *, submission_id: str) -> None:
    """Detach all files from a submission that is being deleted."""
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    await store.detach(tx, scope, await store.list_ids(tx, scope, submission_id), tx.now())


def _check_reference(
    file: File | None, reference: FileReference, form_id: str, submission_id: str
) -> ValidationFault | None:
    if file is None or file.state is not FileState.READY or (file.form_id, file.field) != (form_id, reference.field):
        return ValidationFault(reference.pointer, "file.unknown", "No file with this id was uploaded for this field.")
    if file.submission_id not in (None, submission_id):
        return ValidationFault(
            reference.pointer, "file.taken", "This file belongs to another submission. Upload it again."
        )
    return None


@dataclass(frozen=True, slots=True)
class Upload:
    """The name and media type that the client sent with a file. Neither has been checked."""

    target: Target
    name: str
    type: str


async def upload(db: Database, blobs: BlobStore, actor: Actor, declared: Upload, chunks: AsyncIterator[bytes]) -> File:
    """Receive and store a file, as `store_received` does."""
    async with blobs.receive(chunks, MAX_SIZE) as received:
        return await store_received(db, blobs, actor, declared, received)


async def store_received(
    db: Database, blobs: BlobStore, actor: Actor, declared: Upload, received: ReceivedBlob, *, dry_run: bool = False
) -> File:
    """Store a file and return it. Raises `Invalid` if it is empty, not accepted, or does not match its type."""
    if received.size == 0:
        raise Invalid.at("", "file.empty", "The file is empty.")
    type_ = detect_media_type(declared.target.use, declared.type, declared.name, received.head)
    name = sanitize_filename(declared.name, type_)
    with suppress(Rollback):
        async with db.writing() as tx:
            file = await register(tx, actor, declared.target, name=name, type_=type_, received=received)
            if dry_run:
                raise Rollback()
    if file.state is FileState.ARRIVING and not dry_run:
        await _store_content(db, blobs, actor, file, received)
    return file


async def _store_content(db: Database, blobs: BlobStore, actor: Actor, file: File, received: ReceivedBlob) -> None:
    await blobs.put(file.blob_key, received)
    try:
        async with db.writing() as tx:
            await mark_ready(tx, actor, file_id=file.id)
    except FileNotFound:
        # The cleanup deleted the row while the content was being stored, so nothing else would find the content.
        await blobs.delete(file.blob_key)
        raise
