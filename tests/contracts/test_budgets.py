"""No request can stall a server. Generated from the router, against a real server."""

import asyncio
import itertools
import json
import os
import time
import uuid
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

import httpx
import pytest
import pytest_asyncio
from actors import Account, Stage
from factories import worst_bodies
from factories import worst_scim_requests as worst_scim
from factories.forms import form
from factories.invites import invite, link
from factories.sample_account import World, example, path, world
from factories.web_client import Visit, csrf
from fixtures.app_contexts import open_migrated_context
from fixtures.health_watch import family, slowness, watch
from fixtures.scim import scim_client
from fixtures.server_process import Server, run_aside

from formwright.api.binary_bodies import media_type_of
from formwright.api.v1_0.operations import OPERATIONS
from formwright.app import create_app
from formwright.domain.users import management
from formwright.domain.users.auth import sessions
from formwright.domain.users.models import NewUser, PasswordCredentials
from formwright.web.session import cookie_name

pytestmark = pytest.mark.slow

T = TypeVar("T")

MOST_S = 0.1
"""The most processor time that a server may spend until it answers a health check, on a machine of normal speed."""
TRIES = 5
"""What seems to stall the server is sent again, because the machine may be busy with other things."""
ALL = bool(os.environ.get("ALL_ATTACKS"))
"""Whether every operation gets every attack, also those that are handled in the same way for all operations."""
LARGE, SMALL = 10 * 1024 * 1024 - 4096, 128 * 1024
AT_ONCE = 2
FORM: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "pattern": "^[a-z ]+$"},
    {"type": "choices", "name": "kinds", "label": "Kinds", "options": [{"value": "a", "label": "A"}]},
    {
        "type": "repeat",
        "name": "rows",
        "label": "Rows",
        "max": 200,
        "fields": [
            {"type": "text", "name": "word", "label": "Word", "required": True},
            {"type": "integer", "name": "count", "label": "Count", "validIf": "count < 10"},
        ],
    },
]


@dataclass(frozen=True, slots=True)
class CostlyRequest:
    """A request that is costly on purpose."""

    what: str
    method: str
    address: str
    content: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


class ServerStage(Stage):
    """A stage whose clients call a separate server process."""

    server: Server

    def client(self, **headers: str) -> httpx.AsyncClient:
        return self.server.client(**headers)


@pytest_asyncio.fixture(scope="module")
async def outside(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[ServerStage]:
    server = Server(
        tmp_path_factory.mktemp("budgets"),
        WEBHOOK_ALLOW="127.0.0.0/8",
        WORKERS="1",
        NO_WORKER="1",
        FILL_RATE_LIMIT="0",
        LINK_PROOF_THRESHOLD="0",
        LOG_LEVEL="error",
    )
    try:
        await server.start()
        async with open_migrated_context(server.settings()) as ctx:
            stage = ServerStage(None, ctx, server.base_url)
            stage.server = server
            yield stage
    finally:
        server.close()


@pytest_asyncio.fixture(scope="module")
async def here(outside: ServerStage) -> AsyncIterator[World]:
    async with outside.account("Budget") as account:
        yield await world(account)


async def _stalls(server: Server, requests: list[CostlyRequest]) -> list[tuple[float, list[str]]]:
    """Return the health checks that cost too much, each with the requests in progress. No response is a 5xx."""
    out = server.data / f"watch-{uuid.uuid4()}"
    out.touch()
    group = server._process.pid
    watcher = run_aside(watch, server.port, str(server.data / "tls" / "ca.pem"), family(group), str(out))
    under_way: list[tuple[float, float, str]] = []
    before = slowness()
    try:
        queue = iter(requests)
        async with server.client() as http:
            http.timeout = httpx.Timeout(120)
            await asyncio.gather(*(_send_all(http, queue, under_way) for _ in range(AT_ONCE)))
        await asyncio.sleep(0.3)
    finally:
        watcher.kill()
        watcher.join()
    costs = [tuple(map(float, line.split())) for line in out.read_text().splitlines()]
    assert len(costs) > 5, "the server was not watched"
    limit = MOST_S * max(before, slowness())
    return [(cost, _during(started_at, under_way)) for started_at, cost in costs if cost > limit]


async def _send_all(
    http: httpx.AsyncClient, queue: Iterator[CostlyRequest], under_way: list[tuple[float, float, str]]
) -> None:
    for one in queue:
        started_at = time.time()
        try:
            response = await http.request(one.method, one.address, content=one.content or None, headers=one.headers)
            assert response.status_code < 500, f"{one.what}: {response.status_code} {response.text[:300]}"
            errors = (
                response.json().get("errors", []) if response.headers.get("content-type", "").endswith("json") else []
            )
            assert len(errors) <= 100, one.what
        except httpx.TransportError:
            # A server may close the connection before it has read a body that it rejects.
            pass
        under_way.append((started_at, time.time(), one.what))


def _during(when: float, under_way: list[tuple[float, float, str]]) -> list[str]:
    return [what for started_at, ended, what in under_way if started_at - 0.1 <= when <= ended + 0.1]


async def _check(server: Server, requests: list[CostlyRequest]) -> None:
    """Assert that no request stalls the server, or at least not every time."""
    found = await _stalls(server, requests)
    for _ in range(TRIES - 1):
        if not found:
            return
        suspects = set(itertools.chain.from_iterable(names for _, names in found))
        # A stall while no request was in progress may come from any of them, or from other load on the machine.
        found = await _stalls(server, [one for one in requests if one.what in suspects] or requests)
    assert not found, "\n".join(f"{cost:.2f} s: {', '.join(names)}" for cost, names in found[:20])


def _json(key: str = "") -> dict[str, str]:
    return {"content-type": "application/json"} | ({"x-api-key": key} if key else {})


def _in_turn(attacks: Mapping[str, T], count: int) -> Callable[[], list[tuple[str, T]]]:
    """Return a function that returns the next `count` attacks with each call, from the first again after the last."""
    turns = itertools.cycle(attacks.items())
    return lambda: list(itertools.islice(turns, len(attacks) if ALL else count))


async def test_no_body_stalls_the_server(here: World, outside: ServerStage) -> None:
    account, sent = here.account, []
    # A body that is wrong as a whole is rejected alike by all operations, so each operation gets some of these.
    next_rejected = _in_turn(worst_bodies.raw_values(SMALL), 2)
    for operation in OPERATIONS:
        if operation.body is None:
            continue
        address = path(operation, here.ids | example(operation).ids(here)) + "?dryRun=true"
        sample, kind = example(operation), {"content-type": media_type_of(operation.body)}
        good = sample.body(here) if sample.body else None
        accepted = worst_bodies.bodies(good, SMALL) if isinstance(good, dict) else ()
        for name, content in [*next_rejected(), *accepted]:
            what = f"{operation.name}: {name}"
            sent.append(CostlyRequest(what, operation.method, address, content, kind | {"x-api-key": account.key}))
        content = worst_bodies.raw_values(SMALL)["unknown members"]
        sent.append(CostlyRequest(f"{operation.name} without a key", operation.method, address, content, kind))
    await _check(outside.server, sent)


async def test_no_large_body_stalls_the_server(here: World, outside: ServerStage) -> None:
    account, ids = here.account, here.ids
    filled = f"/api/v1.0/customers/{account.id}/forms/{ids['formId']}/submissions"
    rows = f"/api/v1.0/customers/{account.id}/datasources/{ids['datasourceId']}/rows"
    sent = []
    for name, value in worst_bodies.raw_values(LARGE).items():
        for address, before, after in ((filled, b'{"data":', b"}"), (rows, b'{"rows":', b"}")):
            content = (before + value + after)[: LARGE + 2048]
            sent.append(
                CostlyRequest(f"POST {address}: {name} {before!r}", "POST", address, content, _json(account.key))
            )
    good = b'{"rows":[' + b",".join(b'{"number":"C-%d","name":"Harbour"}' % n for n in range(200_000)) + b"]}"
    sent.append(CostlyRequest("good rows", "PUT", f"{rows}?dryRun=true", good, _json(account.key)))
    await _check(outside.server, sent)


def _many_rules(count: int) -> list[dict[str, Any]]:
    """Text fields, each with two rules that depend on the one before."""
    rules = ({"visibleIf": f"size(a{n - 1}) != {n}", "validIf": f"size(a{n}) > {n}"} if n else {} for n in range(count))
    return [{"type": "text", "name": f"a{n}", "label": "A", **rule} for n, rule in enumerate(rules)]


def _costly_rules() -> list[dict[str, Any]]:
    """Rules that together need nearly all that a submission may take, over answers that are small."""
    options = [{"value": f"o{n}", "label": "O"} for n in range(90)]
    rule = "c.exists(a, c.exists(b, b == a + 'x'))"
    rules = ({"type": "boolean", "name": f"r{n}", "label": "R", "calculate": rule} for n in range(115))
    return [{"type": "choices", "name": "c", "label": "C", "options": options}, *rules]


async def _rule_requests(account: Account) -> list[CostlyRequest]:
    """Definitions with many rules, and answers to forms whose rules have not been compiled yet or cost much."""
    forms, sent = f"/api/v1.0/forms/customer/{account.id}/forms", []
    for count in (450, 5000):
        content = json.dumps({"name": "Many rules", "fields": _many_rules(count)}).encode()
        sent.append(CostlyRequest(f"a form with {count} fields", "POST", forms, content, _json(account.key)))
    for what, fields in (("many rules", _many_rules(300)), ("costly rules", _costly_rules())):
        new_form = await form(account, fields=fields)
        data = {"c": [f"o{n}" for n in range(90)]} if what == "costly rules" else {"a0": "x"}
        content = json.dumps({"versionId": new_form["publishedVersionId"], "data": data}).encode()
        for _ in range(5):
            address = f"{new_form['fillPath']}/submissions/{uuid.uuid4()}"
            sent.append(CostlyRequest(f"answers to {what}", "PUT", address, content, _json()))
    return sent


async def test_no_rule_stalls_the_server(here: World, outside: ServerStage) -> None:
    found: list[tuple[float, list[str]]] = []
    for _ in range(TRIES):
        # New forms each time: the server keeps what it has compiled.
        found = await _stalls(outside.server, await _rule_requests(here.account))
        if not found:
            return
    raise AssertionError(found)


async def test_no_fill_link_stalls_the_server(here: World, outside: ServerStage) -> None:
    account = here.account
    new_form = await form(account, fields=FORM)
    own, invited = new_form["fillPath"], await link(account, await invite(account, new_form))
    sent = []
    # Both methods read a body alike, and an unknown link is rejected whatever the body holds.
    shapes = [("PUT", b"%s"), ("PUT", b'{"rows":%s}'), ("POST", b'{"site":%s,"kinds":%s}')]
    for where, of in ((own, "form"), (invited, "invite"), ("/fill/" + "x" * 30, "nothing")):
        address = f"{where}/submissions/{uuid.uuid4()}"
        begin = b'{"versionId":"%s","data":' % new_form["publishedVersionId"].encode()
        for name, value in worst_bodies.raw_values(SMALL if of == "invite" else 16 * SMALL).items():
            for method, shape in shapes[:1] if of == "nothing" else shapes:
                what = f"{method} link of {of}: {name} in {shape!r}"
                content = begin + shape.replace(b"%s", value) + b"}"
                sent.append(CostlyRequest(what, method, address, content, _json()))
        for name, (kind, content) in worst_bodies.forms(SMALL).items():
            for last in ("decline", "opened", "files?field=site"):
                what = f"POST link of {of} {last}: {name}"
                sent.append(CostlyRequest(what, "POST", f"{where}/{last}", content, {"content-type": kind}))
    await _check(outside.server, sent)


async def test_no_page_stalls_the_server(here: World, outside: ServerStage) -> None:
    account, sent = here.account, []
    async with outside.client() as http:
        cookies, token = await _signed_in(account, http)
    # Any field may hold many values, and the bytes of a form are read alike for all pages.
    several = worst_bodies.forms(SMALL)
    always = {"many fields": several.pop("many fields")}
    next_others = _in_turn(several, 1)
    for route in create_app(outside.server.settings()).app.routes:
        address, methods = route.path_format, set(getattr(route, "methods", ()))
        if not methods & {"POST", "PUT"} or address.startswith(("/api/", "/fill/")) or address == "/sign-out":
            continue
        at = "".join("x" if "{" in part else part for part in address.replace("/", " / ").split(" "))
        for name, (kind, content) in [*always.items(), *next_others()]:
            strangers = [("a stranger", {})] if name == "many fields" else []
            for who, headers in (("signed in", {"cookie": cookies, "x-csrftoken": token}), *strangers):
                about = headers | {"content-type": kind}
                sent.append(CostlyRequest(f"POST {address} {who}: {name}", "POST", at, content, about))
    assert len(sent) > 200, "the pages were not found"
    await _check(outside.server, sent)


async def test_no_scim_request_stalls_the_server(here: World, outside: ServerStage) -> None:
    account = here.account
    async with scim_client(account) as scim:
        ada = await scim.add_user("ada")
        async with account.ctx.db.writing() as tx:
            new = [NewUser(f"m{number}.{account.id}@a.example", "M") for number in range(1000)]
            ids = [(await management.invite(tx, account.actor, one)).id for one in new]
        crew = await scim.add_group("Crew", *({"id": one} for one in ids))
        headers = {**scim.http.headers, "content-type": "application/scim+json"}
        attacks = [
            *(
                ("PATCH", f"/Users/{ada['id']}", name, body)
                for name, body in worst_scim.too_many("a@b.example").items()
            ),
            *(("PATCH", f"/Users/{ada['id']}", name, body) for name, body in worst_scim.largest("a@b.example").items()),
            *(("PATCH", f"/Groups/{crew['id']}", name, body) for name, body in worst_scim.group_patches(ids).items()),
            *(
                ("POST", path, name, body)
                for name, body in worst_scim.resources("a@b.example").items()
                for path in _SCIM
            ),
            *(("PUT", f"/Users/{ada['id']}", name, body) for name, body in worst_scim.resources("a@b.example").items()),
            *(("PUT", f"/Groups/{crew['id']}", name, body) for name, body in worst_scim.resources("a@b.ex").items()),
            *(("POST", "/.search", f"filter {count}", {"filter": "not (" * count}) for count in (10, 700)),
            ("POST", "/Users/.search", "comparisons", {"filter": " or ".join(['title co "x"'] * 250)}),
        ]
        sent = [
            CostlyRequest(f"{method} {path}: {name}", method, f"/scim/v2{path}", json.dumps(body).encode(), headers)
            for method, path, name, body in attacks
        ]
        await _check(outside.server, sent)


_SCIM = ("/Users", "/Groups", "/.search")


async def test_no_query_header_or_cookie_stalls_the_server(here: World, outside: ServerStage) -> None:
    account, sent = here.account, []
    # A query is read alike by all operations, so each operation gets some of these.
    next_queries = _in_turn(worst_bodies.queries(), 1)
    for operation in OPERATIONS:
        if operation.method == "GET":
            address = path(operation, here.ids | example(operation).ids(here))
            for name, query in next_queries():
                sent.append(
                    CostlyRequest(f"{operation.name}: {name}", "GET", f"{address}?{query}", headers=_json(account.key))
                )
    async with outside.client() as http:
        cookies, _ = await _signed_in(account, http)
    for page in ("/forms", "/submissions", "/sign-in", "/tasks", "/datasources"):
        for name, query in worst_bodies.queries().items():
            sent.append(CostlyRequest(f"{page}: {name}", "GET", f"{page}?{query}", headers={"cookie": cookies}))
        sent.append(CostlyRequest(f"{page}: cookies", "GET", page, headers={"cookie": "a=1;" * 40 + cookies}))
        sent.append(CostlyRequest(f"{page}: languages", "GET", page, headers={"accept-language": "a," * 8000}))
    await _check(outside.server, sent)


async def _signed_in(account: Account, http: httpx.AsyncClient) -> tuple[str, str]:
    """Return the cookies of an owner's session, and the CSRF token."""
    async with account.ctx.db.writing() as tx:
        session = await sessions.create(tx, PasswordCredentials(account.id, account.owner.id, "-"))
    page = await http.get("/sign-in")
    http.cookies.set(cookie_name(account.ctx.settings), session, domain="localhost.local")
    kept = {**{one.name: one.value or "" for one in http.cookies.jar}}
    return "; ".join(f"{name}={value}" for name, value in kept.items()), Visit(http, csrf(page.text)).token
