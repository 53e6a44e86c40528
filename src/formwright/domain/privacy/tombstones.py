"""What an event of the log becomes when the person of whom it tells is erased.

Its id, its sequence, its type and its time stay, so that the log has no gap; of its data the id alone.
"""

from collections.abc import Collection

import msgspec


class _About(msgspec.Struct):
    id: str = ""


class _Event(msgspec.Struct):
    data: _About = msgspec.field(default_factory=_About)


_read = msgspec.json.Decoder(_Event).decode


def tells_of(body: str, ids: Collection[str]) -> bool:
    """Whether the event is about one of these."""
    return _read(body).data.id in ids


def tombstone(body: str) -> str:
    """The event without what it told. Done again it is the same."""
    event = msgspec.json.decode(body)
    return msgspec.json.encode(event | {"data": {"id": event["data"]["id"]}, "erased": True}).decode()
