"""Redaction of events in the log that contain data of an erased person.

The event keeps its id, sequence, type and time, so that the log has no gaps; only the id remains of its data. Events of
a task, which may have several recipients, only lose the reason that the person gave for declining.
"""

from collections.abc import Collection
from typing import Any

import msgspec

from formwright.domain.webhooks import event_log


class _Fulfilment(msgspec.Struct, rename="camel"):
    user_id: str = ""
    reason: str | None = None


class _EventData(msgspec.Struct, rename="camel"):
    id: str = ""
    fulfilments: list[_Fulfilment] = []
    submission_id: str | None = None
    author_id: str | None = None


class _Event(msgspec.Struct):
    type: str = ""
    data: _EventData = msgspec.field(default_factory=_EventData)


_read = msgspec.json.Decoder(_Event).decode


def mentions(body: str, ids: Collection[str]) -> bool:
    """Whether the event is about one of these ids or a comment on or by it, or has the reason of one of these users.

    The reason is that for which they declined a task.
    """
    event = _read(body)
    declined = any(item.user_id in ids and item.reason for item in event.data.fulfilments)
    return event.data.id in ids or declined or _is_comment_of(event, ids)


def _is_comment_of(event: _Event, ids: Collection[str]) -> bool:
    """Whether the event is about a comment by one of these users, or on one of these submissions."""
    return event.type.startswith("comment.") and (event.data.author_id in ids or event.data.submission_id in ids)


def redact(body: str, ids: Collection[str]) -> str:
    """Return the event without the data of these ids. Redacting it again does not change it."""
    if event_log.subject_id(body) in ids or _is_comment_of(_read(body), ids):
        return event_log.to_tombstone(body)
    event = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    return msgspec.json.encode(event | {"data": _without_reasons(event["data"], ids)}).decode()


def _without_reasons(data: msgspec.Raw, ids: Collection[str]) -> dict[str, Any]:
    """Return the task without the reasons of these users.

    If the task ended because its last recipient declined, it also has a copy of that recipient's reason.
    """
    task: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    fulfilments = msgspec.json.decode(task["fulfilments"], type=list[dict[str, Any]])
    reasons = [item["reason"] for item in fulfilments if item["userId"] in ids]
    redacted = [item | {"reason": None} if item["userId"] in ids else item for item in fulfilments]
    has_copy = msgspec.json.decode(task["status"]) == "DECLINED" and msgspec.json.decode(task["reason"]) in reasons
    return task | {"fulfilments": redacted} | ({"reason": None} if has_copy else {})
