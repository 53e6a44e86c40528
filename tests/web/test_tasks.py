"""Task pages: assigning, listing, reassigning and cancelling tasks, with errors next to their fields."""

import re

import pytest
from actors import Account
from factories.exports import load_file
from factories.forms import form
from factories.invites import invite
from factories.requests import get
from factories.submissions import submission
from factories.tasks import let_pass, task, work
from factories.users import group, member, role, user
from factories.web_client import send, visit

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant


async def test_a_task_is_assigned_and_shown(account: Account) -> None:
    async with visit(account) as site:
        assert "No published forms" in (await site.http.get("/tasks/new")).text
        asked, mate = await form(account, name="Round <b>"), await user(account, "Ann")
        assert "No tasks yet" in (await site.http.get("/tasks")).text
        typed = {"form": asked["id"], "message": "Dear <b>all</b>", "due": "2019-01-01T10:00", "all": "1"}
        refused = await site.post("/tasks/new", typed)
        assert refused.status_code == 422
        for words in ("Add at least one user", "This time is in the past", "Dear &lt;b&gt;all&lt;/b&gt;</textarea>"):
            assert words in refused.text, words
        assert "Enter a date and time like" in (await site.post("/tasks/new", typed | {"due": "soon"})).text
        assert (await get(account, f"/customers/{account.id}/tasks"))["items"] == []
        response = await site.post("/tasks/new", typed | {"due": "2060-01-01T10:00", "users": mate.id})
        page = (await site.http.get(response.headers["location"])).text
        for words in ("Round &lt;b&gt;", "Ann", "everyone must respond", "1 Jan 2060, 10:00"):
            assert words in page, words
        listed = (await site.http.get(f"/tasks?form={asked['id']}&status=OPEN&person={mate.id}")).text
        assert response.headers["location"] in listed
        assert "No matching tasks" in (await site.http.get("/tasks?status=REVOKED")).text


async def test_a_line_break_counts_as_one_character_like_in_browsers(account: Account) -> None:
    asked, said = await form(account), "a\r\n" * 499 + "ok"
    async with visit(account) as site:
        typed = {"form": asked["id"], "users": account.owner.id, "message": said * 5}
        response = await site.post("/tasks/new", typed)
        assert response.status_code == 303, response.text
        path = response.headers["location"]
        assert (await site.post(f"/my{path}/decline", {"reason": said})).status_code == 303
        task = await get(account, f"/customers/{account.id}{path}")
    kept = "a\n" * 499 + "ok"
    assert (task["message"], task["fulfilments"][0]["reason"]) == (kept * 5, kept)


async def test_a_task_is_reassigned_and_cancelled(account: Account) -> None:
    new_task, mate = await task(account, await form(account), dueAt="2060-01-01T00:00:00Z"), await user(account)
    here, empty = f"/tasks/{new_task['id']}", await group(account)
    await let_pass(account, new_task, "due_at")
    await work(account, new_task)
    async with visit(account) as site:
        assert re.search(r'data-label="Overdue">1<', (await site.http.get("/tasks")).text)
        refused = await site.post(f"{here}/reassign", {"groups": empty["id"]})
        assert (refused.status_code, "no active members" in refused.text) == (422, True)
        await site.post(f"{here}/reassign", {"users": mate.id})
        assert mate.name in (await site.http.get(here)).text
        asked = (await site.http.get(f"{here}?ask=revoke")).text
        assert re.search(r'<dialog id="revoke"[^>]* open>', asked)
        await site.post(f"{here}/revoke")
        assert "Revoked" in (page := (await site.http.get(here)).text)
        assert "Change assignees" not in page
        assert (await site.post(f"{here}/complete")).status_code == 422


async def test_users_who_may_not_list_users_can_only_assign_tasks_to_themselves(account: Account) -> None:
    given, giver = await task(account, await form(account)), await role(account, "tasks:read", "tasks:manage")
    colleague = await member(account, Grant(giver["id"], ResourceType.ACCOUNT, account.id), name="Ann")
    async with visit(account, colleague.id) as site:
        page = await site.http.get("/tasks/new")
        assert (page.status_code, "Ann" in page.text) == (200, True)
        page = await site.http.get(f"/tasks/{given['id']}")
        assert (page.status_code, "Change assignees" in page.text) == (200, False)
        assert (await site.post(f"/tasks/{given['id']}/revoke")).status_code == 303


async def test_the_latest_due_date_works_in_every_time_zone(account: Account) -> None:
    last = "9999-12-31T23:59:59.999Z"
    async with visit(account) as here:
        assert (
            await send(here.http, "/settings/organisation", name="Owner", locale="en", zone="Asia/Tokyo")
        ).is_redirect
        new_form = await form(account)
        given = await task(account, new_form, dueAt=last, notify=True)
        await work(account, given)
        await invite(account, new_form, expiresAt=last)
        await submission(account, new_form, submittedAt=last)
        for path in ("/tasks", f"/tasks/{given['id']}", "/invites", "/submissions"):
            page = await here.http.get(f"{path}?form={new_form['id']}")
            assert page.status_code == 200, path
            assert "31 Dec 9999, 23:59" in page.text, path
    assert await load_file(account, f"/submissions/download.xlsx?form={new_form['id']}")


@pytest.mark.parametrize("path", ["/tasks/{}", "/my/tasks/{}"])
async def test_a_task_of_another_account_is_not_found(account: Account, stranger: Account, path: str) -> None:
    theirs = await task(stranger, await form(stranger))
    async with visit(account) as site:
        assert (await site.http.get(path.format(theirs["id"]))).status_code == 404
        assert (await site.post(path.format(theirs["id"]) + "/decline")).status_code == 404
