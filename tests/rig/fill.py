"""Fill pages as people meet them: a server that lets a service worker in, forms made for a test, and a browser."""

import random
from dataclasses import dataclass, field
from typing import Any

import httpx
from playwright.async_api import BrowserContext, FilePayload, Page

from rig.server import Server, eventually

_PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d4944415478da63fcffff3f030005fe02fea72d"
    "995b0000000049454e44ae426082"
)
SITE = {"name": "site", "type": "text", "required": True}
PICTURE: FilePayload = {"name": "a.png", "mimeType": "image/png", "buffer": _PNG}


class PlainServer(Server):
    """Over plain HTTP on loopback: a browser lets no service worker in over a certificate that it does not trust."""

    @property
    def base_url(self) -> str:
        return f"http://localhost:{self.port}"

    def client(self, **headers: str) -> httpx.AsyncClient:
        # To read whom to trust would take longer than what is asked.
        return httpx.AsyncClient(base_url=self.base_url, headers=headers, verify=False)

    async def _answers(self) -> bool:
        try:
            async with self.client() as http:
                return (await http.get("/sign-in")).status_code == 200
        except httpx.TransportError:
            return False


@dataclass(slots=True)
class Desk:
    """The account's own system: makes forms and datasources, reads what came in."""

    server: Server
    customer_id: str
    http: httpx.AsyncClient

    async def form(self, *fields: dict[str, Any], **settings: Any) -> "Form":
        body = {"name": "A form", "fields": [_labelled(one) for one in fields], "settings": settings, "publish": True}
        made = await self._post("/api/v1.0/forms", body)
        return Form(self, made["id"], f"{self.server.base_url}{made['fillPath']}")

    async def publish(self, form: "Form", *fields: dict[str, Any]) -> None:
        """A new version of the form, for all who begin from now on."""
        versions = f"/api/v1.0/forms/customer/{self.customer_id}/forms/{form.id}/versions"
        made = await self._post(versions, {"fields": [_labelled(one) for one in fields]})
        answer = await self.http.post(f"{versions}/{made['id']}/publish")
        assert answer.is_success, answer.text

    async def datasource(self, rows: list[dict[str, Any]], key: str = "number") -> str:
        path = f"/api/v1.0/customers/{self.customer_id}/datasources"
        body = {"name": f"Rows {random.random()}", "keyColumn": key, "rows": rows}
        return str((await self._post(path, body))["id"])

    async def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = await self.http.post(path, json=body)
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made


def _labelled(one: dict[str, Any]) -> dict[str, Any]:
    """A field as written in a test, with its name for a label where it says none."""
    inner = {"fields": [_labelled(each) for each in one["fields"]]} if "fields" in one else {}
    return {"label": one["name"].capitalize()} | one | inner


@dataclass(slots=True)
class Form:
    desk: Desk
    id: str
    url: str

    async def arrived(self, count: int) -> list[dict[str, Any]]:
        """The submissions, once there are so many."""

        async def look() -> bool:
            return len(await self.submissions()) >= count

        await eventually(look, 40)
        found = await self.submissions()
        assert len(found) == count
        return found

    async def becomes(self, status: str) -> None:
        """`ARCHIVED`, so that it takes no more answers, or `ACTIVE` again."""
        path = f"/api/v1.0/forms/customer/{self.desk.customer_id}/forms/{self.id}"
        assert (await self.desk.http.put(path, json={"status": status})).is_success

    async def submissions(self, status: str = "SUBMITTED") -> list[dict[str, Any]]:
        answer = await self.desk.http.get("/api/v1.0/submissions", params={"formId": self.id, "status": status})
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    async def data(self) -> dict[str, Any]:
        """The answers of the one submission that came in."""
        [only] = await self.submissions()
        found: dict[str, Any] = only["data"]
        return found


@dataclass(slots=True)
class Phone:
    """A phone's browser, that keeps what pages store, and everything that was wrong on its pages."""

    context: BrowserContext
    said: list[str] = field(default_factory=list)
    forgiven: set[str] = field(default_factory=set)

    @property
    def errors(self) -> list[str]:
        """What was wrong and is not forgiven."""
        return [said for said in self.said if not any(word in said for word in self.forgiven)]

    async def open(self, url: str) -> Page:
        page = await self.context.new_page()
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("console", lambda said: self.said.append(said.text) if said.type == "error" else None)
        await page.goto(url)
        await page.locator("#send:visible, #next:visible").wait_for()
        return page

    def forgive(self, *words: str) -> None:
        """Where the network was cut or the server refused, the browser says so in its console, at times later."""
        self.forgiven |= {"net::ERR_", "when fetching the script", *words}

    async def kept(self, page: Page) -> None:
        """Until the page would open without a network."""
        await eventually(lambda: page.evaluate(_KEPT))


_KEPT = """async () => {
  const names = performance.getEntriesByType("resource").map(({ name }) => name);
  const loaded = names.filter((name) => name.includes("/static/"));
  const here = await Promise.all(loaded.map((name) => caches.match(name)));
  return Boolean(await caches.match(location.pathname)) && here.length > 20 && here.every(Boolean);
}"""


async def send(page: Page) -> None:
    await page.get_by_role("button", name="Send").click()
    await page.get_by_role("heading", name="Thank you").wait_for()


async def cut(context: BrowserContext, off: bool = True) -> None:
    """Take the network away, or give it back."""
    await context.set_offline(off)


async def choose(page: Page, files: Any = PICTURE, *, button: str = "Choose a photo") -> None:
    """Add these to the form, as the button's own dialog does."""
    async with page.expect_file_chooser() as choosing:
        await page.get_by_role("button", name=button).click()
    await (await choosing.value).set_files(files)


async def draw(page: Page) -> None:
    box = await page.locator("canvas").bounding_box()
    assert box is not None
    await page.mouse.move(box["x"] + 30, box["y"] + 100)
    await page.mouse.down()
    await page.mouse.move(box["x"] + 160, box["y"] + 40, steps=8)
    await page.mouse.up()
    await page.get_by_role("button", name="Clear").wait_for()
