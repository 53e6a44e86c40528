"""Files that wait for somebody to map their columns, and their preview.

A staged file is an import that has not been started. It is deleted an hour after its last use.
"""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from operator import itemgetter
from typing import BinaryIO

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore, ReceivedBlob
from formwright.core.db.interface import Database, ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.tables.base import WORKBOOK, Dialect, TableUnreadable, detect_format
from formwright.core.tables.open import open_table
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Version
from formwright.domain.submissions.imports import checks, service, store
from formwright.domain.submissions.imports.columns import target_name
from formwright.domain.submissions.imports.models import (
    MAX_STAGED,
    ImportNotFound,
    ImportOptions,
    RejectedRow,
    SubmissionImportStatus,
    SubmissionsImport,
    TooManyStagedFiles,
)
from formwright.domain.submissions.imports.notation import Notation
from formwright.domain.submissions.imports.reader import FileRow, SubmissionFile

PREVIEW_ROWS = 10


@dataclass(frozen=True, slots=True)
class Preview:
    """The beginning of a file as an import would read it.

    `targets` are names of fields and properties by the index of their column, and `repeats` the fields whose rows are
    in sheets of their own. `errors` are those of each row. `faults` say why the file cannot be imported as it is.
    `encoding_sample` are cells to check the encoding with, if it was guessed.
    """

    dialect: Dialect = field(default_factory=Dialect)
    notation: Notation = field(default_factory=Notation)
    encoding_sample: Sequence[str] = ()
    sheets: Sequence[str] = ()
    header: Sequence[str] = ()
    targets: Mapping[int, str] = field(default_factory=dict)
    repeats: Sequence[str] = ()
    rows: Sequence[FileRow] = ()
    errors: Sequence[Sequence[RejectedRow]] = ()
    faults: Sequence[str] = ()


async def stage(
    db: Database, blobs: BlobStore, actor: Actor, received: ReceivedBlob, *, form_id: str, file_name: str
) -> SubmissionsImport:
    """Store a file for a later import by the actor. Its columns are mapped by their names until the actor maps them."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    async with db.writing() as tx:
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id)
        if await store.count(tx, scope, [SubmissionImportStatus.ARRIVING]) >= MAX_STAGED:
            raise TooManyStagedFiles()
        options = ImportOptions(skip_unmapped=True, time_zone=(await customers.get(tx, actor)).time_zone)
        record = await service.insert(
            tx,
            actor,
            version,
            kind="xlsx" if detect_format(received.head) == WORKBOOK else "csv",
            file_name=file_name,
            size=received.size,
            options=options,
        )
    # The record comes first: if the process is killed here, the cleanup finds the record and deletes the content.
    await blobs.put(record.blob_key, received)
    return record


async def get(tx: ReadTransaction, actor: Actor, *, import_id: str) -> SubmissionsImport:
    """Return a staged file of the actor. Raises `ImportNotFound`, also if its import has been started."""
    record = await service.get(tx, actor, import_id=import_id)
    if record.status is not SubmissionImportStatus.ARRIVING:
        raise ImportNotFound()
    return record


async def save_options(db: Database, actor: Actor, options: ImportOptions, *, import_id: str) -> SubmissionsImport:
    """Save the options of a staged file, which then applies to the published version of the form."""
    service.allow_import(actor, options)
    async with db.writing() as tx:
        record = await get(tx, actor, import_id=import_id)
        _, version = await forms.get_for_answering(tx, actor, form_id=record.form_id)
        record = replace(record, options=options, version_id=version.id)
        await store.save_options(tx, record, tx.now())
    return record


async def start(
    db: Database, blobs: BlobStore, actor: Actor, options: ImportOptions, *, import_id: str
) -> SubmissionsImport:
    """Start the import of a staged file. Raises `Invalid` if the columns cannot be mapped.

    An import that has been started already is returned as it is.
    """
    scope = service.allow_import(actor, options)
    async with db.reading() as tx:
        record = await service.get(tx, actor, import_id=import_id)
        if record.status is not SubmissionImportStatus.ARRIVING:
            return record
        _, version = await forms.get_for_answering(tx, actor, form_id=record.form_id, version_id=record.version_id)
        await service.check_active(tx, scope)
    async with service.open_content(blobs, record) as file:
        options = await service.map_columns(file, record.kind, version, options)
    record = replace(record, actor=actor, options=options)
    async with db.writing() as tx:
        if await service.queue(tx, record, tx.now()):
            service.audit_start(tx, record)
        return await service.get(tx, actor, import_id=import_id)


async def discard(db: Database, blobs: BlobStore, actor: Actor, *, import_id: str) -> None:
    """Delete a staged file without importing it."""
    allow(actor, Permission.SUBMISSIONS_CREATE)
    async with db.reading() as tx:
        record = await get(tx, actor, import_id=import_id)
    # The content first: after a crash in between, the cleanup still finds the row.
    await blobs.delete(record.blob_key)
    async with db.writing() as tx:
        await store.delete(tx, record)


async def load_preview(db: Database, blobs: BlobStore, record: SubmissionsImport, version: Version) -> Preview:
    """Read the beginning of a staged file, and check its first rows. Raises `ContentMissing`."""
    async with service.open_content(blobs, record) as content:
        try:
            file = await asyncio.to_thread(SubmissionFile, content, record.kind, version, record.options)
            rows = await asyncio.to_thread(lambda: list(islice(file.rows(), PREVIEW_ROWS)))
        except TableUnreadable as error:
            detail = service.to_invalid(error).faults[0].detail
            return Preview(faults=[detail])
        except Invalid as error:
            unmapped = await asyncio.to_thread(_read_header, content, record)
            return replace(unmapped, faults=[fault.detail for fault in error.faults])
    async with db.reading() as tx:
        errors = await checks.find_row_errors(tx, record, file, rows, set())
    return Preview(
        dialect=file.dialect,
        notation=file.notation,
        encoding_sample=file.encoding_sample,
        faults=[fault.detail for fault in file.notation.faults],
        sheets=file.sheets,
        header=file.header,
        targets={
            index: target_name(target) for index, target in sorted(file.mapping.targets.items(), key=itemgetter(0))
        },
        repeats=file.repeats,
        rows=rows,
        errors=errors,
    )


def _read_header(file: BinaryIO, record: SubmissionsImport) -> Preview:
    """Return the header of a file whose columns cannot be mapped."""
    options = record.options
    table = open_table(file, record.kind, Dialect(options.encoding, options.delimiter, options.sheet))
    chosen = {column: target for target, column in (options.columns or {}).items()}
    targets = {index: chosen[name] for index, name in enumerate(table.header) if name in chosen}
    return Preview(
        dialect=table.dialect,
        encoding_sample=table.encoding_sample,
        sheets=table.sheets,
        header=table.header,
        targets=targets,
    )
