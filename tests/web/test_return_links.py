"""Return links: people go on with unfinished answers, and change what they have submitted, if the form allows it."""

import asyncio
import re
import uuid
from typing import Any

import httpx
import msgspec
import pytest
from actors import Account, Stage
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get
from factories.web_client import visit
from fixtures.app_contexts import SetClock
from web.test_link_limits import HOUR, NOW, code, respond, running

from formwright.core import crypto
from formwright.settings import Settings

DATA = {"site": "Pier", "people": 3}


def editable(**allowed: Any) -> dict[str, Any]:
    """Return the settings of a form whose senders can change what they have submitted."""
    return {"settings": {"editAfterSubmitting": allowed}}


async def sent(http: httpx.AsyncClient, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    response = await respond(http, form, **{"data": DATA} | members)
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    return body


def page_data(page: httpx.Response) -> dict[str, Any]:
    """Return what the script of a fill page reads."""
    found = re.search(r'id="form-data">(.*?)</script>', page.text, re.DOTALL)
    assert found, page.text
    read: dict[str, Any] = msgspec.json.decode(found[1])
    return read


async def change(http: httpx.AsyncClient, link: str, revision: int, **data: Any) -> httpx.Response:
    return await http.post(f"{link}/answers", json={"data": DATA | data, "revision": revision})


async def review(account: Account, submission_id: str, **members: Any) -> None:
    path = f"{PREFIX}/customers/{account.id}/submissions/{submission_id}"
    response = await account.api.put(path, json=members)
    assert response.status_code == 200, response.text


async def test_senders_change_what_they_submitted_until_it_is_reviewed(stage: Stage) -> None:
    async with stage.account() as account, stage.account("Other") as other, stage.client() as http:
        new_form = await form(account, **editable())
        record = await sent(http, new_form)
        link = record["link"]
        assert (re.fullmatch(r"/fill/r\w{42}", link) is not None, record["linkEnds"]) == (True, None)
        page = page_data(await http.get(link))
        assert (page["prefill"], page["correct"]["revision"]) == (DATA, record["revision"])
        assert (await http.get(f"{link}/qr.svg")).headers["content-type"] == "image/svg+xml"
        wrong = await change(http, link, record["revision"], people=501)
        assert (wrong.status_code, wrong.json()["errors"][0]["pointer"]) == (422, "/data/people")
        # Two pages save at the same time: one of them is told that it was late.
        answers = await asyncio.gather(*(change(http, link, record["revision"], people=n) for n in (4, 5)))
        assert sorted(map(code, answers)) == [(200, ""), (409, "submission.changed")]
        revision = next(response.json()["revision"] for response in answers if response.status_code == 200)
        same = await change(http, link, revision, people=page_data(await http.get(link))["prefill"]["people"])
        assert same.json()["revision"] == revision
        events = await get(account, f"/webhooks/customer/{account.id}/events?formId={new_form['id']}")
        last = events["items"][-1]
        assert (last["type"], last["data"]["updatedBy"]) == ("submission.updated", None)
        assert [event["type"] for event in events["items"]].count("submission.updated") == 1
        async with visit(account) as office:
            assert (
                "Edited</strong> by <bdi>the sender</bdi>"
                in (await office.http.get(f"/submissions/{record['id']}")).text
            )
        # The office was first.
        await review(account, record["id"], data=DATA | {"people": 9})
        assert code(await change(http, link, revision, people=6)) == (409, "submission.changed")
        assert page_data(await http.get(link))["prefill"]["people"] == 9
        await review(account, record["id"], status="APPROVED")
        assert code(await change(http, link, revision + 2, people=6)) == (409, "submission.link_ended")
        ended = await http.get(link)
        assert (ended.status_code, "They have been reviewed." in ended.text) == (410, True)
        stored = await get(account, f"/submissions?formId={new_form['id']}&status=APPROVED")
        assert stored["items"][0]["data"] == DATA | {"people": 9}
        assert (await get(other, f"/submissions?formId={new_form['id']}"))["items"] == []
        await account.api.delete(f"{PREFIX}/customers/{account.id}/submissions/{record['id']}")
        assert (await http.get(link)).status_code == 404
        async with stage.ctx.db.reading() as tx:
            assert await tx.fetch("SELECT 1 FROM return_links WHERE customer_id = $1", account.id) == []


async def test_a_change_is_refused_when_the_time_is_over_or_the_form_closed(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with running(own_settings, clock) as stage, stage.account() as account, stage.client() as http:
        new_form = await form(account, **editable(hours=2))
        first = await sent(http, new_form)
        assert NOW + 2 * HOUR <= first["linkEnds"] < NOW + 2 * HOUR + 1000
        path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
        for closing, status in (
            ({"publicLink": {"closesAt": "2020-01-01T00:00:00Z"}}, 409),
            ({"status": "ARCHIVED"}, 404),
        ):
            await account.api.put(path, json=closing)
            assert (await http.get(first["link"])).status_code == status
            assert (await change(http, first["link"], 2, people=4)).status_code in (404, 409)
            await account.api.put(path, json={"publicLink": None, "status": "ACTIVE"})
        # A limit that is reached does not matter: the response has been counted.
        await account.api.put(path, json={"publicLink": {"maxResponses": 1}})
        assert (await change(http, first["link"], first["revision"], people=4)).status_code == 200
        clock.ms = NOW + 3 * HOUR
        assert code(await change(http, first["link"], first["revision"] + 1, people=5)) == (
            409,
            "submission.link_ended",
        )
        page = await http.get(first["link"])
        assert (page.status_code, "The time for changes is over." in page.text) == (410, True)
        # The settings of the published version decide.
        versions = f"{path}/versions"
        other = await account.api.post(versions, json={"fields": FIELDS, "settings": {"language": "en"}})
        assert (await account.api.post(f"{versions}/{other.json()['id']}/publish")).is_success
        assert "You’ve completed this form" in (await http.get(first["link"])).text
        assert (await http.get(f"/fill/{crypto.new_secret('r')}")).status_code == 404


async def test_a_form_gives_no_links_unless_it_allows_changes(stage: Stage) -> None:
    async with stage.account() as account, stage.client() as http:
        assert "link" not in await sent(http, await form(account))


CONTINUING = {"settings": {"continueLater": True}}


async def saved_for_later(
    http: httpx.AsyncClient, form: dict[str, Any], client_id: str, **members: Any
) -> dict[str, Any]:
    response = await http.post(
        f"{form['fillPath']}/submissions/{client_id}/link",
        json={"versionId": form["publishedVersionId"], "data": {"site": "Pier"}} | members,
    )
    assert response.status_code == 201, response.text
    body: dict[str, Any] = response.json()
    return body


async def save(
    http: httpx.AsyncClient, form: dict[str, Any], link: str, editor: str, revision: int, **data: Any
) -> httpx.Response:
    page = {"editor": editor, "revision": revision, "position": "second"}
    body = {"versionId": form["publishedVersionId"], "data": data} | page
    return await http.put(f"{link}/submissions/{uuid.uuid4()}", json=body)


async def test_unfinished_answers_continue_on_another_device(stage: Stage) -> None:
    async with stage.account() as account, stage.client() as http, stage.client() as other:
        new_form = await form(account, **CONTINUING)
        client_id = str(uuid.uuid4())
        draft = await saved_for_later(http, new_form, client_id, position="first")
        link = draft["link"]
        page = page_data(await other.get(link))
        assert (page["prefill"], page["begun"], page["position"]) == ({"site": "Pier"}, draft["revision"], "first")
        assert (page["returned"], page["deviceBase"]) == (True, new_form["fillPath"])
        # A tab that still has the answers does not save into those of the link.
        assert (await respond(http, new_form, client_id, "PUT", data={"site": "Stale"})).status_code == 200
        assert page_data(await other.get(link))["prefill"] == {"site": "Pier"}
        # Of two devices that have read the same answers, the second one is told; the first may go on.
        first = await save(http, new_form, link, "one", page["begun"], site="Quay")
        second = await save(other, new_form, link, "two", page["begun"], site="Dock")
        assert (code(first), code(second)) == ((200, ""), (409, "submission.saved_elsewhere"))
        # Its response was lost, so that it does not know its own revision.
        assert (await save(http, new_form, link, "one", page["begun"], site="Quay 2")).status_code == 200
        late = {
            "versionId": new_form["publishedVersionId"],
            "data": {"site": "Dock"},
            "editor": "two",
            "revision": page["begun"],
        }
        there = f"{link}/submissions/{uuid.uuid4()}"
        assert code(await other.post(there, json=late)) == (409, "submission.saved_elsewhere")
        page = page_data(await other.get(link))
        assert (page["prefill"], page["position"]) == ({"site": "Quay 2"}, "second")
        done = late | {"data": {"site": "Dock"}, "revision": page["begun"]}
        answers = [await other.post(there, json=done) for _ in range(2)]
        assert [response.status_code for response in answers] == [201, 200]
        assert "link" not in answers[0].json()
        assert "You’ve completed this form" in (await http.get(link)).text
        [stored] = (await get(account, f"/submissions?formId={new_form['id']}&status=SUBMITTED"))["items"]
        assert (stored["id"], stored["data"]) == (draft["id"], {"site": "Dock"})
        events = await get(account, f"/webhooks/customer/{account.id}/events?formId={new_form['id']}")
        assert [one["type"] for one in events["items"]].count("submission.submitted") == 1


async def started_drafts(account: Account, form: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await get(account, f"/submissions?formId={form['id']}&status=STARTED"))["items"]
    return found


@pytest.mark.parametrize("page", [{}, {"editor": "one"}])
async def test_continuing_later_can_be_repeated_without_a_second_draft(stage: Stage, page: dict[str, str]) -> None:
    async with stage.account() as account, stage.client() as http:
        new_form, client_id = await form(account, **CONTINUING), str(uuid.uuid4())
        lost = await saved_for_later(http, new_form, client_id, **page)
        again = [await saved_for_later(http, new_form, client_id, **page) for _ in range(2)]
        assert {one["id"] for one in again} == {lost["id"]}
        assert [one["id"] for one in await started_drafts(account, new_form)] == [lost["id"]]
        links = [lost["link"], *(one["link"] for one in again)]
        assert [(await http.get(link)).status_code for link in links] == [404, 404, 200]
        # Once somebody saves with the link, the page has received it.
        assert (await save(http, new_form, links[-1], "other", again[-1]["revision"], site="Pier")).status_code == 200
        assert (await saved_for_later(http, new_form, client_id, **page))["id"] != lost["id"]
        assert page_data(await http.get(links[-1]))["prefill"] == {"site": "Pier"}


async def test_concurrent_requests_to_continue_later_make_one_draft(stage: Stage) -> None:
    async with stage.account() as account, stage.client() as http:
        new_form, client_id = await form(account, **CONTINUING), str(uuid.uuid4())
        found = await asyncio.gather(*(saved_for_later(http, new_form, client_id, editor="one") for _ in range(4)))
        assert len({one["id"] for one in found}) == len(await started_drafts(account, new_form)) == 1
        assert sorted([(await http.get(one["link"])).status_code for one in found]) == [200, 404, 404, 404]


async def test_a_page_that_did_not_receive_its_link_goes_on_with_its_draft(stage: Stage) -> None:
    async with stage.account() as account, stage.client() as http:
        new_form, client_id = await form(account, **CONTINUING), str(uuid.uuid4())
        lost = await saved_for_later(http, new_form, client_id, editor="one")
        # Another tab with the same id begins a draft of its own, whether or not it says which page it is.
        for tab in ({"editor": "two"}, {}):
            other = await saved_for_later(http, new_form, client_id, data={"site": "Dock"}, **tab)
            assert other["id"] != lost["id"]
        assert page_data(await http.get(lost["link"]))["prefill"] == {"site": "Pier"}
        client_id = str(uuid.uuid4())
        lost = await saved_for_later(http, new_form, client_id, editor="one")
        saved = await respond(http, new_form, client_id, "PUT", data={"site": "Quay"}, editor="one")
        assert (saved.json()["id"], (await http.get(lost["link"])).status_code) == (lost["id"], 404)
        lost = await saved_for_later(http, new_form, client_id, editor="one", data={"site": "Quay 2"})
        for status in (201, 200):
            done = await respond(http, new_form, client_id, data=DATA, editor="one")
            assert (done.status_code, done.json()["id"]) == (status, saved.json()["id"])
        [stored] = (await get(account, f"/submissions?formId={new_form['id']}&status=SUBMITTED"))["items"]
        assert (stored["id"], stored["data"]) == (lost["id"], DATA)


async def test_the_link_of_a_draft_becomes_the_link_to_change_it(stage: Stage) -> None:
    async with stage.account() as account, stage.client() as http:
        new_form = await form(account, settings={"continueLater": True, "editAfterSubmitting": {}})
        draft = await saved_for_later(http, new_form, str(uuid.uuid4()))
        body = {"versionId": new_form["publishedVersionId"], "data": DATA}
        response = await http.post(f"{draft['link']}/submissions/{uuid.uuid4()}", json=body)
        assert response.json()["link"] == draft["link"]
        assert (await change(http, draft["link"], response.json()["revision"], people=5)).status_code == 200


async def test_a_draft_is_continued_for_thirty_days_and_within_the_limits(own_settings: Settings) -> None:
    clock = SetClock(NOW)
    async with running(own_settings, clock) as stage, stage.account() as account, stage.client() as http:
        new_form, off = await form(account, publicLink={"proofOfWork": "ALWAYS"}, **CONTINUING), await form(account)
        for where, error in ((new_form, "fill.proof_required"), (off, "form.continue_later_off")):
            body = {"versionId": where["publishedVersionId"], "data": {}}
            refused = await http.post(f"{where['fillPath']}/submissions/{uuid.uuid4()}/link", json=body)
            assert refused.json()["code"] == error
        path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
        await account.api.put(path, json={"publicLink": None})
        draft = await saved_for_later(http, new_form, str(uuid.uuid4()))
        clock.ms += 29 * 24 * HOUR
        assert (await save(http, new_form, draft["link"], "one", draft["revision"], site="Quay")).status_code == 200
        clock.ms += 29 * 24 * HOUR
        # A new version is published meanwhile: the answers stay with theirs.
        versions = f"{path}/versions"
        other = await account.api.post(versions, json={"fields": FIELDS[1:], "settings": {"continueLater": True}})
        assert (await account.api.post(f"{versions}/{other.json()['id']}/publish")).is_success
        page = page_data(await http.get(draft["link"]))
        assert (page["versionId"], page["prefill"]) == (new_form["publishedVersionId"], {"site": "Quay"})
        await account.api.put(path, json={"publicLink": {"closesAt": "2020-01-01T00:00:00Z"}})
        closed = await http.get(draft["link"])
        assert (closed.status_code, "This form is closed" in closed.text) == (409, True)
        assert code(await save(http, new_form, draft["link"], "one", 2, site="Dock")) == (409, "form.link_closed")
        await account.api.put(path, json={"publicLink": None})
        clock.ms += 2 * 24 * HOUR
        expired = await http.get(draft["link"], headers={"accept-language": "de"})
        assert (expired.status_code, "This link has expired" in expired.text) == (409, True)
        assert code(await save(http, new_form, draft["link"], "one", 2, site="Dock")) == (409, "submission.link_ended")
        bad = await save(http, new_form, draft["link"], "nul\0", 2, site="Dock")
        assert bad.status_code == 422
