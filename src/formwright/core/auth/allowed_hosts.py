"""The hosts under which this installation may be called, and so the hosts that links may name.

Without this rule anybody could choose the host of a link in an email by the `Host` header of a request, and a page of
another site could reach the server under its own name (DNS rebinding).
"""

import ipaddress
import re
import socket
from collections.abc import Iterable
from contextlib import suppress
from functools import lru_cache
from urllib.parse import urlsplit

_HOST = re.compile(r"(?P<name>\[[0-9a-fA-F:.]+\]|[0-9A-Za-z._\-]+)(:[0-9]{1,5})?")


class AllowedHosts:
    """The public address, the names in the setting, and this machine itself: its name and its addresses."""

    def __init__(self, names: Iterable[str], base_url: str = "", listen_host: str = "") -> None:
        own = {"localhost", urlsplit(base_url).hostname or "", *_machine_names()} - {""}
        if not _is_address(listen_host):
            own.add(listen_host.lower())
        self._names = frozenset(own | {name.lower() for name in names if not name.startswith((".", "*"))})
        self._any = "*" in names
        self._suffixes = tuple(name.lower().removeprefix("*") for name in names if name.startswith((".", "*.")))

    def allows(self, host: str) -> bool:
        """Whether a request may name this host, with or without a port."""
        name = parse_host_name(host)
        return name is not None and (
            self._any or name in self._names or name.endswith(self._suffixes) or _is_local_address(name)
        )


@lru_cache(maxsize=1024)
def parse_host_name(host: str) -> str | None:
    """The name or address in a `Host` header, in lower case and without brackets; None if it isn't one."""
    found = _HOST.fullmatch(host)
    return found["name"].lower().strip("[]").removesuffix(".") or None if found else None


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
    """Whether this is an address of this machine: a socket can be bound to no other.

    A name that somebody points here (DNS rebinding) is no address.
    """
    if not _is_address(name):
        return False
    address = ipaddress.ip_address(name)
    if address.is_unspecified or address.is_multicast:
        return False
    family = socket.AF_INET6 if address.version == 6 else socket.AF_INET
    with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
        probe.bind((name, 0))
        return True
    return False
