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


class _EventData(msgspec.Struct):
    id: str = ""
    fulfilments: list[_Fulfilment] = []


class _Event(msgspec.Struct):
    data: _EventData = msgspec.field(default_factory=_EventData)


_read = msgspec.json.Decoder(_Event).decode


def mentions(body: str, ids: Collection[str]) -> bool:
    """Whether the event is about one of these ids, or contains the reason why one of these users declined a task."""
    data = _read(body).data
    return data.id in ids or any(item.user_id in ids and item.reason for item in data.fulfilments)


def redact(body: str, ids: Collection[str]) -> str:
    """Return the event without the data of these ids. Redacting it again does not change it."""
    if event_log.subject_id(body) in ids:
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
