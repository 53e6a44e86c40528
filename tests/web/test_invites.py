"""Invite pages: sending, listing, resending and revoking invites, with errors next to their fields."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from actors import Account
from factories.forms import form
from factories.invites import invite, note, rendered_emails
from factories.mail_worker import mail_worker
from factories.requests import get
from factories.web_client import Visit, visit
from fixtures.smtp_server import mail_server

from formwright.core.pagination import Window
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditFilter
from formwright.domain.mail.models import MailStatus


@pytest_asyncio.fixture
async def site(account: Account) -> AsyncIterator[Visit]:
    async with visit(account) as pages:
        yield pages


async def test_several_people_are_invited_at_once(account: Account, site: Visit) -> None:
    empty = (await site.http.get("/invites/new")).text
    assert "No published forms" in empty
    asked = await form(account, name="Visit <b>")
    assert "No invites yet" in (await site.http.get("/invites")).text
    people = '"Lee, Ann" is no name\nAnn Lee <ann@example.org>\nBOB@example.org, bob@example.org;'
    typed = {"form": asked["id"], "people": people, "message": "Dear <b>all</b>", "until": "2019-01-01"}
    refused = await site.post("/invites/new", typed)
    assert refused.status_code == 422
    for words in (
        "is no name: Enter a valid email address.",
        "This time is in the past",
        "Dear &lt;b&gt;all&lt;/b&gt;</textarea>",
    ):
        assert words in refused.text, words
    assert (await get(account, f"/customers/{account.id}/invites"))["items"] == []
    right = typed | {"people": people.partition("\n")[2], "until": "2130-01-01"}
    response = await site.post("/invites/new", right)
    links = re.findall(r'value="https://forms.test(/fill/i\w{42})"', response.text)
    assert len(links) == 2
    async with account.stage.client() as guest:
        assert [(await guest.get(link)).status_code for link in links] == [200, 200]
    page = (await site.http.get(f"/invites?form={asked['id']}")).text
    for words in ("Ann Lee", "ann@example.org", "bob@example.org", "Visit &lt;b&gt;", "Not sent", ">1 Jan 2130<"):
        assert words in page, words
    invite = (await get(account, f"/customers/{account.id}/invites"))["items"]
    assert [(one["name"], one["email"]) for one in invite] == [("Ann Lee", "ann@example.org"), ("", "bob@example.org")]
    assert {one["expiresAt"] for one in invite} == {"2130-01-02T00:00:00.000Z"}
    assert ">1 Jan 2130<" in (await site.http.get(f"/invites/{invite[0]['id']}")).text
    [email] = await rendered_emails(account.ctx, account.id, invite[0]["id"])
    assert "until Sunday, 1 January 2130." in email.text
    assert re.search(r"https://forms.test/fill/i\w{42}", email.text)


async def test_recipients_are_parsed_like_in_mail_programs(account: Account, site: Visit) -> None:
    asked = await form(account)
    people = 'Lee, Ann <ann@example.org>; "Roe, Max" <max@example.org>, bob@example.org, Li <li@example.org>'
    response = await site.post("/invites/new", {"form": asked["id"], "people": people, "message": "", "until": ""})
    assert response.status_code == 200
    created = (await get(account, f"/customers/{account.id}/invites"))["items"]
    assert {(one["name"], one["email"]) for one in created} == {
        ("Lee, Ann", "ann@example.org"),
        ("Roe, Max", "max@example.org"),
        ("", "bob@example.org"),
        ("Li", "li@example.org"),
    }
    lost = await site.post("/invites/new", {"form": asked["id"], "people": "Bob\nMax, max@example.org,", "message": ""})
    assert "Bob: Enter a valid email address. Max, max@example.org: Enter a valid email address." in lost.text


async def test_an_invite_is_opened_resent_and_revoked(account: Account, site: Visit) -> None:
    new_invite = await invite(account, await form(account), name="<i>Ann</i>", message="Please")
    here = f"/invites/{new_invite['id']}"
    await note(account, new_invite, MailStatus.FAILED, "The mail server responded 550 <no>")
    page = (await site.http.get(here)).text
    for words in (
        "Delivery failed",
        "550 &lt;no&gt;",
        "&lt;i&gt;Ann&lt;/i&gt;",
        "Delivery failed",
        "Invited</strong> by",
    ):
        assert words in page, words
    assert "Revoke" not in page
    asked = (await site.http.get(f"{here}?ask=resend")).text
    assert re.search(r'<dialog id="resend"[^>]* open>', asked)
    response = await site.post(f"{here}/resend")
    page = (await site.http.get(response.headers["location"])).text
    assert "The old link no longer works." in page
    assert "Resent</strong> by" in page
    created = await site.post(f"{here}/link")
    [link] = re.findall(r'value="https://forms.test(/fill/i\w{42})"', created.text)
    async with account.stage.client() as guest:
        assert (await guest.get(link)).status_code == 200
    async with account.ctx.db.reading() as tx:
        found = await audit.page(tx, account.actor, AuditFilter(action="invite.link_created"), Window(10))
    assert [entry.resource_id for entry in found.items] == [new_invite["id"]]
    response = await site.post(f"{here}/revoke")
    assert "Invite revoked. The link no longer works." in (await site.http.get(response.headers["location"])).text
    ended = await site.post(f"{here}/link")
    assert (ended.status_code, "can no longer be changed" in ended.text) == (422, True)
    for verb in ("revoke", "resend"):
        again = await site.post(f"{here}/{verb}")
        assert (again.status_code, "This invite is REVOKED" in again.text) == (422, True)


async def test_filters_are_in_the_address(account: Account, site: Visit, stranger: Account) -> None:
    one, other = await form(account, name="One"), await form(account, name="Other")
    for asked, email in ((one, "ann@example.com"), (other, "bob@example.com")):
        await invite(account, asked, email=email)
    foreign = await invite(stranger, await form(stranger), email="eve@example.com")

    async def found(query: str) -> list[str]:
        return re.findall(r'class="open"[^>]*>([^<]+)<', (await site.http.get(f"/invites{query}")).text)

    assert await found("") == ["bob@example.com", "ann@example.com"]
    assert await found(f"?form={one['id']}") == ["ann@example.com"]
    assert await found("?email=BOB@example.com") == ["bob@example.com"]
    assert await found("?status=PENDING&from=2020-01-01&to=2130-01-01") == ["bob@example.com", "ann@example.com"]
    for nothing in ("?status=REVOKED", "?from=2130-01-01", "?form=frm_x", "?email=eve@example.com"):
        assert await found(nothing) == []
    assert "Enter a date like" in (await site.http.get("/invites?from=tomorrow")).text
    assert (await site.http.get(f"/invites/{foreign['id']}")).status_code == 404


async def test_with_a_mail_server_invites_are_sent_and_no_links_are_shown(account: Account, site: Visit) -> None:
    asked = await form(account)
    async with mail_server() as server, mail_worker(account.stage, server):
        assert "no mail server" not in (await site.http.get("/invites/new")).text
        typed = {"form": asked["id"], "people": "ann@example.org", "message": "", "until": ""}
        response = await site.post("/invites/new", typed)
        assert response.status_code == 303
        [invite] = (await get(account, f"/customers/{account.id}/invites"))["items"]
        assert invite["reason"] is None


@pytest.mark.parametrize("path", ["/invites/new", "/tasks/new", "/people/new", "/forgot-password"])
async def test_pages_say_before_sending_that_there_is_no_mail_server(account: Account, site: Visit, path: str) -> None:
    await form(account)
    assert "no mail server" in (await site.http.get(path)).text
