"""What an event of the log becomes when the person of whom it tells is erased.

Its id, its sequence, its type and its time stay, so that the log has no gap; of its data the id alone. A task is not
hers alone: its events lose only what she said when she declined.
"""

from collections.abc import Collection
from typing import Any

import msgspec


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
    """Whether the event is about one of these, or says why one of them declined."""
    about = _read(body).data
    return about.id in ids or any(one.user_id in ids and one.reason for one in about.fulfilments)


def redact(body: str, ids: Collection[str]) -> str:
    """An event that tells of these without what it told. Done again it is the same."""
    event = msgspec.json.decode(body, type=dict[str, msgspec.Raw])
    about = _read(body).data
    if about.id in ids:
        return msgspec.json.encode(event | {"data": {"id": about.id}, "erased": True}).decode()
    return msgspec.json.encode(event | {"data": _without_reasons(event["data"], ids)}).decode()


def _without_reasons(data: msgspec.Raw, ids: Collection[str]) -> dict[str, Any]:
    """The task without these people's reasons. It has its own from who declined last, where that ended it."""
    task: dict[str, Any] = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
    told = msgspec.json.decode(task["fulfilments"], type=list[dict[str, Any]])
    said = [one["reason"] for one in told if one["userId"] in ids]
    blank = [one | {"reason": None} if one["userId"] in ids else one for one in told]
    ended = msgspec.json.decode(task["status"]) == "DECLINED" and msgspec.json.decode(task["reason"]) in said
    return task | {"fulfilments": blank} | ({"reason": None} if ended else {})
