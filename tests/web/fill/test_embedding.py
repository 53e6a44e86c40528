"""A form in a frame of another site: it works on sites that may embed it, and nowhere else."""

import asyncio
from html import escape

import httpx
from fixtures.fill_pages import SITE, AccountApi, Form, Phone
from fixtures.loopback_server import Loopback
from playwright.async_api import Page, expect

# Browsers that block the storage of embedded pages throw on access.
_NO_STORAGE = """
if (window !== top) {
  const refuse = { get() { throw new DOMException("Access is denied for this document.", "SecurityError"); } };
  for (const name of ["localStorage", "indexedDB", "caches"]) Object.defineProperty(window, name, refuse);
}
"""


class Site(Loopback):
    """Another site, whose every page embeds the form with the given code."""

    snippet = ""

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def talk_to(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        body = f"<!doctype html><title>Site</title><h1>Tell us</h1>{self.snippet}".encode()
        head = f"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {len(body)}\r\nconnection: close\r\n\r\n"
        writer.write(head.encode() + body)
        await writer.drain()


async def _allow(form: Form, *origins: str) -> None:
    path = f"/api/v1.0/forms/customer/{form.api.customer_id}/forms/{form.id}"
    response = await form.api.http.put(path, json={"publicLink": {"embedOrigins": list(origins)}})
    assert response.is_success, response.text


async def _respond(page: Page, url: str, text: str) -> None:
    await page.goto(url)
    frame = page.frame_locator("iframe")
    await frame.get_by_label("Site").fill(text)
    await frame.get_by_role("button", name="Submit").click()
    await frame.get_by_role("heading", name="Thank you").wait_for()


async def test_a_form_is_embedded_on_allowed_sites_only(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(SITE)
    snippet = f'<iframe src="{escape(form.url)}" title="A form" width="400" height="600"></iframe>'
    async with Site() as second, Site() as third:
        second.snippet = third.snippet = snippet
        await _allow(form, second.origin, "https://www.example.org")
        page = await phone.context.new_page()
        await _respond(page, second.origin, "Pier")
        refusals: list[str] = []
        page.on("console", lambda said: refusals.append(said.text) if said.type == "error" else None)
        await page.goto(third.origin)
        await expect(page.get_by_role("heading", name="Tell us")).to_be_visible()
        await expect(page.frame_locator("iframe").get_by_label("Site")).to_have_count(0)
        assert any("frame-ancestors" in text for text in refusals)
        # A browser that blocks the storage of embedded pages can submit, but keeps no draft.
        await page.close()
        page = await phone.context.new_page()
        await page.add_init_script(_NO_STORAGE)
        await _respond(page, second.origin, "Quay")
        assert sorted(one["data"]["site"] for one in await form.wait_for_submissions(2)) == ["Pier", "Quay"]
        # When the form closes, its site shows why.
        path = f"/api/v1.0/forms/customer/{api.customer_id}/forms/{form.id}"
        closed = {"closesAt": "2020-01-01T00:00:00Z", "embedOrigins": [second.origin]}
        assert (await api.http.put(path, json={"publicLink": closed})).is_success
        await page.goto(second.origin)
        await page.frame_locator("iframe").get_by_role("heading", name="This form is closed").wait_for()
    phone.ignore_errors()


async def test_only_the_public_link_can_be_embedded(api: AccountApi) -> None:
    form, plain = await api.create_form(SITE), await api.create_form(SITE)
    await _allow(form, "https://www.example.org")
    async with httpx.AsyncClient(verify=False) as http:
        policies = {
            url: (await http.get(url)).headers["content-security-policy"]
            for url in (form.url, plain.url, f"{form.url}x", f"{api.server.base_url}/sign-in")
        }
    assert "frame-ancestors 'self' https://www.example.org;" in policies.pop(form.url)
    assert [policy for policy in policies.values() if "frame-ancestors 'none'" not in policy] == []
