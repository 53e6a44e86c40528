"""Posts through the operator's proxy."""

from collections.abc import Sequence

import pytest
from fixtures.certificates import Certificates, made_in
from fixtures.http_sinks import LOOPBACK, OK, Receiver, a_client, answers, fails, resolves
from fixtures.proxy import Proxy

from formwright.core.net.ssrf_guard import AddressPolicy

LOCAL = resolves(["127.0.0.1"])


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return made_in(tmp_path_factory.mktemp("tls"))


async def test_plain_posts_go_through_the_proxy() -> None:
    async with Proxy() as proxy, Receiver(answers(OK)) as it, a_client(LOOPBACK, LOCAL, proxy=proxy.url) as client:
        url = f"http://receiver.example:{it.port}/hook"
        assert (await client.post(url, headers={}, body=b'{"a":1}')).status == 200
    assert proxy.asked == [f"POST {url} HTTP/1.1"]
    assert it.bodies == [b'{"a":1}']


async def test_tls_is_tunnelled_through_the_proxy_and_verified(certificates: Certificates) -> None:
    served = Receiver(answers(OK), certificates.server)
    async with Proxy() as proxy, served as it:
        async with a_client(LOOPBACK, LOCAL, certificates.trusting, proxy.url) as client:
            for _ in range(2):
                response = await client.post(f"https://receiver.example:{it.port}/", headers={}, body=b"{}")
                assert response.status == 200
            assert (await fails(client, f"https://other.example:{it.port}/")).kind == "tls"
        async with a_client(LOOPBACK, LOCAL, proxy=proxy.url) as client:
            assert (await fails(client, f"https://receiver.example:{it.port}/")).kind == "tls"
    assert {line.split()[0] for line in proxy.asked} == {"CONNECT"}
    assert len(it.bodies) == 2


@pytest.mark.parametrize(
    ("url", "kind"),
    [
        ("https://hidden.example/", "connect"),
        ("https://10.0.0.1/", "forbidden"),
        ("http://receiver.example/", "forbidden"),
    ],
)
async def test_forbidden_targets_are_not_requested_from_the_proxy(url: str, kind: str) -> None:
    async with Proxy() as proxy, a_client(AddressPolicy(), resolves(["10.0.0.1"]), proxy=proxy.url) as client:
        assert (await fails(client, url)).kind == kind
    assert proxy.asked == []


async def test_a_name_that_only_the_proxy_resolves_is_allowed(certificates: Certificates) -> None:
    async def unknown(host: str) -> Sequence[str]:
        if host == "127.0.0.1":
            return [host]
        raise OSError("no such name")

    served = Receiver(answers(OK), certificates.server)
    async with (
        Proxy() as proxy,
        served as it,
        a_client(AddressPolicy(), unknown, certificates.trusting, proxy.url) as client,
    ):
        response = await client.post(f"https://receiver.example:{it.port}/", headers={}, body=b"{}")
    assert response.status == 200
    assert proxy.asked == [f"CONNECT receiver.example:{it.port} HTTP/1.1"]


async def test_a_rejecting_proxy_and_a_missing_one_are_reported() -> None:
    async with Proxy(refusal=403) as proxy, a_client(LOOPBACK, LOCAL, proxy=proxy.url) as client:
        failure = await fails(client, "https://receiver.example:1234/")
    assert (failure.kind, failure.detail) == ("connect", "the proxy could not connect")
    async with a_client(LOOPBACK, LOCAL, proxy=proxy.url) as client:
        assert (await fails(client, "https://receiver.example:1234/")).kind == "connect"
