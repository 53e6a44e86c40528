"""Robots on a public link have to work for each response, and affect no other link."""

import asyncio
import base64
import json
import time
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import altcha
import httpx
import pytest
from actors import Account, Stage
from factories.forms import form
from factories.requests import get
from factories.web_client import visit
from fixtures.app_contexts import SetClock

from formwright import migrations
from formwright.app import create_app
from formwright.domain.quotas.proof_of_work import LIFETIME_MS
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

USUAL = 60


@asynccontextmanager
async def running(settings: Settings, clock: SetClock) -> AsyncIterator[Stage]:
    """Run the application on an empty database, with a threshold of 60 responses per minute."""
    await migrations.upgrade(settings)
    entrance = create_app(
        replace(settings, link_proof_threshold=USUAL), clock=clock, passwords=PasswordVerifier(cheap=True)
    )
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")


async def respond(
    http: httpx.AsyncClient, form: dict[str, Any], client_id: str = "", method: str = "POST", **members: Any
) -> tuple[int, str]:
    body = {"versionId": form["publishedVersionId"], "data": {"site": "Pier"}} | members
    response = await http.request(method, f"{form['fillPath']}/submissions/{client_id or uuid.uuid4()}", json=body)
    return response.status_code, response.json().get("code", "")


async def solve(http: httpx.AsyncClient, form: dict[str, Any]) -> str:
    """Return the solution of a new challenge, found with the reference implementation."""
    challenge = altcha.Challenge.from_dict((await http.get(f"{form['fillPath']}/challenge")).json())
    solution = await asyncio.to_thread(altcha.solve_challenge, challenge)
    assert solution
    return altcha.Payload(challenge, solution).to_base64()


REFUSED = (409, "fill.proof_required")


@pytest.mark.slow
async def test_a_robot_at_a_thousand_posts_a_minute_is_stopped(own_settings: Settings) -> None:
    clock = SetClock(int(time.time()) * 1000 + 999)
    async with running(own_settings, clock) as stage, stage.account() as account, stage.client() as http:
        new_form, beside = await form(account), await form(account)
        posts: Counter[tuple[int, str]] = Counter()
        for _ in range(20):
            posts.update(await asyncio.gather(*(respond(http, new_form) for _ in range(50))))
        assert posts == {(201, ""): USUAL, REFUSED: 1000 - USUAL}
        assert await respond(http, new_form, method="PUT") == REFUSED
        async with visit(account) as site:
            assert "unusually many responses" in (await site.http.get(f"/forms/{new_form['id']}/share")).text
            assert "unusually many responses" not in (await site.http.get(f"/forms/{beside['id']}/share")).text
        assert await respond(http, beside) == (201, "")
        stored = await get(account, "/submissions", formId=new_form["id"], limit=1000)
        assert len(stored["items"]) == USUAL
        # A person's browser solves a challenge. The solution works once, for this link, and for ten minutes.
        proof, client_id = await solve(http, new_form), str(uuid.uuid4())
        assert await respond(http, new_form, client_id, proof=proof) == (201, "")
        assert await respond(http, new_form, proof=proof) == REFUSED
        assert await respond(http, new_form, client_id, proof=await solve(http, new_form)) == (200, "")
        assert await respond(http, new_form, proof=await solve(http, beside)) == REFUSED
        late = await solve(http, new_form)
        clock.ms += LIFETIME_MS - 500
        assert await respond(http, new_form, proof=late) == REFUSED
        clock.ms += LIFETIME_MS
        assert await respond(http, new_form) == (201, "")


@pytest.mark.slow
async def test_concurrent_requests_use_a_proof_once(own_settings: Settings) -> None:
    clock = SetClock(int(time.time() * 1000))
    async with running(own_settings, clock) as one, running(own_settings, clock) as two, one.account() as account:
        new_form = await form(account, publicLink={"proofOfWork": "ALWAYS"})
        async with one.client() as http, two.client() as http2:
            proof = await solve(http, new_form)
            answers = await asyncio.gather(*(respond(each, new_form, proof=proof) for each in [http, http2] * 5))
            assert sorted(answers) == [(201, ""), *[REFUSED] * 9]
            # Answers with errors do not use it up.
            proof = await solve(http, new_form)
            assert await respond(http, new_form, data={}, proof=proof) == (422, "request.invalid")
            assert await respond(http, new_form, proof=proof) == (201, "")


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "nothing": lambda solved: None,
    "cost": lambda solved: solved["challenge"]["parameters"].update(cost=1),
    "nonce": lambda solved: solved["challenge"]["parameters"].update(nonce="00" * 16),
    "signature": lambda solved: solved["challenge"].update(signature=None),
    "counter": lambda solved: solved["solution"].update(counter={}, derivedKey="00" * 32),
    "derivedKey": lambda solved: solved["solution"].update(derivedKey=1),
    "list": lambda solved: solved.update(challenge=[], solution="x"),
}


async def test_invalid_proofs_are_refused(account: Account) -> None:
    new_form = await form(account, publicLink={"proofOfWork": "ALWAYS"})
    async with account.stage.client() as http:
        for name, change in CHANGES.items():
            solved = json.loads(base64.b64decode(await solve(http, new_form)))
            change(solved)
            proof = base64.b64encode(json.dumps(solved).encode()).decode()
            assert await respond(http, new_form, proof=proof) == ((201, "") if name == "nothing" else REFUSED), name
        assert await respond(http, new_form, proof="ü") == REFUSED
        assert await respond(http, await form(account, publicLink={"proofOfWork": "OFF"})) == (201, "")
