"""Media of forms: images, audio and video that people see while they fill in a form.

They are files of the form instead of a submission, known by their name. A file that is uploaded with the name of
another one replaces it. Files that were replaced or removed are deleted after a day, so open pages still show them.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
from formwright.core.errors import Conflict, Invalid, require
from formwright.core.events import AuditNote
from formwright.core.file_uses import FileUse
from formwright.domain.files import service, store
from formwright.domain.files.filenames import sanitize_filename
from formwright.domain.files.media_types import detect_media_type
from formwright.domain.files.models import ID_PREFIX, MEDIA_FIELD, File, FileNotFound, FileState, Target

MAX_FILES = 500
MAX_SIZE = 25 * 1024 * 1024
MAX_TOTAL_SIZE = 200 * 1024 * 1024
"""Limits of the media of a form: files, and bytes of one and of all."""


class TooManyMedia(Conflict):
    """The media of the form have reached the limit."""

    code = "media.limit_reached"
    detail = f"A form can have at most {MAX_FILES} media files, and {MAX_TOTAL_SIZE // 2**20} MiB. Remove some first."


async def list_all(tx: ReadTransaction, actor: Actor, *, form_id: str) -> list[File]:
    """Return the media of a form by name."""
    return await store.list_media(tx, allow(actor, Permission.FORMS_READ), form_id)


async def find_by_names(tx: ReadTransaction, scope: Scope, *, form_id: str, names: Collection[str]) -> dict[str, File]:
    """Return those of the media that exist, by name."""
    found = await store.list_media(tx, scope, form_id) if names else []
    return {file.name: file for file in found if file.name in names}


async def add(
    db: Database,
    blobs: BlobStore,
    actor: Actor,
    received: ReceivedBlob,
    *,
    form_id: str,
    name: str,
    type_: str,
    dry_run: bool = False,
) -> File:
    """Store a file and return it.

    Raises `Invalid` if it is empty, too large or of another type, `TooManyMedia`, or `FileNotFound` if storing took so
    long that it has been deleted.
    """
    if received.size == 0:
        raise Invalid.at("", "file.empty", "The file is empty.")
    if received.size > MAX_SIZE:
        raise too_large()
    media_type = detect_media_type(FileUse.MEDIA, type_, name, received.head)
    with suppress(Rollback):
        async with db.writing() as tx:
            file = await _register(tx, actor, received, form_id, sanitize_filename(name, media_type), media_type)
            if dry_run:
                raise Rollback()
    if file.state is FileState.READY or dry_run:
        return file
    await blobs.put(file.blob_key, received)
    try:
        async with db.writing() as tx:
            if not await store.mark_ready(tx, Scope(file.customer_id), file.id):
                raise FileNotFound()
            await _publish(tx, file)
    except FileNotFound:
        # The cleanup deleted the row while the content was being stored, so nothing else would find the content.
        await blobs.delete(file.blob_key)
        raise
    return file


def too_large() -> Invalid:
    """Return the error of a file that is larger than a medium can be."""
    return Invalid.at("", "media.too_large", f"A media file can have at most {MAX_SIZE // 2**20} MiB.")


async def check_limits(tx: ReadTransaction, actor: Actor, *, form_id: str, sizes: Mapping[str, int]) -> None:
    """Raise `TooManyMedia` if the form cannot have files of these sizes, by name, besides those with other names."""
    media = await store.list_media(tx, allow(actor, Permission.FORMS_EDIT), form_id)
    others = [file.size for file in media if file.name not in sizes]
    if len(others) + len(sizes) > MAX_FILES or sum(others) + sum(sizes.values()) > MAX_TOTAL_SIZE:
        raise TooManyMedia()


async def _register(
    tx: WriteTransaction, actor: Actor, received: ReceivedBlob, form_id: str, name: str, type_: str
) -> File:
    """Insert a file. Until its content is stored, it waits like an upload, and is deleted if that never happens."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    await check_limits(tx, actor, form_id=form_id, sizes={name: received.size})
    target = Target(form_id, MEDIA_FIELD, FileUse.MEDIA)
    file = await service.insert(tx, scope, actor, target, received, name=name, type_=type_, now=now)
    tx.audit(AuditNote(scope.customer_id, "form.media_added", form_id, file.name))
    if file.state is FileState.READY:
        await _publish(tx, file)
    return file


async def _publish(tx: WriteTransaction, file: File) -> None:
    """Show a file whose content is stored, instead of the one with its name."""
    scope = Scope(file.customer_id)
    now = await account_lock.next_timestamp(tx, file.customer_id)
    replaced = [one.id for one in await store.list_media(tx, scope, file.form_id) if one.name == file.name]
    await store.detach(tx, scope, replaced, now)
    await store.keep_media(tx, scope, file.id)


async def remove(tx: WriteTransaction, actor: Actor, *, form_id: str, file_id: str) -> None:
    """Remove a file from the media of a form. Raises `FileNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    file = require(
        next((one for one in await store.list_media(tx, scope, form_id) if one.id == file_id), None), FileNotFound
    )
    await store.detach(tx, scope, [file.id], now)
    tx.audit(AuditNote(scope.customer_id, "form.media_removed", form_id, file.name))


async def copy(tx: WriteTransaction, actor: Actor, *, form_id: str, to_form_id: str, names: Collection[str]) -> None:
    """Give another form of the account the media with these names. Their contents are stored once."""
    scope = allow(actor, Permission.FORMS_EDIT)
    for file in (await find_by_names(tx, scope, form_id=form_id, names=names)).values():
        await store.insert(tx, replace(file, id=tx.new_id(ID_PREFIX), form_id=to_form_id, created=tx.now()))
