"""The limits of a form's link: when it is open, how many responses it accepts, and one per device."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from actors import Account, Stage
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.web_client import visit
from fixtures.app_contexts import SetClock

from formwright import migrations
from formwright.app import create_app
from formwright.domain.forms import service as forms
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

NOW = 1_780_000_000_000
"""2026-05-28T20:26:40Z."""
HOUR = 3_600_000
PLAIN = {"embedOrigins": [], "proofOfWork": "AUTOMATIC", "redirectUrl": None}
NO_PAGES = ("javascript:alert(1)", "//x.example", "https:///x", "https://a@b.example", "https://a b.example", "")
DAY_LATER = "2026-05-29T20:26:40.000Z"


@asynccontextmanager
async def running(settings: Settings, clock: SetClock) -> AsyncIterator[Stage]:
    """Run the application as one process."""
    await migrations.upgrade(settings)
    entrance = create_app(settings, clock=clock, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")


async def respond(
    http: httpx.AsyncClient, form: dict[str, Any], client_id: str = "", method: str = "POST", **members: Any
) -> httpx.Response:
    body = {"versionId": form["publishedVersionId"], "data": {"site": "Pier"}} | members
    return await http.request(method, f"{form['fillPath']}/submissions/{client_id or uuid.uuid4()}", json=body)


def code(response: httpx.Response) -> tuple[int, str]:
    return response.status_code, response.json().get("code", "")


async def put(account: Account, path: str, body: object) -> dict[str, Any]:
    response = await account.api.put(PREFIX + path, json=body)
    assert response.status_code == 200, response.text
    changed: dict[str, Any] = response.json()
    return changed


def forms_path(account: Account) -> str:
    return f"/forms/customer/{account.id}/forms"


@pytest.mark.slow
async def test_concurrent_responses_never_exceed_the_limit(own_settings: Settings) -> None:
    """Two processes receive twenty responses at the same time, of which the form accepts seven."""
    clock = SetClock(NOW)
    async with running(own_settings, clock) as one, running(own_settings, clock) as other, one.account() as account:
        before = await form(account)
        async with one.client() as http:
            assert (await respond(http, before)).status_code == 201
        path = f"{forms_path(account)}/{before['id']}"
        # The response before the limit counts; those of API keys do not.
        new_form = await put(account, path, {"publicLink": {"maxResponses": 7}})
        await submission(account, new_form, externalId="office")
        async with one.client() as http, other.client() as http2:
            answers = await asyncio.gather(*(respond(each, new_form) for each in [http, http2] * 10))
            assert sorted(map(code, answers)) == [(201, "")] * 6 + [(409, "form.link_full")] * 14
            # Neither a draft nor a page gets around it, and an API key is not limited.
            assert code(await respond(http, new_form, method="PUT")) == (409, "form.link_full")
            page = await http.get(new_form["fillPath"], headers={"accept-language": "de"})
            assert (page.status_code, "This form is full" in page.text) == (409, True)
            stored = await get(account, f"/submissions?formId={new_form['id']}&status=SUBMITTED&limit=100")
            assert len(stored["items"]) == 8
            await submission(account, new_form)
            # A deleted response frees its place, but only that.
            first = next(one for one in stored["items"] if one["externalId"] is None)
            customer = f"/customers/{account.id}"
            await account.api.delete(f"/api/v1.0{customer}/submissions/{first['id']}")
            answers = await asyncio.gather(*(respond(http, new_form) for _ in range(3)))
            assert sorted(response.status_code for response in answers) == [201, 409, 409]


async def test_the_link_opens_and_closes(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with running(own_settings, clock) as stage, stage.account() as account, stage.client() as http:
        link = {"opensAt": "2026-05-28T23:26:40+02:00", "closesAt": DAY_LATER}
        new_form = await form(account, publicLink=link)
        whole = {
            "opensAt": "2026-05-28T21:26:40.000Z",
            "closesAt": DAY_LATER,
            "maxResponses": None,
            "onePer": None,
        } | PLAIN
        assert new_form["publicLink"] == whole
        early = await respond(http, new_form)
        assert (code(early), early.headers["retry-after"]) == ((409, "form.link_not_open"), "3600")
        page = await http.get(new_form["fillPath"])
        assert (page.status_code, "It opens on 2026-05-28 21:26 (UTC)" in page.text) == (409, True)
        clock.ms = NOW + HOUR
        assert "form-data" in (await http.get(new_form["fillPath"])).text
        draft_id, sent = str(uuid.uuid4()), str(uuid.uuid4())
        assert (await respond(http, new_form, draft_id, "PUT")).status_code == 200
        assert (await respond(http, new_form, sent)).status_code == 201
        clock.ms = NOW + 24 * HOUR
        # A draft that was begun in time is late too; a repeated request is not.
        assert code(await respond(http, new_form, draft_id)) == (409, "form.link_closed")
        assert (await respond(http, new_form, sent)).status_code == 200
        assert "accepted responses until 2026-05-29 20:26 (UTC)" in (await http.get(new_form["fillPath"])).text
        # The office may reject a response later, and the person can still correct it.
        path = f"/customers/{account.id}/submissions"
        [stored] = (await get(account, f"/submissions?formId={new_form['id']}&status=SUBMITTED"))["items"]
        await put(account, f"{path}/{stored['id']}", {"status": "REJECTED", "note": "Which pier?"})
        assert "form-data" in (await http.get(f"{new_form['fillPath']}?again={sent}")).text
        assert (await respond(http, new_form, sent, data={"site": "North pier"})).status_code == 201
        await put(account, f"{forms_path(account)}/{new_form['id']}", {"publicLink": None})
        assert (await respond(http, new_form, draft_id)).status_code == 201


async def test_an_invite_is_limited_but_not_by_device(account: Account, stage: Stage) -> None:
    new_form = await form(account, publicLink={"maxResponses": 1, "onePer": "DEVICE"})
    async with stage.client() as http:
        device = str(uuid.uuid4())
        missing = await respond(http, new_form)
        assert (missing.status_code, missing.json()["errors"][0]["code"]) == (422, "submission.device")
        assert (await respond(http, new_form, device=device)).status_code == 201
        assert code(await respond(http, new_form, device=device)) == (409, "form.device_answered")
        assert code(await respond(http, new_form, device=str(uuid.uuid4()))) == (409, "form.link_full")
        await put(account, f"{forms_path(account)}/{new_form['id']}", {"publicLink": {"onePer": "DEVICE"}})
        assert code(await respond(http, new_form, device=device)) == (409, "form.device_answered")
        assert (await http.get(f"{new_form['fillPath']}/devices/{device}")).json() == {"answered": True}
        for other in ("%00", "é" * 1000):
            assert (await http.get(f"{new_form['fillPath']}/devices/{other}")).json() == {"answered": False}
        # If the response is deleted, the device may send another.
        [stored] = (await get(account, f"/submissions?formId={new_form['id']}&status=SUBMITTED"))["items"]
        await account.api.delete(f"/api/v1.0/customers/{account.id}/submissions/{stored['id']}")
        assert (await http.get(f"{new_form['fillPath']}/devices/{device}")).json() == {"answered": False}
        assert (await respond(http, new_form, device=device)).status_code == 201


@pytest.mark.parametrize(
    ("link", "pointer", "expected"),
    [
        ({"opensAt": DAY_LATER, "closesAt": DAY_LATER}, "/publicLink/closesAt", "form.closes_before_opening"),
        ({"maxResponses": 0}, "/publicLink/maxResponses", "value.too_small"),
        ({"maxResponses": 1_000_001}, "/publicLink/maxResponses", "value.too_great"),
        ({"onePer": "PERSON"}, "/publicLink/onePer", "value.choice"),
        ({"opensAt": "2026-05-28T21:00"}, "/publicLink/opensAt", "value.format"),
        ({"opensAt": "0001-01-01T00:00:00+14:00"}, "/publicLink/opensAt", "value.format"),
        ({"embedOrigins": ["https://a.example", "*"]}, "/publicLink/embedOrigins/1", "form.embed_origin"),
        ({"embedOrigins": ["https://a.example 'self'"]}, "/publicLink/embedOrigins/0", "form.embed_origin"),
        *(({"redirectUrl": url}, "/publicLink/redirectUrl", "form.redirect_url") for url in NO_PAGES),
        ({"until": DAY_LATER}, "/publicLink/until", "value.unknown"),
    ],
)
async def test_wrong_limits_are_rejected(account: Account, link: dict[str, Any], pointer: str, expected: str) -> None:
    new_form = await form(account)
    response = await account.api.put(f"/api/v1.0{forms_path(account)}/{new_form['id']}", json={"publicLink": link})
    assert response.status_code == 422
    [error] = response.json()["errors"]
    assert (error["pointer"], error["code"]) == (pointer, expected)


async def test_the_tab_share_sets_the_limits(account: Account) -> None:
    new_form = await form(account)
    share = f"/forms/{new_form['id']}/share"
    async with visit(account) as site:
        entered = {"opensAt": "2026-05-28T21:00", "closesAt": "2026-05-28T20:00", "maxResponses": "1e3"}
        wrong = await site.post(f"{share}/limits", entered)
        assert (wrong.status_code, "whole number from 1" in wrong.text) == (422, True)
        assert 'value="1e3"' in wrong.text
        wrong = await site.post(f"{share}/limits", entered | {"maxResponses": "5"})
        assert (wrong.status_code, "must close after it opens" in wrong.text) == (422, True)
        wrong = await site.post(f"{share}/limits", {"opensAt": "tomorrow", "proofOfWork": "SOMETIMES"})
        assert "Choose an option from the list." in wrong.text
        assert "Enter a date and time" in wrong.text
        saved = await site.post(f"{share}/limits", {"maxResponses": "5", "onePerDevice": "1", "proofOfWork": "OFF"})
        page = (await site.http.get(saved.headers["location"])).text
        assert "Limits saved." in page
        assert "0 of 5 responses received." in page
        stored = await get(account, f"{forms_path(account)}/{new_form['id']}")
        none = {"opensAt": None, "closesAt": None, "embedOrigins": [], "proofOfWork": "OFF", "redirectUrl": None}
        assert stored["publicLink"] == {"maxResponses": 5, "onePer": "DEVICE"} | none


async def test_the_tab_share_sets_the_page_after_submitting(account: Account) -> None:
    new_form = await form(account)
    share = f"/forms/{new_form['id']}/share"
    async with visit(account) as site:
        wrong = await site.post(f"{share}/redirect", {"redirectUrl": "javascript:alert(1)"})
        assert (wrong.status_code, "Enter the URL of a page" in wrong.text) == (422, True)
        saved = await site.post(f"{share}/redirect", {"redirectUrl": "https://www.example.org/a?b=1"})
        assert "Redirect saved." in (await site.http.get(saved.headers["location"])).text
        assert "https://www.example.org/a?b=1" in (await site.http.get(new_form["fillPath"])).text
        await site.post(f"{share}/limits", {"maxResponses": "5"})
        stored = await get(account, f"{forms_path(account)}/{new_form['id']}")
        assert stored["publicLink"]["redirectUrl"] == "https://www.example.org/a?b=1"


async def test_two_changes_of_the_link_at_the_same_time_are_both_kept(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    new_form = await form(account)
    share, real = f"/forms/{new_form['id']}/share", forms.get

    async def get_slowly(*args: Any, **options: Any) -> Any:
        found = await real(*args, **options)
        await asyncio.sleep(0.3)
        return found

    async with visit(account) as site:
        monkeypatch.setattr(forms, "get", get_slowly)
        await asyncio.gather(
            site.post(f"{share}/redirect", {"redirectUrl": "https://www.example.org/"}),
            site.post(f"{share}/limits", {"maxResponses": "5"}),
        )
        monkeypatch.undo()
    link = (await get(account, f"{forms_path(account)}/{new_form['id']}"))["publicLink"]
    assert (link["redirectUrl"], link["maxResponses"]) == ("https://www.example.org/", 5)


async def test_the_tab_share_sets_the_sites_that_embed_the_form(account: Account) -> None:
    new_form = await form(account, name='Visit "<b>"')
    share = f"/forms/{new_form['id']}/share"
    async with visit(account) as site:
        wrong = await site.post(f"{share}/embed", {"sites": "https://a.example\nhttps://b.example/page; x"})
        assert wrong.status_code == 422
        assert "https://b.example/page; x: Enter the origin of a site" in wrong.text
        wrong = await site.post(f"{share}/embed", {"sites": "\n".join(f"https://s{i}.example" for i in range(51))})
        assert (wrong.status_code, "Enter at most 50 sites." in wrong.text) == (422, True)
        await site.post(f"{share}/limits", {"maxResponses": "5"})
        saved = await site.post(f"{share}/embed", {"sites": " https://A.example/ \r\nhttp://127.0.0.1:8080\r\n\r\n"})
        page = (await site.http.get(saved.headers["location"])).text
        assert "title=&#34;Visit &amp;quot;&amp;lt;b&amp;gt;&amp;quot;&#34;" in page
        stored = (await get(account, f"{forms_path(account)}/{new_form['id']}"))["publicLink"]
        assert (stored["embedOrigins"], stored["maxResponses"]) == (["https://a.example", "http://127.0.0.1:8080"], 5)
