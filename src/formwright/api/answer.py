"""What the API answers: bytes, which are compressed for those who take that."""

from dataclasses import dataclass, field
from typing import Any

from litestar.types import Send

from formwright.api.compressing import pressed, taken

_BODILESS = (204, 304)


@dataclass(slots=True)
class Answer:
    """A status, a body with its media type, and further header fields."""

    status: int
    content: bytes = b""
    media_type: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    async def send(self, send: Send, accept_encoding: str) -> None:
        """Send it to who takes answers in these encodings."""
        headers, body = await pressed(self.status, self._headers(), self.content, taken(accept_encoding))
        if self.status not in _BODILESS:
            headers.append((b"content-length", b"%d" % len(body)))
        start: Any = {"type": "http.response.start", "status": self.status, "headers": headers}
        await send(start)
        end: Any = {"type": "http.response.body", "body": body}
        await send(end)

    def _headers(self) -> list[tuple[bytes, bytes]]:
        own = [(name.encode(), value.encode("latin-1")) for name, value in self.headers.items()]
        return [(b"content-type", self.media_type.encode()), *own] if self.media_type else own
