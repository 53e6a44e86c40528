"""The server is killed at a random moment while it approves a whole list; somebody continues the change."""

import asyncio
import os
import random
import re

import httpx
import pytest
from fixtures.server_process import Server

pytestmark = pytest.mark.slow

ROWS = int(os.environ.get("BULK_ROWS", "3000"))
"""50,000 take some minutes."""
KILLS = 2
_PATIENCE = httpx.Timeout(120)


async def test_a_killed_bulk_change_is_continued_without_changing_anything_twice(server: Server) -> None:
    await server.start()
    demo = server.demo()
    headers = {"x-api-key": demo["apiKey"]}
    async with server.client(**headers) as api:
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        body = {"name": "Bulk", "fields": fields, "publish": True}
        form_id = (await api.post("/api/v1.0/forms", json=body)).json()["id"]
        for start in range(0, ROWS, 1000):
            items = [{"op": "create", "formId": form_id, "data": {"site": f"Quay {start + i}"}} for i in range(1000)]
            path = f"/api/v1.0/customers/{demo['customerId']}/submissions/bulk"
            assert (await api.post(path, json={"items": items}, timeout=_PATIENCE)).json()["failed"] == 0
    cookies: httpx.Cookies
    async with server.client() as browser:
        await _sign_in(browser, demo)
        listed = (await browser.get(f"/submissions?form={form_id}")).text
        seen = re.findall(r'name="seen" value="(\d+)"', listed)[0]
        sent = {"_csrf_token": _token(listed), "scope": "all", "seen": seen, "confirmed": "APPROVE"}
        started = await browser.post(f"/submissions/bulk?form={form_id}", data=sent, timeout=_PATIENCE)
        page, cookies = started.headers["location"], browser.cookies
    for _ in range(KILLS):
        await asyncio.sleep(random.uniform(0, ROWS / 5000))
        server.kill()
        await server.start()
        async with server.client() as browser:
            browser.cookies = cookies
            text = (await browser.get(page)).text
            await browser.post(f"{page}/continue", data={"_csrf_token": _token(text)}, timeout=_PATIENCE)
    async with server.client() as browser:
        browser.cookies = cookies
        while f"{ROWS:,} submissions approved." not in (text := (await browser.get(page)).text):
            assert "left unchanged" not in text, text
            await asyncio.sleep(0.5)
    async with server.client(**headers) as api:
        revisions = [one["revision"] for one in await _list_approved(api, form_id)]
    assert revisions == [2] * ROWS


def _token(text: str) -> str:
    return re.findall(r'name="_csrf_token" value="([0-9a-f]+)"', text)[0]


async def _sign_in(browser: httpx.AsyncClient, demo: dict[str, str]) -> None:
    token = _token((await browser.get("/sign-in")).text)
    form = {"_csrf_token": token, "email": demo["email"], "password": demo["password"]}
    assert (await browser.post("/sign-in", data=form)).is_redirect


async def _list_approved(api: httpx.AsyncClient, form_id: str) -> list[dict[str, int]]:
    found: list[dict[str, int]] = []
    url = f"/api/v1.0/submissions?formId={form_id}&status=APPROVED&limit=1000"
    while url:
        page = (await api.get(url, timeout=_PATIENCE)).json()
        found += page["items"]
        url = page["next"]
    return found
