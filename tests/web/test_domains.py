"""Settings, Sign-in, Domains: an owner claims an email domain with a DNS record."""

import html
import re

import dns.asyncresolver
import pytest
from actors import Account
from factories.requests import get
from factories.web_client import visit
from fixtures.dns_server import NameServer

from formwright.core.net import dns_txt

PATH = "/settings/sign-in/domains"


async def test_a_domain_is_claimed_with_its_own_record_only(
    account: Account, stranger: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone: dict[str, list[list[str]]] = {}
    async with visit(account) as owner, visit(stranger) as other, NameServer(zone) as server:

        def create_resolver() -> dns.asyncresolver.Resolver:
            resolver = dns.asyncresolver.Resolver(configure=False)
            resolver.nameservers, resolver.port = ["127.0.0.1"], server.port
            return resolver

        monkeypatch.setattr(dns_txt, "create_resolver", create_resolver)
        page = (await owner.http.get(f"{PATH}?domain=%40Acme.Example")).text
        values = [html.unescape(one) for one in re.findall(r'value="([^"]*)" readonly', page)]
        assert values[0] == "_formwright.acme.example"
        assert re.fullmatch(r"formwright-domain=[a-z2-7]{32}", values[1])
        theirs = (await other.http.get(f"{PATH}?domain=acme.example")).text
        assert values[1] not in theirs, "another account has another record"

        async def verify() -> tuple[int, str]:
            response = await owner.post(PATH, {"domain": "acme.example"})
            return response.status_code, response.text

        status, text = await verify()
        assert (status, "There is no such record" in text) == (422, True)
        their_value = re.findall(r'value="(formwright-domain=[^"]*)"', theirs)[0]
        for records in (["TXT formwright-domain=", "TXT x"], [f"TXT {their_value}"], ["A 192.0.2.1"]):
            zone["_formwright.acme.example"] = [records]
            assert (await verify())[0] == 422, records
        zone["_formwright.acme.example"] = [["TXT v=spf1", f'TXT "{values[1][:20]}" "{values[1][20:]}"']]
        assert (await verify())[0] == 303
        assert "acme.example" in (await owner.http.get("/settings/sign-in")).text
        assert (await other.post(PATH, {"domain": "acme.example"})).status_code == 422
        for domain in ("", "nodots", "a b.example", "x" * 300 + ".example", "münchen.example", "../x.example"):
            assert (await owner.post(PATH, {"domain": domain})).status_code == 422, domain
        assert (await owner.http.get(f"{PATH}?domain=nodots")).status_code == 422
        assert (await owner.post(f"{PATH}/release", {"domain": "acme.example"})).status_code == 303
        assert (await owner.post(f"{PATH}/release", {"domain": "acme.example"})).status_code == 303
        assert "No domains yet" in (await owner.http.get(PATH)).text
    entries = (await get(account, f"/customers/{account.id}/audit?resourceType=domain"))["items"]
    assert [entry["action"] for entry in reversed(entries)] == ["domain.claimed", "domain.released"]


async def test_a_silent_name_server_is_a_clear_error(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    def create_resolver() -> dns.asyncresolver.Resolver:
        resolver = dns.asyncresolver.Resolver(configure=False)
        resolver.nameservers, resolver.port = ["127.0.0.1"], 9
        return resolver

    monkeypatch.setattr(dns_txt, "create_resolver", create_resolver)
    monkeypatch.setattr(dns_txt, "TIMEOUT_S", 0.5)
    async with visit(account) as owner:
        response = await owner.post(PATH, {"domain": "acme.example"})
    assert (response.status_code, "The name servers didn’t answer" in response.text) == (422, True)
