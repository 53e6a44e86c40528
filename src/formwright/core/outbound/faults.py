"""What can go wrong with a post, in kinds that stay, and in words for the owner of the URL."""

import os
import ssl
from typing import Literal

import aiohttp

from formwright.core.outbound.names import Refused
from formwright.core.outbound.wall import ForbiddenUrl

Kind = Literal["dns", "forbidden", "connect", "tls", "timeout", "reset", "protocol"]

# What the client says where an answer goes on behind its end, and takes that for the next one.
_NO_START = ("Bad status line", "Data after")
_MORE = " (no HTTP, or more than the answer said it holds: a 204 has no body)"


class PostFailed(Exception):
    """There was no whole answer. `kind` is stable; `detail` is one line of ASCII, and no address that a name led to."""

    def __init__(self, kind: Kind, detail: str, duration_ms: int = 0) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail, self.duration_ms = kind, detail, duration_ms


def fault(error: Exception) -> tuple[Kind, str]:
    """The kind and the words for what the client raised; timeouts are not among it."""
    inner = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(inner, ForbiddenUrl | Refused):
        return "forbidden", str(inner)
    if isinstance(error, aiohttp.ClientHttpProxyError):
        return "connect", f"the proxy answered {error.status}"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return "dns", _words(inner)
    if isinstance(error, aiohttp.ClientSSLError) or isinstance(error.__cause__, ssl.SSLError):
        return "tls", _words(inner)
    if isinstance(error, aiohttp.ClientConnectorError):
        return "connect", _words(inner)
    if isinstance(error, aiohttp.ClientConnectionError | OSError):
        return "reset", _words(inner)
    words = _words(inner)
    return "protocol", words + _MORE if words.startswith(_NO_START) else words


def _words(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        text = f"certificate: {error.verify_message}"
    elif isinstance(error, ssl.SSLError):
        text = (error.reason or "TLS failed").replace("_", " ").lower()
    elif isinstance(error, OSError) and error.errno:
        # The libraries print the address that they tried; the number says enough. Name servers count below zero.
        text = os.strerror(error.errno) if error.errno > 0 else error.strerror or "not found"
    elif isinstance(error, aiohttp.ClientResponseError):
        text = error.message
    else:
        text = str(error)
    first = next(iter(text.splitlines()), "").rstrip(" :")
    return first[:200].encode("ascii", "backslashreplace").decode() or "failed"
