"""Deleted submissions, of which only the event log still contains data."""

from collections.abc import Callable
from typing import Any

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.privacy import store
from formwright.domain.privacy.models import MAX_SUBMISSIONS, TooManySubmissions


class DeletedSubmission(msgspec.Struct, rename="camel"):
    """The data of the deletion event. Only the id is set if the submission was erased or too large for an event."""

    id: str
    form_id: str = ""
    user_id: str | None = None
    invite_id: str | None = None
    data: msgspec.Raw = msgspec.Raw(b"{}")

    @property
    def answers(self) -> Any:
        return msgspec.json.decode(self.data)


class _Event(msgspec.Struct):
    data: DeletedSubmission


_read = msgspec.json.Decoder(_Event).decode


async def find_deleted(
    tx: ReadTransaction, scope: Scope, belongs: Callable[[DeletedSubmission], bool]
) -> dict[str, str]:
    """Return the form ids of the deleted submissions that belong to the person, by submission id.

    Raises `TooManySubmissions` for more than one person can have filled in.
    """
    found: dict[str, str] = {}
    sequence = 0
    while rows := await store.list_deletions_after(tx, scope, sequence):
        sequence = rows[-1][0]
        found |= {deleted.id: deleted.form_id for _, body in rows if belongs(deleted := _read(body).data)}
        if len(found) > MAX_SUBMISSIONS:
            raise TooManySubmissions()
    return found
