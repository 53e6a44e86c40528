"""The client address of a request: forwarding headers are only trusted from configured proxies."""

from ipaddress import ip_network

import pytest

from formwright.asgi.middleware import client_address

TRUSTED = [ip_network("10.0.0.0/8"), ip_network("fd00::/8")]


@pytest.mark.parametrize(
    ("client", "forwarded", "address"),
    [
        ("203.0.113.9", "", "203.0.113.9"),
        ("203.0.113.9", "198.51.100.1", "203.0.113.9"),
        ("10.0.0.1", "198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1", "198.51.100.1"),
        ("10.0.0.1", "1.1.1.1, 198.51.100.1, 10.0.0.2", "198.51.100.1"),
        ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1, nonsense", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.1:4711", "198.51.100.1"),
        ("fd00::1", "[2001:db8::1]:4711", "2001:db8::1"),
        ("::ffff:10.0.0.1", "2001:db8::1", "2001:db8::1"),
        ("::ffff:203.0.113.9", "", "203.0.113.9"),
        ("", "198.51.100.1", ""),
    ],
)
def test_the_client_address_is_the_last_that_is_not_a_trusted_proxy(client: str, forwarded: str, address: str) -> None:
    headers = [(b"x-forwarded-for", part.encode()) for part in forwarded.split(", ") if part]
    whole = [(b"x-forwarded-for", forwarded.encode())] if forwarded else []
    for sent in (headers, whole):
        assert client_address({"client": (client, 1), "headers": sent}, TRUSTED) == address


def test_without_a_client_the_address_is_empty() -> None:
    assert client_address({"client": None, "headers": []}, TRUSTED) == ""
