"""Bots on a public link can fill neither the disk nor the database, and affect nobody else."""

import asyncio
import uuid
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from ipaddress import ip_network
from typing import Any

import httpx
import pytest
from actors import Account, Stage
from factories.files import FIELDS, png
from factories.forms import form
from factories.submissions import submission
from fixtures.app_contexts import SetClock
from fixtures.statement_recorder import hearing

from formwright import migrations
from formwright.app import create_app
from formwright.asgi.middleware import RequestMiddleware
from formwright.core.pagination import Window
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditFilter
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

SUBMISSIONS, MIB = 20, 1
NOW = 1_780_000_000_000
DAY_MS = 24 * 3600 * 1000


@asynccontextmanager
async def _stages(settings: Settings, clock: SetClock, count: int = 1) -> AsyncIterator[list[Stage]]:
    """Run the application as several processes on one database."""
    await migrations.upgrade(settings)
    async with _running(settings, clock) as first:
        if count == 1:
            yield [first]
            return
        async with _running(settings, clock) as second:
            yield [first, second]


@asynccontextmanager
async def _running(settings: Settings, clock: SetClock) -> AsyncIterator[Stage]:
    entrance = create_app(settings, clock=clock, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")


def _from(entrance: RequestMiddleware, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(entrance, raise_app_exceptions=False, client=(address, 40_000))
    return httpx.AsyncClient(transport=transport, base_url="https://forms.test")


async def _fill(http: httpx.AsyncClient, form: dict[str, Any], method: str = "POST") -> httpx.Response:
    body = {"versionId": form["publishedVersionId"], "data": {"site": "Pier"}}
    return await http.request(method, f"{form['fillPath']}/submissions/{uuid.uuid4()}", json=body)


async def _upload(http: httpx.AsyncClient, form: dict[str, Any], number: int) -> httpx.Response:
    content = png(number) + bytes(100 * 1024) + number.to_bytes(4)
    headers = {"content-type": "image/png", "x-file-name": "a.png"}
    return await http.post(f"{form['fillPath']}/files?field=photos", content=content, headers=headers)


async def _hammer(entrance: RequestMiddleware, form: dict[str, Any], rounds: int) -> list[httpx.Response]:
    async with _from(entrance, "203.0.113.9") as http:
        found = []
        for number in range(rounds):
            found += await asyncio.gather(
                _fill(http, form), _fill(http, form, "PUT"), _upload(http, form, number), http.get(form["fillPath"])
            )
        return found


async def _count(account: Account, sql: str) -> int:
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one(sql, account.id)
    return int(row[0]) if row else 0


async def test_a_link_has_quotas(own_settings: Settings) -> None:
    small = replace(own_settings, link_daily_submissions=SUBMISSIONS, link_daily_mib=MIB)
    clock = SetClock(NOW)
    async with _stages(small, clock, 2) as (one, other), one.account() as account, one.account("Else") as stranger:
        forms, beside, strange = [await form(each, fields=FIELDS) for each in (account, account, stranger)]
        answers = [
            answer
            for each in await asyncio.gather(*(_hammer(stage.entrance, forms, 15) for stage in (one, other)))
            for answer in each
        ]
        counts = Counter(response.status_code for response in answers)
        assert set(counts) == {200, 201, 429}
        refused = [response for response in answers if response.status_code == 429]
        assert {response.json()["code"] for response in refused} == {"fill.quota_exceeded"}
        assert all(0 < int(response.headers["retry-after"]) <= 24 * 3600 for response in refused)
        submissions = await _count(account, "SELECT COUNT(*) FROM submissions WHERE customer_id = $1")
        stored = await _count(account, "SELECT SUM(size) FROM files WHERE customer_id = $1")
        assert SUBMISSIONS // 2 < submissions <= SUBMISSIONS
        assert MIB * 2**19 < stored <= MIB * 2**20
        async with _from(one.entrance, "198.51.100.4") as http:
            assert (await http.get(forms["fillPath"])).status_code == 200, "opening the form is still possible"
            for link in (beside, strange):
                assert (await _fill(http, link)).status_code == 201
                assert (await _upload(http, link, 1)).status_code == 201
        await submission(account, forms, data={"site": "Pier"})
        entries = (await _entries(account)).items
        assert sorted((entry.action, entry.resource_id, entry.resource_name) for entry in entries) == [
            ("form.limit_reached", forms["id"], "kib"),
            ("form.limit_reached", forms["id"], "submissions"),
        ], "the account learns of each limit, once"
        clock.ms += DAY_MS
        async with _from(other.entrance, "203.0.113.9") as http:
            assert (await _fill(http, forms)).status_code == 201, "the quota refills"


async def _entries(account: Account) -> Any:
    async with account.ctx.db.reading() as tx:
        return await audit.page(tx, account.actor, AuditFilter(action="form.limit_reached"), Window(10))


@pytest.mark.slow
async def test_an_account_has_a_quota_for_all_its_links(own_settings: Settings) -> None:
    small = replace(own_settings, account_daily_submissions=3)
    async with _stages(small, SetClock(NOW)) as (stage,), stage.account() as account, stage.client() as http:
        links = [await form(account) for _ in range(4)]
        assert [(await _fill(http, link)).status_code for link in links] == [201, 201, 201, 429]


@pytest.mark.slow
async def test_rejected_and_repeated_requests_do_not_count(own_settings: Settings) -> None:
    small = replace(own_settings, link_daily_submissions=2, link_daily_mib=1)
    async with _stages(small, SetClock(NOW)) as (stage,), stage.account() as account, stage.client() as http:
        new_form = await form(account, fields=FIELDS)
        address = f"{new_form['fillPath']}/submissions/{uuid.uuid4()}"
        body = {"versionId": new_form["publishedVersionId"], "data": {"site": "Pier"}}
        for _ in range(5):
            bad = {**body, "data": {"site": "x" * 900_000}, "versionId": "ver_" + "0" * 26}
            assert (await http.post(f"{address[:-36]}{uuid.uuid4()}", json=bad)).status_code >= 400
            text = await http.post(f"{new_form['fillPath']}/files?field=photos", content=b"no picture" + bytes(900_000))
            assert text.status_code == 422
        statuses = [(await http.put(address, json=body)).status_code for _ in range(5)]
        statuses += [(await http.post(address, json=body)).status_code for _ in range(5)]
        assert statuses == [200] * 5 + [201] + [200] * 4
        assert (await _fill(http, new_form)).status_code == 201
        assert (await _fill(http, new_form)).status_code == 429


async def test_refused_requests_write_nothing(own_settings: Settings) -> None:
    small = replace(own_settings, link_daily_submissions=1)
    async with _stages(small, SetClock(NOW)) as (stage,), stage.account() as account, stage.client() as http:
        new_form = await form(account)
        assert [(await _fill(http, new_form)).status_code for _ in range(2)] == [201, 429]
        with hearing() as heard:
            assert {(await _fill(http, new_form)).status_code for _ in range(20)} == {429}
        assert not [text for text in map(str, heard) if "INSERT" in text or "UPDATE" in text]


@pytest.mark.slow
@pytest.mark.parametrize("address", ["203.0.113.9", "2001:db8:1:2::9"])
async def test_requests_are_limited_per_address(own_settings: Settings, address: str) -> None:
    clock = SetClock(NOW)
    settings = replace(own_settings, fill_rate_limit=10, trusted_proxies=(ip_network("127.0.0.1/32"),))
    async with _stages(settings, clock) as (stage,), stage.account() as account:
        new_form = await form(account)
        async with _from(stage.entrance, address) as http:
            statuses = [(await http.get(new_form["fillPath"])).status_code for _ in range(12)]
            assert statuses == [200] * 10 + [429] * 2
            refused = await http.get(new_form["fillPath"], headers={"accept-language": "de"})
            assert (refused.headers["retry-after"], refused.headers["content-type"]) == (
                "6",
                "text/html; charset=utf-8",
            )
            assert "Dieses Formular ist überlastet" in refused.text
            for response in (await _fill(http, new_form), await _fill(http, new_form, "PUT")):
                assert (response.status_code, response.json()["code"]) == (429, "fill.rate_exceeded")
            lookup = await http.get(f"{new_form['fillPath']}/lookup/any")
            assert (lookup.status_code, (await _upload(http, new_form, 1)).status_code) == (429, 429)
        same = "2001:db8:1:2::ffff" if ":" in address else address
        async with stage.client(**{"x-forwarded-for": same, "x-forwarded-proto": "https"}) as http:
            assert (await http.get(new_form["fillPath"])).status_code == 429, (
                "a client of the proxy, in the same network"
            )
        async with _from(stage.entrance, "2001:db8:1:3::9") as http:
            assert (await http.get(new_form["fillPath"])).status_code == 200
        assert (await account.api.get("/api/v1.0/submissions")).status_code == 200
        clock.ms += 6000
        async with _from(stage.entrance, address) as http:
            assert (await http.get(new_form["fillPath"])).status_code == 200


@pytest.mark.slow
async def test_requests_are_limited_per_link_over_all_addresses(own_settings: Settings) -> None:
    settings = replace(own_settings, fill_rate_limit=5)
    async with _stages(settings, SetClock(NOW)) as (stage,), stage.account() as account:
        new_form, beside = await form(account), await form(account)
        statuses = []
        for number in range(25):
            async with _from(stage.entrance, f"203.0.113.{number}") as http:
                statuses.append((await http.get(new_form["fillPath"])).status_code)
        assert statuses == [200] * 20 + [429] * 5
        async with _from(stage.entrance, "203.0.113.1") as http:
            assert (await http.get(beside["fillPath"])).status_code == 200
