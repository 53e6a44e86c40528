"""SSRF guard: which URLs and addresses the server may call on behalf of users. It does no I/O.

Python's `is_global` is not enough: it is true for `64:ff9b::7f00:1`, `2002:7f00:1::`, `::127.0.0.1` and `224.0.0.1`.
The ranges are those of the IANA special-purpose registries for IPv4 and IPv6, multicast, and deprecated assignments.
"""

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from yarl import URL

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

MAX_URL = 2048


class ForbiddenUrl(ValueError):
    """The server must not call this URL. `reason` is a short text for its owner, without resolved addresses."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _table(*rows: tuple[str, str]) -> tuple[tuple[Network, str], ...]:
    return tuple((ip_network(text), reason) for text, reason in rows)


_IPV4 = _table(
    ("0.0.0.0/8", "this network"),
    ("10.0.0.0/8", "private"),
    ("100.64.0.0/10", "shared by a carrier"),
    ("127.0.0.0/8", "loopback"),
    ("169.254.0.0/16", "link-local"),
    ("172.16.0.0/12", "private"),
    ("192.0.0.0/24", "protocol assignments"),
    ("192.0.2.0/24", "documentation"),
    ("192.31.196.0/24", "AS112"),
    ("192.52.193.0/24", "AMT relays"),
    ("192.88.99.0/24", "6to4 relays"),
    ("192.168.0.0/16", "private"),
    ("192.175.48.0/24", "AS112"),
    ("198.18.0.0/15", "benchmarking"),
    ("198.51.100.0/24", "documentation"),
    ("203.0.113.0/24", "documentation"),
    ("224.0.0.0/4", "multicast"),
    ("255.255.255.255/32", "broadcast"),
    ("240.0.0.0/4", "reserved"),
)
_IPV6 = _table(
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::/96", "IPv4-compatible"),
    ("::ffff:0:0:0/96", "IPv4-translated"),
    ("64:ff9b:1::/48", "local NAT64"),
    ("100::/64", "discarded"),
    ("100:0:0:1::/64", "dummy prefix"),
    ("2001::/23", "protocol assignments"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("2620:4f:8000::/48", "AS112"),
    ("3fff::/20", "documentation"),
    ("5f00::/16", "segment routing"),
    ("fc00::/7", "private"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "site-local"),
    ("ff00::/8", "multicast"),
    # Only 2000::/3 is assigned to hosts. The rest is forbidden in case it is assigned for another purpose.
    ("::/3", "not global unicast"),
    ("4000::/2", "not global unicast"),
    ("8000::/1", "not global unicast"),
)
# These give credentials to any caller. 168.63.129.16 (Azure) is a public address according to the registries.
_METADATA = frozenset(
    ip_address(text)
    for text in (
        "169.254.169.254",
        "169.254.170.2",
        "169.254.170.23",
        "168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "fd00:ec2::254",
        "fd00:ec2::23",
        "fd20:ce::254",
    )
)
_NAT64 = IPv6Network("64:ff9b::/96")

_UNSAFE = re.compile(r"[\x00-\x20\x7f-\x9f\u2028\u2029\ud800-\udfff\\]")
_AUTHORITY = re.compile(r"https?://([^/?]*)", re.IGNORECASE)
_HOST_AND_PORT = re.compile(r"(\[[^\]]*\]|[^:\[\]]*)(?::([0-9]*))?")
_NUMERIC = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)\.?")
_LABEL = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"
_NAME = re.compile(rf"(?=.{{1,253}}\.?$){_LABEL}(?:\.{_LABEL})*\.?")


class AddressPolicy:
    """Forbids all addresses except public ones and those in the ranges that the operator allows.

    The metadata address of a cloud must be allowed by itself (`/32`, `/128`); a range that contains it is not enough.
    """

    def __init__(self, allow: Sequence[Network] = ()) -> None:
        self._allow = tuple(allow)

    def forbids(self, address: Address) -> str | None:
        """Return why the address is forbidden, in a few words, or None if it is not."""
        return None if self.allows(address) else _forbidden_reason(_unwrap_mapped(address))

    def allows(self, address: Address) -> bool:
        """Return whether the operator has allowed the address. Plain http is restricted to these addresses."""
        bare = _unwrap_mapped(address)
        metadata = bare in _METADATA
        return any(bare in range_ and (range_.num_addresses == 1 or not metadata) for range_ in self._allow)

    def check_addresses(self, addresses: Iterable[Address], *, plain: bool) -> None:
        """Check all addresses of a host; raise `ForbiddenUrl` if any is forbidden. `plain` means http, not https."""
        for address in addresses:
            if reason := self.forbids(address):
                raise ForbiddenUrl(f"the address of the host is forbidden: {reason}")
            if plain and not self.allows(address):
                raise ForbiddenUrl("plain http requires an address that the operator allows")

    def check_url(self, url: str) -> URL:
        """Check and parse a URL. Callers must connect to the returned URL, so that it is not parsed differently.

        Raises `ForbiddenUrl`. A host name is checked later with `check_addresses`, when it is resolved.
        """
        _check_text(url)
        try:
            parsed = URL(url)
        except ValueError:
            raise ForbiddenUrl("not a valid URL") from None
        literal = _parse_literal(parsed.raw_host or "")
        plain = parsed.scheme == "http"
        if literal is not None:
            self.check_addresses((literal,), plain=plain)
        elif plain and not self._allow:
            raise ForbiddenUrl("must begin with https://")
        return parsed


def _unwrap_mapped(address: Address) -> Address:
    # To a socket, a mapped address is the IPv4 address. The zone of an IPv6 address is irrelevant.
    if isinstance(address, IPv4Address):
        return address
    return address.ipv4_mapped or IPv6Address(int(address))


def _forbidden_reason(address: Address) -> str | None:
    if address in _METADATA:
        return "cloud metadata"
    if isinstance(address, IPv6Address) and address in _NAT64:
        inner = _forbidden_reason(IPv4Address(int(address) & 0xFFFFFFFF))
        return inner and f"NAT64 of a forbidden address ({inner})"
    table = _IPV4 if isinstance(address, IPv4Address) else _IPV6
    return next((reason for range_, reason in table if address in range_), None)


def _check_text(url: str) -> None:
    if len(url) > MAX_URL:
        raise ForbiddenUrl(f"longer than {MAX_URL} characters")
    if _UNSAFE.search(url):
        raise ForbiddenUrl("has a space, a backslash or a control character")
    if "#" in url:
        raise ForbiddenUrl("has a fragment (#)")
    start = _AUTHORITY.match(url)
    if start is None:
        raise ForbiddenUrl("must begin with https://")
    if "@" in start[1]:
        raise ForbiddenUrl("has a user name or password before the host")
    match = _HOST_AND_PORT.fullmatch(start[1])
    if match is not None and not match[1]:
        raise ForbiddenUrl("has no host")
    if match is None or (match[1].startswith("[") and ":" not in match[1]):
        raise ForbiddenUrl("not a valid host and port")
    if match[2] and not 1 <= int(match[2][:6]) <= 65535:
        raise ForbiddenUrl("the port must be 1 to 65535")


def _parse_literal(host: str) -> Address | None:
    """Return the address if the host is a literal address, or None if it is a name.

    Raises `ForbiddenUrl` for IPv4 addresses in other notations than four decimal numbers.
    """
    if "%" in host:
        raise ForbiddenUrl("has a zone or a % in its host")
    try:
        if ":" in host:
            return IPv6Address(host)
        if _NUMERIC.fullmatch(host):
            return IPv4Address(host)
    except ValueError:
        raise ForbiddenUrl("write an address as four decimal numbers, or as IPv6 in brackets") from None
    if not _NAME.fullmatch(host):
        raise ForbiddenUrl("not a valid host name")
    return None
