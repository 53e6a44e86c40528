"""Grouping of client addresses for rate limits."""

import ipaddress


def to_network(address: str) -> str:
    """Return the address of the network that a single client may have: an IPv4 address, or an IPv6 /64 network."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(parsed if parsed.version == 4 else ipaddress.ip_network((parsed, 64), strict=False).network_address)


def is_local(address: str) -> bool:
    """Return whether this is a loopback address, or not an address at all.

    Behind a local proxy that the operator has not configured, all clients have a loopback address.
    """
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True
