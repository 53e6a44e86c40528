"""Clients that write all the time and remember the responses, to compare them with the data after a crash."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

import httpx
from factories.forms import FIELDS
from fixtures.accounts import Person

ROWS = 40
AT_ONCE = 2
UNKNOWN = ("database.outcome_unknown", "request.timeout")
"""The codes of responses after which the write may be there. Any other error means that it is not."""


@dataclass(slots=True)
class WriteOutcomes:
    """The outcomes of one kind of write, by the client's own name for each."""

    kept: set[str] = field(default_factory=set)
    refused: set[str] = field(default_factory=set)
    unknown: set[str] = field(default_factory=set)
    """There was no response, or it says so: the write must be there as a whole, or not at all."""

    refusal: httpx.Response | None = None
    """The last one."""

    def take(self, name: str, response: httpx.Response | None) -> None:
        if response is None or (response.status_code == 503 and response.json()["code"] in UNKNOWN):
            self.unknown.add(name)
        elif response.is_success:
            self.kept.add(name)
        else:
            self.refused.add(name)
            self.refusal = response


class Writers:
    """Submissions and tasks with an externalId each; imports and published versions with a number each."""

    def __init__(self, person: Person) -> None:
        self._person = person
        self._numbers = itertools.count(1)
        self.submissions, self.tasks, self.imports, self.versions = (
            WriteOutcomes(),
            WriteOutcomes(),
            WriteOutcomes(),
            WriteOutcomes(),
        )
        self.statuses: set[int] = set()
        self.form_id = self.datasource_id = ""

    @property
    def account(self) -> str:
        return f"/api/v1.0/customers/{self._person.customer_id}"

    @property
    def form(self) -> str:
        return f"/api/v1.0/forms/customer/{self._person.customer_id}/forms/{self.form_id}"

    async def prepare(self) -> None:
        """Create the resources to write to."""
        async with self._person.client() as http:
            forms = self.form.rpartition("/")[0]
            response = await http.post(forms, json={"name": "Visit", "fields": FIELDS, "publish": True})
            self.form_id = response.json()["id"]
            table = {"name": "Clients", "keyColumn": "number", "rows": _rows(0)}
            self.datasource_id = (await http.post(f"{self.account}/datasources", json=table)).json()["id"]

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[None]:
        """Run all writers until the block ends; then each waits for its last response."""
        over = asyncio.Event()
        kinds = [*[self._submit] * AT_ONCE, self._assign, self._import_rows, self._publish]
        jobs = [asyncio.create_task(self._again(one, over)) for one in kinds]
        try:
            yield
        finally:
            over.set()
            await asyncio.gather(*jobs)

    async def _again(self, once: Callable[[httpx.AsyncClient, int], Awaitable[None]], over: asyncio.Event) -> None:
        async with self._person.client() as http:
            http.timeout = httpx.Timeout(60)
            while not over.is_set():
                await once(http, next(self._numbers))

    async def _submit(self, http: httpx.AsyncClient, number: int) -> None:
        body = {"data": {"site": f"Site {number}"}, "externalId": f"s{number}"}
        await self._send(
            self.submissions, f"s{number}", http.post(f"{self.account}/forms/{self.form_id}/submissions", json=body)
        )

    async def _assign(self, http: httpx.AsyncClient, number: int) -> None:
        body = {"recipients": {"users": [self._person.id]}, "externalId": f"t{number}"}
        await self._send(self.tasks, f"t{number}", http.post(f"{self.account}/{self.form_id}/tasks", json=body))

    async def _import_rows(self, http: httpx.AsyncClient, number: int) -> None:
        rows = f"{self.account}/datasources/{self.datasource_id}/rows"
        await self._send(self.imports, str(number), http.put(rows, json={"rows": _rows(number)}))

    async def _publish(self, http: httpx.AsyncClient, number: int) -> None:
        fields = [{"type": "text", "name": "site", "label": f"Site {number}"}]
        await self._send(self.versions, str(number), http.put(self.form, json={"fields": fields, "publish": True}))

    async def _send(self, outcomes: WriteOutcomes, name: str, call: Awaitable[httpx.Response]) -> None:
        response = None
        with suppress(httpx.TransportError):
            response = await call
            self.statuses.add(response.status_code)
        outcomes.take(name, response)
        # Clients pause; a machine that is only busy proves no more.
        await asyncio.sleep(0.02 if response and response.is_success else 0.05)


def _rows(number: int) -> list[dict[str, str]]:
    return [{"number": f"C-{row}", "name": f"import {number}"} for row in range(ROWS)]


async def everything(http: httpx.AsyncClient, path: str) -> list[dict[str, Any]]:
    """Return all items of a list, page by page."""
    items: list[dict[str, Any]] = []
    next_: str | None = path
    while next_:
        response = await http.get(next_)
        assert response.status_code == 200, response.text
        items, next_ = [*items, *response.json()["items"]], response.json()["next"]
    return items


async def compare(writers: Writers, person: Person) -> None:
    """Assert that acknowledged writes are there, refused ones left nothing, and the rest is complete or absent."""
    async with person.client() as http:
        submissions = await everything(http, f"{writers.account}/submissions?formId={writers.form_id}&limit=1000")
        tasks = await everything(http, f"{writers.account}/tasks?formId={writers.form_id}&limit=1000")
        for outcomes, items in ((writers.submissions, submissions), (writers.tasks, tasks)):
            names = [item["externalId"] for item in items]
            lost, refused = outcomes.kept - set(names), set(names) - outcomes.kept - outcomes.unknown
            assert (lost, refused) == (set(), set()), "acknowledged but lost; rejected but stored"
            assert len(names) == len(set(names))
        assert all(item["data"] == {"site": f"Site {item['externalId'][1:]}"} for item in submissions)
        assert all(len(item["fulfilments"]) == 1 for item in tasks)
        await _compare_log(http, person, submissions, tasks)
        rows = await everything(http, f"{writers.account}/datasources/{writers.datasource_id}/rows?limit=1000")
        names = {row["data"]["name"].removeprefix("import ") for row in rows}
        assert (len(rows), len(names)) == (ROWS, 1), "one import, and the whole of it"
        _is_newest(writers.imports, names.pop())
        form = (await http.get(writers.form)).json()
        version = (await http.get(f"{writers.form}/versions/{form['publishedVersionId']}")).json()
        _is_newest(writers.versions, version["fields"][0]["label"].removeprefix("Site "))


def _is_newest(outcomes: WriteOutcomes, name: str) -> None:
    """Assert it for writes that each replace the one before."""
    newest = max(map(int, outcomes.kept), default=0)
    assert name not in outcomes.refused
    assert (int(name) >= newest) if name.isdigit() else not outcomes.kept


async def _compare_log(
    http: httpx.AsyncClient, person: Person, submissions: list[dict[str, Any]], tasks: list[dict[str, Any]]
) -> None:
    """Assert that the event log has no gap, and exactly one event for each change."""
    log = await everything(http, f"/api/v1.0/webhooks/customer/{person.customer_id}/events?limit=1000")
    assert [event["sequence"] for event in log] == list(range(1, len(log) + 1))
    for type_, items in (("submission.submitted", submissions), ("task.created", tasks)):
        outcomes = [event["data"]["id"] for event in log if event["type"] == type_]
        assert sorted(outcomes) == sorted(item["id"] for item in items)
