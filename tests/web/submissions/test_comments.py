"""Comments on the page of a submission: writing them, mentioning people, and what erasing a person removes."""

import json

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.users import built_in, member, user
from factories.web_client import visit
from fixtures import axe
from fixtures.accounts import PASSWORD, Person
from fixtures.browser import open_page
from playwright.async_api import Browser, expect

from formwright.core.auth.actor import ResourceType
from formwright.domain.privacy import erasure, subject_data
from formwright.domain.privacy.discovery import find
from formwright.domain.privacy.models import Subject
from formwright.domain.users.models import Grant

MARKUP = "<img src=x onerror=alert(1)> & **bold**"


async def test_rejected_comments_keep_what_was_entered(account: Account) -> None:
    filled, other = await submission(account, await form(account)), await form(account)
    grant = Grant(await built_in(account, "Data viewer"), ResourceType.FORM, other["id"])
    outsider = await member(account, grant, name="Outsider")
    here = f"/submissions/{filled['id']}"
    async with visit(account) as site:
        page = await site.post(f"{here}/comments", {"body": MARKUP, "mentions": [outsider.id]})
        assert page.status_code == 422
        assert "They can’t see this submission: Outsider." in page.text
        assert "&lt;img src=x onerror=alert(1)&gt; &amp; **bold**</textarea>" in page.text
        for body, text in (("", "Enter a comment."), ("x" * 4001, "Enter at most 4,000 characters.")):
            assert text in (await site.post(f"{here}/comments", {"body": body})).text
        unknown = await site.post(f"{here}/comments", {"body": "Hi", "mentions": ["usr_nobody", "x\0"]})
        assert (unknown.status_code, "Choose people from the list." in unknown.text) == (422, True)
        assert (await site.post(f"{here}/comments", {"body": MARKUP})).status_code == 303
        shown = (await site.http.get(here)).text
        assert "&lt;img src=x onerror=alert(1)&gt; &amp; **bold**" in shown
        assert "<img src=x" not in shown
        comment_id = shown.split('<li id="cmt_')[1][:26]
        assert (await site.post(f"{here}/comments/cmt_{comment_id}/delete")).status_code == 303
        assert "onerror" not in (await site.http.get(here)).text
    async with visit(account, outsider.id) as site:
        assert (await site.post(f"{here}/comments", {"body": "Hi"})).status_code in (403, 404)


async def test_erasing_a_user_removes_their_comments_and_those_on_their_submissions(account: Account) -> None:
    new_form = await form(account)
    who = await user(account, "Annabel")
    await account.api.put(
        f"{PREFIX}/customers/{account.id}/users/{who.id}",
        json={
            "grants": [
                {
                    "roleId": await built_in(account, "Administrator"),
                    "resource": {"type": "account", "id": account.id},
                }
            ]
        },
    )
    theirs = await submission(account, new_form, userId=who.id)
    other = await submission(account, new_form)
    comments = f"{PREFIX}/customers/{account.id}/submissions/{{}}/comments"
    header = {"idempotency-key": "about"}
    about = await account.api.post(
        comments.format(theirs["id"]), json={"body": "About Zq7", "mentions": [who.id]}, headers=header
    )
    assert about.status_code == 201, about.text
    kept = (await account.api.post(comments.format(other["id"]), json={"body": "Stays"})).json()
    async with visit(account, who.id) as site:
        await site.post(f"/submissions/{other['id']}/comments", {"body": "By Zq7"})
    async with account.ctx.db.reading() as tx:
        found = await find(tx, account.actor, Subject(user_id=who.id))
        exported = await subject_data.collect(tx, account.actor, found)
    assert [one["body"] for one in exported["comments"]] == ["About Zq7", "By Zq7"]
    assert who.email in [one["address"] for one in exported["mails"]]
    ctx = account.ctx
    async for _ in erasure.erase(ctx.db, ctx.files, account.actor, Subject(user_id=who.id), ctx.clock.now):
        pass
    async with ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT id FROM submission_comments WHERE customer_id = $1", account.id)
        mails = await tx.fetch("SELECT id FROM mails WHERE customer_id = $1 AND purpose = 'mention'", account.id)
        replies = await tx.fetch("SELECT location FROM replies WHERE customer_id = $1", account.id)
    assert ([row[0] for row in rows], list(mails)) == ([kept["id"]], [])
    assert about.json()["id"] not in str([tuple(row) for row in replies])
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type="comment.*"))["items"]
    assert "Zq7" not in json.dumps(events)
    assert [event.get("erased", False) for event in events] == [True, False, True]


@pytest.mark.slow
async def test_a_reviewer_comments_and_mentions_somebody(browser: Browser, person: Person) -> None:
    async with person.client() as http:
        fields = [{"type": "text", "name": "site", "label": "Site"}]
        body = {"name": "Harbour", "fields": fields, "publish": True}
        form = (await http.post("/api/v1.0/forms", json=body)).json()
        base = f"/api/v1.0/customers/{person.customer_id}"
        filled = (await http.post(f"{base}/forms/{form['id']}/submissions", json={"data": {"site": "Quay"}})).json()
        roles = (await http.get(f"{base}/roles")).json()["items"]
        viewer = next(one["id"] for one in roles if one["name"] == "Data viewer")
        grants = [{"roleId": viewer, "resource": {"type": "account", "id": person.customer_id}}]
        for number in range(12):
            new = {"email": f"mate{number}@example.org", "name": f"Mate {number}", "grants": grants}
            assert (await http.post(f"{base}/users", json=new)).status_code == 201
    async with open_page(browser, viewport={"width": 1100, "height": 800}) as watched:
        page = watched.page
        await axe.bring(page)
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions/{filled['id']}"))
        await page.get_by_label("Comment", exact=True).fill(MARKUP)
        await page.get_by_role("combobox", name="Search: Mention people (optional)").fill("Mate 11")
        await page.get_by_role("option", name="Mate 11").click()
        assert await axe.faults(page) == []
        await page.get_by_role("button", name="Comment", exact=True).click()
        await expect(page.locator(".comments > li")).to_contain_text(MARKUP)
        await expect(page.locator(".comments > li")).to_contain_text("Mentioned: Mate 11")
        assert await axe.faults(page) == []
        await page.get_by_role("button", name="Delete comment").click()
        await expect(page.locator(".comments > li")).to_have_count(0)
        assert watched.errors == []


@pytest.mark.slow
async def test_a_comment_outlives_the_end_of_the_session(browser: Browser, person: Person) -> None:
    async with person.client() as http:
        body = {"name": "Harbour", "fields": [{"type": "text", "name": "site", "label": "Site"}], "publish": True}
        form = (await http.post("/api/v1.0/forms", json=body)).json()
        path = f"/api/v1.0/customers/{person.customer_id}/forms/{form['id']}/submissions"
        filled = (await http.post(path, json={"data": {"site": "Quay"}})).json()
    async with open_page(browser) as watched:
        page = watched.page
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/submissions/{filled['id']}"))
        comment = page.get_by_label("Comment", exact=True)
        await comment.fill(MARKUP)
        await page.context.clear_cookies()
        await page.get_by_role("button", name="Comment", exact=True).click()
        await expect(page.get_by_text("Your changes weren’t saved")).to_be_visible()
        await page.get_by_label("Email").fill(person.email)
        await page.get_by_label("Password").fill(PASSWORD)
        await page.get_by_role("button", name="Sign in").click()
        await expect(comment).to_have_value(MARKUP)
        await page.get_by_role("button", name="Comment", exact=True).click()
        await expect(page.locator(".comments > li")).to_contain_text(MARKUP)
        await page.reload()
        await expect(comment).to_have_value("")
