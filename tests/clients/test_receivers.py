"""The receivers that the docs show are the files that run here, and a real server sends to them."""

import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from factories.forms import FIELDS
from fixtures.accounts import Office, Person
from fixtures.node import node
from fixtures.server_process import eventually, free_port
from standardwebhooks import Webhook

from formwright.domain.webhooks.signing import build_headers, new_secret

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "clients" / "examples"
PROGRAMS = {"python": EXAMPLES / "receiver.py", "javascript": EXAMPLES / "receiver.mjs"}
SECONDS = 60
"""For what is slow only where something is wrong."""


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_docs_show_what_runs(language: str) -> None:
    page = (ROOT / "docs" / "guides" / "clients.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert PROGRAMS[language].read_text(encoding="utf-8") in blocks


class Site:
    """An account whose submissions go to a receiver, which runs in a folder of its own."""

    def __init__(self, person: Person, language: str, folder: Path) -> None:
        self.person, self.language, self.folder, self.port = person, language, folder, free_port()
        self.paths = f"/api/v1.0/customers/{person.customer_id}", f"/api/v1.0/webhooks/customer/{person.customer_id}"
        self.secret = self.subscriber_id = self.form_id = ""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    async def open(self, api: httpx.AsyncClient) -> None:
        form = await api.post("/api/v1.0/forms", json={"name": "Visit", "fields": FIELDS, "publish": True})
        new = {"name": "CRM", "url": self.url, "types": ["submission.submitted"]}
        made = (await api.post("/api/v1.0/webhooks/subscribers", json=new)).json()
        self.form_id, self.secret, self.subscriber_id = form.json()["id"], made["secret"], made["id"]
        self.api = api

    async def submit(self) -> str:
        answer = await self.api.post(f"{self.paths[0]}/forms/{self.form_id}/submissions", json={"data": {"site": "A"}})
        return str(answer.json()["id"])

    async def tried(self, count: int) -> bool:
        """Whether so many deliveries have been tried at least once."""
        listed = await self.api.get(f"{self.paths[1]}/subscribers/{self.subscriber_id}/invocations")
        return sum(bool(one["attempts"]) for one in listed.json()["items"]) >= count

    @asynccontextmanager
    async def receiving(self) -> AsyncIterator[None]:
        """The receiver runs as long as this lasts; then it is killed."""
        authority = str(self.person.server.data / "tls" / "ca.pem")
        own = {"BASE": self.person.path("/api/v1.0"), "KEY": self.person.key, "CUSTOMER": self.person.customer_id}
        own |= {"SECRET": self.secret, "PORT": str(self.port), "PYTHONPATH": str(ROOT / "clients" / "python")}
        trust = {"SSL_CERT_FILE": authority, "NODE_EXTRA_CA_CERTS": authority, "PATH": os.environ["PATH"]}
        program = sys.executable if self.language == "python" else str(node())
        with (self.folder / "said").open("ab") as said:
            child = await asyncio.create_subprocess_exec(
                program, str(PROGRAMS[self.language]), env=own | trust, cwd=self.folder, stdout=said, stderr=said
            )
        try:
            await eventually(self._open, SECONDS)
            yield
        finally:
            child.kill()
            await child.wait()

    async def _open(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    def said(self) -> str:
        return (self.folder / "said").read_text(encoding="utf-8")

    def taken(self) -> list[tuple[str, str]]:
        """The sequences and submissions that were dealt with, in their order."""
        return re.findall(r"^(\d+) (sub_\w+)$", self.said(), re.MULTILINE)

    async def have(self, *ids: str) -> int:
        """Wait until these have been dealt with, and the last is remembered: its sequence."""

        async def look() -> bool:
            return len(self.taken()) >= len(ids) and self.remembered() == int(self.taken()[-1][0])

        await eventually(look, SECONDS)
        assert [one for _, one in self.taken()] == list(ids), self.said()
        return self.remembered()

    def remembered(self) -> int:
        kept = self.folder / "last-sequence"
        return int(kept.read_text(encoding="ascii")) if kept.exists() else 0


@pytest.mark.parametrize("language", PROGRAMS)
async def test_a_receiver_verifies_remembers_and_closes_a_hole(served: Office, tmp_path: Path, language: str) -> None:
    person = await served.owner()
    site = Site(person, language, tmp_path)
    async with person.client() as api:
        await site.open(api)
        async with site.receiving():
            first = await site.submit()
            remembered = await site.have(first)
            await refuses_others(site)
        missed = await site.submit()
        await eventually(lambda: site.tried(2), SECONDS)
        async with site.receiving():
            last = await site.submit()
            assert await site.have(first, missed, last) == remembered + 2
            await comes_again(site, remembered)
            await site.have(first, missed, last)


async def refuses_others(site: Site) -> None:
    """What another signed, what was changed, what is old, what is not signed at all: 401, and nothing is done."""
    body, now = (
        b'{"id": "evt_1", "sequence": 9999, "type": "submission.submitted", "data": {"id": "sub_x"}}',
        time.time(),
    )
    place: Any = {"message_id": "evt_1", "position": (9999, 0)}
    good = build_headers([site.secret], timestamp=int(now), body=body, **place)
    for said, sent in (
        (build_headers([new_secret()], timestamp=int(now), body=body, **place), body),
        (build_headers([site.secret], timestamp=int(now) - 400, body=body, **place), body),
        (good, body + b" "),
        (good | {"webhook-signature": "v1,"}, body),
        ({"content-type": "application/json"}, body),
    ):
        async with httpx.AsyncClient(verify=False) as stranger:
            assert (await stranger.post(site.url, content=sent, headers=said)).status_code == 401
    assert Webhook(site.secret).verify(body, good), "so that it is the difference which is refused"


async def comes_again(site: Site, sequence: int) -> None:
    """A delivery that had arrived, once more: 2xx."""
    listed = await site.api.get(f"{site.paths[1]}/events", params={"after": sequence - 1, "limit": 1})
    body = httpx.Response(200, json=listed.json()["items"][0]).content
    said = build_headers(
        [site.secret], message_id="evt_1", timestamp=int(time.time()), body=body, position=(sequence, 0)
    )
    async with httpx.AsyncClient(verify=False) as server:
        assert (await server.post(site.url, content=body, headers=said)).status_code == 204
