"""The SQL that detaches files from submissions that are being deleted."""

import re
from collections.abc import Sequence

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import WriteTransaction
from formwright.core.db.query import in_array
from formwright.domain.files.models import ID_PREFIX as FILE

_FILE_ID = re.compile(rf"{FILE}_[0-9a-z]{{26}}")


def _json(values: Sequence[str]) -> str:
    return msgspec.json.encode(sorted(values)).decode()


async def detach_files(tx: WriteTransaction, scope: Scope, submission_ids: Sequence[str]) -> None:
    ids = _json(submission_ids)
    revisions = await tx.fetch(
        f"SELECT data FROM submission_revisions WHERE customer_id = $1 AND submission_id {in_array('$2')}",
        scope.customer_id,
        ids,
    )
    earlier = {file_id for (data,) in revisions for file_id in _FILE_ID.findall(str(data))}
    await tx.execute(
        # As if unused since 1970: the next cleanup deletes them, without waiting for a day.
        f"UPDATE files SET submission_id = NULL, idle = 0 WHERE customer_id = $1 AND (submission_id {in_array('$2')}"
        f" OR (submission_id IS NULL AND id {in_array('$3')}))",
        scope.customer_id,
        ids,
        _json(sorted(earlier)),
    )
