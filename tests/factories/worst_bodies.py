"""Bodies that are small to send and costly to read."""

import json
from collections.abc import Iterator
from typing import Any

from formwright.asgi.request_limits import MAX_QUERY_BYTES, MAX_QUERY_PARAMETERS


def _times(unit: bytes, size: int) -> bytes:
    """Return a list of copies, about this size in total."""
    return b"[" + b",".join([unit] * (size // (len(unit) + 1))) + b"]"


def _members(name: str, size: int) -> bytes:
    return b"{" + b",".join(b'"%s%d":1' % (name.encode(), n) for n in range(size // (len(name) + 9))) + b"}"


def raw_values(size: int) -> dict[str, bytes]:
    """Return JSON of about this size, by the kind of problem in it."""
    return {
        "unknown members": _members("a", size),
        "escaped members": _members("\\u0000", size),
        "the same member": b"{" + b",".join([b'"a":1'] * (size // 6)) + b"}",
        "empty objects": _times(b"{}", size),
        "rows": _times(b'{"y":1,"z":[]}', size),
        "numbers": _times(b"1", size),
        "long numbers": _times(b"9" * 450, size),
        "one number": b"9" * size,
        "deep lists": _times(b"[" * 90 + b"]" * 90, size),
        "a deep list": b"[" * (size // 2) + b"]" * (size // 2),
        "one text": b'"' + b"x" * size + b'"',
        "escapes": b'"' + b"\\u0000" * (size // 6) + b'"',
        "texts with commas": _times(b'",[{"', size),
    }


def bodies(good: dict[str, Any], size: int) -> Iterator[tuple[str, bytes]]:
    """Return bodies by name: a good one with more properties, and with the worst in place of each property."""
    values = raw_values(size)
    yield "a good body with unknown members", json.dumps(good)[:-1].encode() + b"," + values["unknown members"][1:]
    for name, value in good.items():
        kinds = ("unknown members", "rows", "deep lists") if isinstance(value, dict | list) else ("rows",)
        for kind in kinds:
            marker = json.dumps({**good, name: "MARK"}).encode()
            yield f"{name} as {kind}", marker.replace(b'"MARK"', values[kind])


def forms(size: int) -> dict[str, tuple[str, bytes]]:
    """Return the media type and bytes of posted forms, by the kind of problem in them."""
    part = b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n'
    file = b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
    encoded, several = "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"
    return {
        "many fields": (encoded, b"a=1&" * (size // 4)),
        "empty fields": (encoded, b"&" * size),
        "escapes": (encoded, b"a=" + b"%00" * (size // 3)),
        "many parts": (several, part * (size // len(part)) + b"--x--\r\n"),
        "half boundaries": (several, file + b"\r\n--" * (size // 4) + b"\r\n--x--\r\n"),
        "no end": (several, file + b"\r\n" * (size // 2)),
    }


def queries() -> dict[str, str]:
    """Return the largest query strings that are allowed, by the kind of problem in them."""
    size = MAX_QUERY_BYTES - 8
    return {
        "members": "a&" * (MAX_QUERY_PARAMETERS - 1),
        "values": "limit=" + "9" * size,
        "escapes": "q=" + "%00" * (size // 3),
    }
