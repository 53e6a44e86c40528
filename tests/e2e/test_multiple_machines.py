"""Several machines on one PostgreSQL behind PgBouncer: two serve requests, and one of them and a third run workers.

A change made through one of them takes effect on all of them.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from fixtures.accounts import AccountFactory, Person, account_factory, csrf
from fixtures.pgbouncer import Bouncer
from fixtures.postgres import Server as Postgres
from fixtures.server_process import Server, eventually
from fixtures.webhook_receiver import Receiver

from formwright.core.auth import actor as actors
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Window
from formwright.domain.api_keys import service as keys
from formwright.domain.provisioning import tokens
from formwright.domain.webhooks import event_log
from formwright.web.session import cookie_name

SITE = {"type": "text", "name": "site", "label": "Site"}
EACH, TASKS, LIMIT = 20, 12, 120


@dataclass(frozen=True, slots=True)
class Deployment:
    """The machines that serve requests, and an account on them."""

    servers: list[Server]
    factory: AccountFactory
    owner: Person
    clients: list[httpx.AsyncClient]

    async def call(self, machine: int, method: str, path: str, **given: Any) -> Any:
        response = await self.clients[machine].request(method, f"/api/v1.0{path}", **given)
        assert response.is_success, response.text
        return response.json()

    async def form(self) -> Any:
        body = {"name": "Visit", "fields": [SITE], "publish": True}
        return await self.call(0, "POST", f"/forms/customer/{self.owner.customer_id}/forms", json=body)

    async def events(self, machine: int, **query: Any) -> list[Any]:
        path = f"/webhooks/customer/{self.owner.customer_id}/events"
        found: list[Any] = (await self.call(machine, "GET", path, params=query | {"limit": 1000}))["items"]
        return found


@pytest_asyncio.fixture(scope="module")
async def deployment(
    postgres_cluster: Postgres, tmp_path_factory: pytest.TempPathFactory, worker_id: str
) -> AsyncIterator[Deployment]:
    """Start three machines that share only the database, the secret and the file store."""
    name, folder = f"many_{worker_id}", tmp_path_factory.mktemp("many")
    postgres_cluster.create_database(name)
    async with AsyncExitStack() as stack:
        url = stack.enter_context(Bouncer(postgres_cluster)).url(name)
        shared = {"SECRET_KEY": "s" * 40, "FILES_URL": str(folder / "files")}
        shared |= {"WEBHOOK_ALLOW": "127.0.0.0/8", "RATE_LIMIT": str(LIMIT)}
        machines = []
        for number in range(3):
            (folder / str(number)).mkdir()
            machines.append(Server(folder / str(number), database_url=url, **shared))
            stack.callback(machines[-1].close)
        machines[2].spawn("worker")
        await asyncio.gather(machines[0].start("--no-worker"), machines[1].start())
        desk = await stack.enter_async_context(account_factory(machines[0]))
        owner = await desk.create_account()
        headers = {"x-api-key": owner.key}
        clients = [await stack.enter_async_context(one.client(**headers)) for one in machines[:2]]
        yield Deployment(machines[:2], desk, owner, clients)


async def test_submissions_on_both_machines_have_one_order_and_are_delivered_once(deployment: Deployment) -> None:
    form = await deployment.form()
    path = f"/customers/{deployment.owner.customer_id}/forms/{form['id']}/submissions"
    async with Receiver() as receiver:
        new = {"url": receiver.url, "types": ["submission.submitted"]}
        await deployment.call(1, "POST", "/webhooks/subscribers", json=new)
        sent = [
            deployment.call(number % 2, "POST", path, json={"data": {"site": str(number)}})
            for number in range(2 * EACH)
        ]
        created = await asyncio.gather(*sent)
        await receiver.wait_for(2 * EACH, 30)
    here, there = [await deployment.events(machine, type="submission.submitted") for machine in (0, 1)]
    assert here == there
    assert {event["data"]["id"] for event in here} == {one["id"] for one in created}
    sequences = [event["sequence"] for event in here]
    assert sequences == list(range(sequences[0], sequences[0] + 2 * EACH))
    assert receiver.ids == {event["id"]: 1 for event in here}


async def test_scheduled_tasks_are_opened_once_by_two_workers(deployment: Deployment) -> None:
    form = await deployment.form()
    soon = (datetime.now(UTC) + timedelta(seconds=1)).isoformat(timespec="milliseconds")
    body = {"recipients": {"users": [deployment.owner.id]}, "publishAt": soon}
    path = f"/customers/{deployment.owner.customer_id}/{form['id']}/tasks"
    created = [await deployment.call(number % 2, "POST", path, json=body) for number in range(TASKS)]

    async def all_opened() -> bool:
        async with deployment.factory.ctx.db.reading() as tx:
            page = await event_log.page(
                tx, actors.system(deployment.owner.customer_id), Window(1000), event_log.EventFilter(["task.opened"])
            )
        return len(page.items) >= TASKS

    assert await eventually(all_opened, 30)
    opened = [event["data"]["id"] for event in await deployment.events(1, type="task.opened")]
    assert sorted(opened) == sorted(one["id"] for one in created)


async def test_a_key_revoked_on_one_machine_is_rejected_by_the_other(deployment: Deployment) -> None:
    owner = await deployment.factory.create_account()
    actor, headers = actors.system(owner.customer_id), {"x-api-key": owner.key}
    for client in deployment.clients:
        assert (await client.get("/api/v1.0/customers", headers=headers)).status_code == 200
    async with deployment.factory.ctx.db.writing() as tx:
        [key] = await keys.list_active(tx, actor)
        await keys.revoke(tx, actor, key_id=key.id)
    for client in deployment.clients:
        assert (await client.get("/api/v1.0/customers", headers=headers)).json()["code"] == "key.unknown"


async def test_sessions_are_valid_on_all_machines_until_sign_out(deployment: Deployment) -> None:
    name, token = cookie_name(deployment.factory.ctx.settings), await deployment.factory.start_session(deployment.owner)
    async with deployment.servers[0].client() as here, deployment.servers[1].client() as there:
        for client in (here, there):
            client.cookies.set(name, token)
        first, _ = pages = [await client.get("/forms") for client in (here, there)]
        assert [page.status_code for page in pages] == [200, 200]
        assert (await here.post("/sign-out", data={"_csrf_token": csrf(first)})).status_code == 303
        here.cookies.set(name, token)
        assert [(await client.get("/forms")).status_code for client in (here, there)] == [303, 303]


async def test_a_user_disabled_over_scim_is_signed_out_on_all_machines(deployment: Deployment) -> None:
    owner = await deployment.factory.create_account()
    user = await deployment.factory.add_user(owner, "leaver", Permission.FORMS_READ)
    name, token = cookie_name(deployment.factory.ctx.settings), await deployment.factory.start_session(user)
    async with deployment.factory.ctx.db.writing() as tx:
        _, secret = await tokens.enable(tx, actors.system(owner.customer_id))
    async with deployment.servers[0].client() as here, deployment.servers[1].client() as there:
        for client in (here, there):
            client.cookies.set(name, token)
            assert (await client.get("/forms")).status_code == 200
        patch = {
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": [{"op": "Replace", "path": "active", "value": "False"}],
        }
        # A new client, because the cookies of the others are those of the user.
        async with deployment.servers[0].client(authorization=f"Bearer {secret}") as provider:
            response = await provider.patch(f"/scim/v2/Users/{user.id}", json=patch)
        assert response.status_code == 204, response.text
        # At once, not only within a second: no process keeps sessions in memory.
        for client in (there, here):
            assert (await client.get("/forms")).status_code == 303


async def test_the_rate_limit_applies_to_all_machines_together(deployment: Deployment) -> None:
    owner = await deployment.factory.create_account()
    headers, started_at = {"x-api-key": owner.key}, time.monotonic()
    asked = [
        deployment.clients[number % 2].get("/api/v1.0/customers", headers=headers)
        for number in range(LIMIT + LIMIT // 2)
    ]
    codes = [response.status_code for response in await asyncio.gather(*asked)]
    refilled = (time.monotonic() - started_at) * LIMIT / 60 + 1
    assert codes.count(200) + codes.count(429) == len(codes)
    assert LIMIT <= codes.count(200) <= LIMIT + refilled
