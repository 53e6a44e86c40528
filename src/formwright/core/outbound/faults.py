"""What can go wrong with a post, in kinds that stay, and in words for the owner of the URL.

A name that leads behind the SSRF guard and a name that doesn't exist look the same to the owner of the URL, or
anybody with an account could find out which names exist inside the operator's network. The log tells them apart.
"""

import os
import ssl
from typing import Literal

import aiohttp
import structlog
from yarl import URL

from formwright.core.outbound.names import Refused, RefusedToProxy
from formwright.core.outbound.wall import ForbiddenUrl

Kind = Literal["dns", "forbidden", "connect", "tls", "timeout", "reset", "protocol"]

# What the client says where an answer goes on behind its end, and takes that for the next one.
_NO_START = ("Bad status line", "Data after")
_MORE = " (no HTTP, or more than the answer said it holds: a 204 has no body)"


UNREACHABLE = "the name was not found, or leads to an address that may not be reached"
NO_TUNNEL = "the proxy made no connection"
UNTIMED = frozenset({UNREACHABLE, NO_TUNNEL})
"""How long these took isn't told either: an internal name is often found faster than it's found that there is none."""

log = structlog.get_logger()


class PostFailed(Exception):
    """There was no whole answer. `kind` is stable; `detail` is one line of ASCII, and no address that a name led to."""

    def __init__(self, kind: Kind, detail: str, duration_ms: int = 0) -> None:
        super().__init__(f"{kind}: {detail}")
        self.kind, self.detail, self.duration_ms = kind, detail, duration_ms


def fault(error: Exception, url: str) -> tuple[Kind, str]:
    """The kind and the words for what the client raised when it called `url`; timeouts are not among it."""
    inner = error.os_error if isinstance(error, aiohttp.ClientConnectorError) else error
    if isinstance(inner, ForbiddenUrl):
        return "forbidden", str(inner)  # read off the URL itself: nothing was resolved
    if isinstance(inner, RefusedToProxy | aiohttp.ClientHttpProxyError):
        return "connect", _logged(NO_TUNNEL, inner, url)
    if isinstance(inner, Refused) or isinstance(error, aiohttp.ClientConnectorDNSError):
        return "dns", _logged(UNREACHABLE, inner, url)
    if isinstance(error, aiohttp.ClientSSLError) or isinstance(error.__cause__, ssl.SSLError):
        return "tls", _words(inner)
    if isinstance(error, aiohttp.ClientConnectorError):
        return "connect", _words(inner)
    if isinstance(error, aiohttp.ClientConnectionError | OSError):
        return "reset", _words(inner)
    words = _words(inner)
    return "protocol", words + _MORE if words.startswith(_NO_START) else words


def _logged(words: str, error: Exception, url: str) -> str:
    """The words for the owner of the URL, after the operator's log got the reason. Its path may hold secrets."""
    status = getattr(error, "status", None)
    log.info("an outbound call was not made", host=URL(url).host, reason=_words(error), proxy_status=status)
    return words


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
