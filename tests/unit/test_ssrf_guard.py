"""The SSRF guard: both ends of each forbidden range, and their public neighbours."""

from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.core.net.ssrf_guard import AddressPolicy, ForbiddenUrl

POLICY = AddressPolicy()

REFUSED = [
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
    ("240.0.0.0/5", "reserved"),
    ("255.255.255.255/32", "broadcast"),
    ("::/128", "unspecified"),
    ("::1/128", "loopback"),
    ("::7f00:0/104", "IPv4-compatible"),
    ("::ffff:0:0:0/96", "IPv4-translated"),
    ("64:ff9b:1::/48", "local NAT64"),
    ("100::/64", "discarded"),
    ("100:0:0:1::/64", "dummy prefix"),
    ("200::/7", "not global unicast"),
    ("2001::/32", "protocol assignments"),
    ("2001::/23", "protocol assignments"),
    ("2001:db8::/32", "documentation"),
    ("2002::/16", "6to4"),
    ("2620:4f:8000::/48", "AS112"),
    ("3fff::/20", "documentation"),
    ("4000::/3", "not global unicast"),
    ("5f00::/16", "segment routing"),
    ("8000::/2", "not global unicast"),
    ("fc00::/7", "private"),
    ("fe80::/10", "link-local"),
    ("fec0::/10", "site-local"),
    ("ff00::/8", "multicast"),
    ("::ffff:127.0.0.0/104", "loopback"),
    ("::ffff:10.0.0.0/104", "private"),
    ("64:ff9b::7f00:0/104", "NAT64 of a forbidden address (loopback)"),
    ("64:ff9b::a9fe:0/112", "NAT64 of a forbidden address (link-local)"),
]


BESIDE = """
    1.0.0.0 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 169.253.255.255
    169.255.0.0 172.15.255.255 172.32.0.0 191.255.255.255 192.0.1.0 192.0.3.0 192.88.98.255 192.88.100.0
    192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 198.51.101.0 203.0.112.255 203.0.114.0
    223.255.255.255 2001:200:: 2001:db7:ffff:: 2001:db9:: 2001:4860:4860::8888 2003:: 2606:4700:: 2620:4f:8001::
    2a00:: 3ffe:: 3fff:1000:: ::ffff:8.8.8.8 64:ff9b::8.8.8.8
"""
METADATA = """
    169.254.169.254 169.254.170.2 168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254 fd20:ce::254
    ::ffff:169.254.169.254
"""


@pytest.mark.parametrize(("range_", "reason"), REFUSED)
def test_both_ends_of_a_special_range_are_forbidden(range_: str, reason: str) -> None:
    network = ip_network(range_)
    assert POLICY.forbids(network[0]) == reason
    assert POLICY.forbids(network[-1]) == reason


@pytest.mark.parametrize("text", BESIDE.split())
def test_public_neighbours_of_the_special_ranges_are_allowed(text: str) -> None:
    assert POLICY.forbids(ip_address(text)) is None


@pytest.mark.parametrize("text", METADATA.split())
def test_cloud_metadata_is_forbidden_even_if_a_range_around_it_is_allowed(text: str) -> None:
    address = ip_address(text)
    everything = AddressPolicy([ip_network("0.0.0.0/0"), ip_network("::/0")])
    assert POLICY.forbids(address) == "cloud metadata"
    assert everything.forbids(address) == "cloud metadata"
    assert everything.forbids(ip_address("169.254.1.1")) is None


def test_cloud_metadata_can_be_allowed_by_its_own_address() -> None:
    policy = AddressPolicy([ip_network("169.254.169.254/32")])
    assert policy.forbids(ip_address("169.254.169.254")) is None
    assert policy.forbids(ip_address("169.254.169.253")) == "link-local"


def test_cloud_metadata_behind_nat64_is_forbidden() -> None:
    assert POLICY.forbids(ip_address("64:ff9b::169.254.169.254")) == "NAT64 of a forbidden address (cloud metadata)"


@given(st.ip_addresses())
def test_addresses_that_python_considers_local_are_forbidden(address: IPv4Address | IPv6Address) -> None:
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        assert POLICY.forbids(address)


@given(st.ip_addresses(v=4))
def test_embedded_addresses_are_forbidden(address: IPv4Address) -> None:
    reason = POLICY.forbids(address)
    mapped = IPv6Address(int(IPv6Address("::ffff:0:0")) | int(address))
    translated = IPv6Address(int(IPv6Address("64:ff9b::")) | int(address))
    assert POLICY.forbids(mapped) == reason
    assert (POLICY.forbids(translated) is None) == (reason is None)


def test_the_operator_can_allow_a_range() -> None:
    policy = AddressPolicy([ip_network("10.1.0.0/16"), ip_network("fd12::/16")])
    assert policy.forbids(ip_address("10.1.2.3")) is None
    assert policy.forbids(ip_address("::ffff:10.1.2.3")) is None
    assert policy.forbids(ip_address("fd12::7")) is None
    assert policy.forbids(ip_address("10.2.0.0")) == "private"
    assert policy.forbids(ip_address("64:ff9b::10.1.2.3")) == "NAT64 of a forbidden address (private)"


def test_the_zone_of_an_address_is_ignored() -> None:
    assert POLICY.forbids(ip_address("fe80::1%eth0")) == "link-local"
    assert POLICY.forbids(ip_address("fd00:ec2::254%1")) == "cloud metadata"


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/hook?a=b",
        "https://example.org:8443",
        "HTTPS://Example.ORG./x",
        "https://bücher.example/ü",
        "https://hooks_1.example/",
        "https://receiver/",
        "https://8.8.8.8/",
        "https://[2606:4700::1]:443/",
        "https://example.org/@me",
        "https://1e100.example/",
    ],
)
def test_ordinary_urls_are_allowed(url: str) -> None:
    assert POLICY.check_url(url).scheme == "https"


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "must begin with https://"),
        ("example.org", "must begin with https://"),
        ("//example.org/", "must begin with https://"),
        ("https:/example.org", "must begin with https://"),
        ("ftp://example.org/", "must begin with https://"),
        ("file:///etc/passwd", "must begin with https://"),
        ("http://example.org/", "must begin with https://"),
        ("http://8.8.8.8/", "plain http requires"),
        ("https://", "no host"),
        ("https:///x", "no host"),
        ("https://:443/", "no host"),
        ("https://me@example.org/", "user name"),
        ("https://me:secret@example.org/", "user name"),
        ("https://@example.org/", "user name"),
        ("https://example.org@127.0.0.1/", "user name"),
        ("https://example.org:0/", "port"),
        ("https://example.org:65536/", "port"),
        ("https://example.org:4433333333333/", "port"),
        ("https://example.org:+80/", "host and port"),
        ("https://example.org:8０/", "host and port"),
        ("https://example.org:x/", "host and port"),
        ("https://example.org/#top", "fragment"),
        ("https://example.org/#", "fragment"),
        ("https://example.org/a b", "space"),
        ("https://example.org\\@127.0.0.1/", "backslash"),
        (" https://example.org/", "space"),
        ("https://example.org/\r\nX: y", "control character"),
        ("https://exam\tple.org/", "control character"),
        ("https://example.org/\x00", "control character"),
        ("https://example.org/\ud800", "control character"),
        ("https://example.org/" + "a" * 2048, "longer than 2048"),
        ("https://127.0.0.1/", "loopback"),
        ("https://１２７.０.０.１/", "loopback"),
        ("https://127。0。0。1/", "loopback"),
        ("https://[::1]/", "loopback"),
        ("https://[::ffff:127.0.0.1]/", "loopback"),
        ("https://[::ffff:7f00:1]/", "loopback"),
        ("https://[::127.0.0.1]/", "IPv4-compatible"),
        ("https://[64:ff9b::10.0.0.1]/", "NAT64"),
        ("https://169.254.169.254/latest/meta-data", "cloud metadata"),
        ("https://0/", "four decimal numbers"),
        ("https://127.1/", "four decimal numbers"),
        ("https://127.0.1/", "four decimal numbers"),
        ("https://2130706433/", "four decimal numbers"),
        ("https://0x7f000001/", "four decimal numbers"),
        ("https://0x7f.0.0.1/", "four decimal numbers"),
        ("https://127.0.0.0x1/", "four decimal numbers"),
        ("https://0177.0.0.1/", "four decimal numbers"),
        ("https://127.0.0.1./", "four decimal numbers"),
        ("https://256.1.1.1/", "four decimal numbers"),
        ("https://1.2.3.4.5/", "four decimal numbers"),
        ("https://example.0x/", "four decimal numbers"),
        ("https://[::g]/", "four decimal numbers"),
        ("https://xn--/", "host name"),
        ("https://\u2048\u0338/", "not a valid URL"),
        ("https://[::1/", "host and port"),
        ("https://[v1.x]/", "host and port"),
        ("https://[fe80::1%25eth0]/", "zone"),
        ("https://[fe80::1%eth0]/", "zone"),
        ("https://127.0.0.%31/", "%"),
        ("https://a..b/", "host name"),
        ("https://-a.example/", "host name"),
        ("https://a,b.example/", "host name"),
        ("https://" + "a" * 64 + ".example/", "host name"),
        ("https://" + "a." * 127 + "example/", "host name"),
    ],
)
def test_forbidden_urls_have_a_reason(url: str, reason: str) -> None:
    with pytest.raises(ForbiddenUrl) as refusal:
        POLICY.check_url(url)
    assert reason in refusal.value.reason


def test_plain_http_requires_an_allowed_range() -> None:
    policy = AddressPolicy([ip_network("10.0.0.0/8")])
    assert str(policy.check_url("http://10.1.2.3/x")) == "http://10.1.2.3/x"
    assert policy.check_url("http://receiver.internal/").host == "receiver.internal"
    policy.check_addresses([ip_address("10.0.0.1")], plain=True)
    with pytest.raises(ForbiddenUrl, match="plain http"):
        policy.check_url("http://8.8.8.8/")
    with pytest.raises(ForbiddenUrl, match="plain http"):
        policy.check_addresses([ip_address("10.0.0.1"), ip_address("8.8.8.8")], plain=True)


def test_a_single_forbidden_address_is_enough_and_is_not_revealed() -> None:
    with pytest.raises(ForbiddenUrl, match="private") as refusal:
        POLICY.check_addresses([ip_address("8.8.8.8"), ip_address("192.168.7.9")], plain=False)
    assert "192.168" not in str(refusal.value)


@given(st.text(max_size=80))
def test_any_text_is_parsed_or_rejected(text: str) -> None:
    for url in (text, "https://" + text):
        with suppress(ForbiddenUrl):
            assert POLICY.check_url(url).raw_host
