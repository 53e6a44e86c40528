"""The host names under which this installation accepts requests, and which its links may contain.

Without this check, the `Host` header of a request would determine the host of links in emails, and pages of other
sites could access the server under their own host name (DNS rebinding).
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from urllib.parse import urlsplit

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]{2,45}\]|[0-9A-Za-z._\-]{1,254})(:[0-9]{1,5})?")


class AllowedHosts:
    """The host of the base URL, the names in the setting, and the names and addresses of this machine."""

    def __init__(self, names: Iterable[str], base_url: str = "", listen_host: str = "") -> None:
        own = {"localhost", urlsplit(base_url).hostname or "", *_machine_names()} - {""}
        if not _is_address(listen_host):
            own.add(listen_host.lower())
        self._names = frozenset(own | {name.lower() for name in names if not name.startswith((".", "*"))})
        self._any = "*" in names
        self._suffixes = tuple(name.lower().removeprefix("*") for name in names if name.startswith((".", "*.")))

    def allows(self, host: str) -> bool:
        """Return whether requests may use this host, with or without a port."""
        name = parse_host_name(host)
        return name is not None and (
            self._any or name in self._names or name.endswith(self._suffixes) or _is_local_address(name)
        )


def public_address(base_url: str, scheme: str, host: str | None) -> str:
    """Return the scheme and host for links: the operator's base URL or, without one, those of the request.

    `host` is the header of the request. `RequestMiddleware` has rejected requests for hosts that are not allowed, so
    nobody else determines where links lead.
    """
    return base_url or f"{scheme}://{host or 'localhost'}"


@lru_cache(maxsize=1024)
def parse_host_name(host: str) -> str | None:
    """Return the name or address in a `Host` header, in lower case and without brackets; None if it is not valid."""
    match = _HOST.fullmatch(host)
    return match["name"].lower().strip("[]").removesuffix(".") or None if match else None


def _machine_names() -> set[str]:
    name = socket.gethostname().lower()
    first = name.partition(".")[0]
    return {name, first, f"{first}.local"} if first else set()


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _is_local_address(name: str) -> bool:
    """Return whether this is an address of this machine, which is if a socket can be bound to it.

    Names are never resolved, because anybody can point a name to this machine (DNS rebinding).
    """
    if not _is_address(name):
        return False
    address = ipaddress.ip_address(name)
    # A socket can be bound to these, too, although they are not addresses of this machine.
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((name, 0))
        return True
    return False
