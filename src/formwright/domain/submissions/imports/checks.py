"""Checking the rows of an import without writing them."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, Invalid, ValidationFault
from formwright.domain.forms import service as forms
from formwright.domain.submissions import service
from formwright.domain.submissions.imports.models import RejectedRow, SubmissionsImport
from formwright.domain.submissions.imports.reader import FileRow, SubmissionFile
from formwright.domain.submissions.models import ExternalIdTaken, SubmissionImport

_TAKEN = ValidationFault("/externalId", ExternalIdTaken.code, ExternalIdTaken.detail)


async def find_row_errors(
    tx: ReadTransaction, record: SubmissionsImport, file: SubmissionFile, rows: Sequence[FileRow], seen_ids: set[str]
) -> list[list[RejectedRow]]:
    """Return the errors of each row, in their order: an empty list for a valid one.

    Raises `FormNotFound` or `FormArchived` if the form cannot be answered any more.
    `seen_ids` are the external ids of earlier rows of the file; those of these rows are added.
    """
    actor, form_id = record.actor, record.form_id
    _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=record.version_id)
    own = [row.payload.external_id for row in rows if row.payload and row.payload.external_id]
    taken = await service.find_taken_external_ids(tx, actor, own, form_id=form_id)
    found: list[list[RejectedRow]] = []
    for number, row in enumerate(rows):
        if number % 20 == 0:
            await asyncio.sleep(0)
        if row.payload is None:
            found.append(list(row.errors))
            continue
        payload = complete_payload(record, row.payload)
        faults = await service.find_import_errors(tx, actor, version, payload)
        external_id = payload.external_id
        if external_id and (external_id in taken or external_id in seen_ids):
            faults.append(_TAKEN)
        seen_ids.add(external_id or "")
        found.append(_to_rejected(file, row.line, faults))
    return found


def complete_payload(record: SubmissionsImport, payload: SubmissionImport) -> SubmissionImport:
    """Return the submission of a row with the options of the import."""
    return replace(payload, version_id=record.version_id, is_silent=record.options.silent)


def describe_failure(file: SubmissionFile, line: int, error: DomainError) -> list[RejectedRow]:
    """Return why a row could not be written."""
    if isinstance(error, ExternalIdTaken):
        return _to_rejected(file, line, [_TAKEN])
    faults = error.faults if isinstance(error, Invalid) else [ValidationFault("", error.code, str(error))]
    return _to_rejected(file, line, faults)


def _to_rejected(file: SubmissionFile, line: int, faults: Sequence[ValidationFault]) -> list[RejectedRow]:
    return [RejectedRow(line, file.column_of(fault), fault.code, fault.detail) for fault in faults]
