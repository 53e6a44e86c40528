"""Which addresses count as one when something is limited."""

import ipaddress


def to_network(address: str) -> str:
    """The network that one customer of a provider has: an IPv4 address, or an IPv6 network of 64 bits."""
    try:
        read = ipaddress.ip_address(address)
    except ValueError:
        return address
    return str(read if read.version == 4 else ipaddress.ip_network((read, 64), strict=False).network_address)


def is_local(address: str) -> bool:
    """Whether it is this machine's, or none: behind a proxy here that the operator did not name, everybody's is."""
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return True
