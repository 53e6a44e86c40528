"""The receivers shown in the docs run here, and a real server sends webhooks to them."""

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
from fixtures.accounts import AccountFactory, Person
from fixtures.node import node
from fixtures.ports import free_port
from fixtures.server_process import eventually
from standardwebhooks import Webhook

from formwright.domain.webhooks.signing import build_headers, new_secret

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "clients" / "examples"
PROGRAMS = {"python": EXAMPLES / "receiver.py", "javascript": EXAMPLES / "receiver.mjs"}
SECONDS = 60
"""A timeout that is only reached if something is wrong."""


@pytest.mark.parametrize("language", PROGRAMS)
def test_the_docs_contain_the_tested_receivers(language: str) -> None:
    page = (ROOT / "docs" / "guides" / "clients.md").read_text(encoding="utf-8")
    blocks = re.findall(rf"^```{language}\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    assert PROGRAMS[language].read_text(encoding="utf-8") in blocks


class ReceiverProcess:
    """A receiver that runs in its own folder, and an account that sends its submissions to it."""

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
        created = (await api.post("/api/v1.0/webhooks/subscribers", json=new)).json()
        self.form_id, self.secret, self.subscriber_id = form.json()["id"], created["secret"], created["id"]
        self.api = api

    async def submit(self) -> str:
        response = await self.api.post(
            f"{self.paths[0]}/forms/{self.form_id}/submissions", json={"data": {"site": "A"}}
        )
        return str(response.json()["id"])

    async def were_attempted(self, count: int) -> bool:
        """Return whether this many deliveries have been attempted at least once."""
        listed = await self.api.get(f"{self.paths[1]}/subscribers/{self.subscriber_id}/invocations")
        return sum(bool(one["attempts"]) for one in listed.json()["items"]) >= count

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run the receiver for the duration of the block, and then kill it."""
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
            await eventually(self._is_open, SECONDS)
            yield
        finally:
            child.kill()
            await child.wait()

    async def _is_open(self) -> bool:
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", self.port)
        except OSError:
            return False
        writer.close()
        return True

    def output(self) -> str:
        return (self.folder / "said").read_text(encoding="utf-8")

    def processed(self) -> list[tuple[str, str]]:
        """Return the sequences and submissions that were processed, in order."""
        return re.findall(r"^(\d+) (sub_\w+)$", self.output(), re.MULTILINE)

    async def wait_until_processed(self, *ids: str) -> int:
        """Wait until these submissions are processed and the last position is saved, and return its sequence."""

        async def look() -> bool:
            return len(self.processed()) >= len(ids) and self.saved_sequence() == int(self.processed()[-1][0])

        await eventually(look, SECONDS)
        assert [one for _, one in self.processed()] == list(ids), self.output()
        return self.saved_sequence()

    def saved_sequence(self) -> int:
        kept = self.folder / "last-sequence"
        return int(kept.read_text(encoding="ascii")) if kept.exists() else 0


@pytest.mark.parametrize("language", PROGRAMS)
async def test_a_receiver_verifies_saves_its_position_and_fills_gaps(
    https_accounts: AccountFactory, tmp_path: Path, language: str
) -> None:
    person = await https_accounts.create_account()
    receiver = ReceiverProcess(person, language, tmp_path)
    async with person.client() as api:
        await receiver.open(api)
        async with receiver.running():
            first = await receiver.submit()
            remembered = await receiver.wait_until_processed(first)
            await assert_rejects_forgeries(receiver)
        missed = await receiver.submit()
        await eventually(lambda: receiver.were_attempted(2), SECONDS)
        async with receiver.running():
            last = await receiver.submit()
            assert await receiver.wait_until_processed(first, missed, last) == remembered + 2
            await assert_accepts_duplicate(receiver, remembered)
            await receiver.wait_until_processed(first, missed, last)


async def assert_rejects_forgeries(receiver: ReceiverProcess) -> None:
    """Assert that forged, changed, old and unsigned messages get 401 and are not processed."""
    body, now = (
        b'{"id": "evt_1", "sequence": 9999, "type": "submission.submitted", "data": {"id": "sub_x"}}',
        time.time(),
    )
    place: Any = {"message_id": "evt_1", "position": (9999, 0)}
    good = build_headers([receiver.secret], timestamp=int(now), body=body, **place)
    for said, sent in (
        (build_headers([new_secret()], timestamp=int(now), body=body, **place), body),
        (build_headers([receiver.secret], timestamp=int(now) - 400, body=body, **place), body),
        (good, body + b" "),
        (good | {"webhook-signature": "v1,"}, body),
        ({"content-type": "application/json"}, body),
    ):
        async with httpx.AsyncClient(verify=False) as stranger:
            assert (await stranger.post(receiver.url, content=sent, headers=said)).status_code == 401
    assert Webhook(receiver.secret).verify(body, good), "without the change, the request is accepted"


async def assert_accepts_duplicate(receiver: ReceiverProcess, sequence: int) -> None:
    """Assert that a delivery that was already processed gets a 2xx response."""
    listed = await receiver.api.get(f"{receiver.paths[1]}/events", params={"after": sequence - 1, "limit": 1})
    body = httpx.Response(200, json=listed.json()["items"][0]).content
    said = build_headers(
        [receiver.secret], message_id="evt_1", timestamp=int(time.time()), body=body, position=(sequence, 0)
    )
    async with httpx.AsyncClient(verify=False) as server:
        assert (await server.post(receiver.url, content=body, headers=said)).status_code == 204
