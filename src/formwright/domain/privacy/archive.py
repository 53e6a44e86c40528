"""The zip file with all data of a person: JSON, submissions as NDJSON, and files."""

import asyncio
import zipfile
from collections.abc import AsyncIterator, Callable, Mapping
from datetime import UTC, datetime
from typing import IO, Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.blobs import BlobStore, ContentMissing
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.files import service as files
from formwright.domain.files.models import File
from formwright.domain.privacy import subject_data
from formwright.domain.privacy.discovery import including_trash
from formwright.domain.privacy.models import PersonalData
from formwright.domain.submissions import rendered_json, review
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import Submission, SubmissionNotFound
from formwright.domain.users.models import UserNotFound

_README = """Personal data from Formwright

person.json        all data besides submissions: user account, invites, emails, tasks, sessions, audit log
submissions.ndjson submissions, one JSON object per line, as in the API
revisions.ndjson   previous revisions of the submissions
files/             photos, signatures and uploads, by submission
"""


async def write_zip(
    db: Database,
    contents: BlobStore,
    actor: Actor,
    data: PersonalData,
    file: IO[bytes],
    report_progress: Callable[[int], None],
) -> None:
    """Write the zip file. Reports the number of submissions written so far.

    Raises `UserNotFound` if the person was erased or permanently deleted in the meantime.
    """
    actor = including_trash(actor)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as zipped:
        async with db.reading() as tx:
            person = await _collect(tx, actor, data)
        zipped.writestr("README.txt", _README)
        zipped.writestr("person.json", msgspec.json.format(msgspec.json.encode(person), indent=2))
        await _write_lines(zipped, "submissions.ndjson", _iter_submissions(db, actor, data, report_progress))
        await _write_lines(zipped, "revisions.ndjson", _iter_revisions(db, actor, data))
        for submission_id in data.submission_ids:
            for attached in await _list_files(db, actor, submission_id):
                await _add_file(contents, zipped, attached)


async def _collect(tx: ReadTransaction, actor: Actor, data: PersonalData) -> Mapping[str, Any]:
    try:
        return await subject_data.collect(tx, actor, data)
    except UserNotFound as error:
        detail = "This person was erased or permanently deleted before the file was complete. Nothing was exported."
        raise UserNotFound(detail) from error


async def _write_lines(zipped: zipfile.ZipFile, name: str, lines: AsyncIterator[bytes]) -> None:
    with zipped.open(_zip_entry(name), "w", force_zip64=True) as entry:
        async for line in lines:
            await asyncio.to_thread(entry.write, line)


def _zip_entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, datetime.now(UTC).timetuple()[:6])
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.external_attr = 0o600 << 16
    return entry


async def _iter_submissions(
    db: Database, actor: Actor, data: PersonalData, report_progress: Callable[[int], None]
) -> AsyncIterator[bytes]:
    for count, submission_id in enumerate(data.submission_ids, start=1):
        if record := await _find_submission(db, actor, submission_id):
            yield rendered_json.render(record) + b"\n"
        report_progress(count)


async def _find_submission(db: Database, actor: Actor, submission_id: str) -> Submission | None:
    try:
        async with db.reading() as tx:
            return await submissions.get(tx, actor, submission_id=submission_id)
    except SubmissionNotFound:
        return None  # It was deleted in the meantime.


async def _iter_revisions(db: Database, actor: Actor, data: PersonalData) -> AsyncIterator[bytes]:
    for submission_id in data.submission_ids:
        try:
            async with db.reading() as tx:
                page = await review.list_revisions(tx, actor, Window(MAX_LIMIT), submission_id=submission_id)
        except SubmissionNotFound:
            continue
        # The last revision is the submission itself.
        for revision in page.items[:-1]:
            yield subject_data.render_revision(revision) + b"\n"


async def _list_files(db: Database, actor: Actor, submission_id: str) -> list[File]:
    async with db.reading() as tx:
        page = await files.page_of_submission(tx, actor, Window(MAX_LIMIT), submission_id=submission_id)
    return list(page.items)


async def _add_file(contents: BlobStore, zipped: zipfile.ZipFile, file: File) -> None:
    name = file.name.replace("/", "_").replace("\\", "_").lstrip(".") or "file"
    try:
        content = await contents.read(file.blob_key, 0, file.size)
    except ContentMissing:
        return
    await _write_lines(zipped, f"files/{file.submission_id}/{file.id}-{name}", content)
