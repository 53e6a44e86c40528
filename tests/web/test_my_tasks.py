"""My tasks: from assigning a task to `task.completed`, as its recipient sees it."""

from typing import Any

from fixtures.accounts import Person
from fixtures.browser import WatchedPage
from fixtures.fill_pages import send
from fixtures.server_process import eventually
from playwright.async_api import expect

from formwright.core.auth.permissions import Permission

FIELDS = [
    {"type": "text", "name": "site", "label": "Site", "required": True},
    {"type": "integer", "name": "people", "label": "People"},
]


async def assign_task(http: Any, person: Person, to: Person, **members: Any) -> dict[str, Any]:
    """Assign a task to this user, with a new form."""
    form = (await http.post("/api/v1.0/forms", json={"name": "Round", "fields": FIELDS, "publish": True})).json()
    body = {"recipients": {"users": [to.id]}} | members
    response = await http.post(f"/api/v1.0/customers/{person.customer_id}/{form['id']}/tasks", json=body)
    assert response.status_code == 201, response.text
    task: dict[str, Any] = response.json()
    return task


async def test_a_task_is_opened_filled_in_and_submitted_on_a_phone(person: Person, phone_page: WatchedPage) -> None:
    filler, page = await person.factory.add_user(person, "Runner", Permission.SUBMISSIONS_CREATE), phone_page.page
    async with person.client() as http:
        task = await assign_task(http, person, filler, data={"site": "Quay 9"}, message="Look at <b>all</b> exits")
        other = await assign_task(http, person, filler, dueAt="2060-01-01T00:00:00Z")
        await filler.sign_in_browser(page)
        await page.goto(person.path("/my/tasks"))
        # Tasks are sorted by due date.
        await expect(page.locator("li.card h2 a").nth(1)).to_have_attribute("href", f"/my/tasks/{task['id']}")
        await page.locator("li.card").nth(1).get_by_role("link").click()
        await expect(page.get_by_text("Look at <b>all</b> exits")).to_be_visible()
        await page.get_by_role("link", name="Fill in").click()
        await expect(page.get_by_label("Site")).to_have_value("Quay 9")
        await page.get_by_label("People").fill("7")
        await send(page)
        await page.get_by_role("link", name="My tasks").click()
        await page.locator("li.card").get_by_role("link").click()
        await page.get_by_text("Decline this task").click()
        await page.get_by_label("Reason").fill("Too far")
        await page.get_by_role("button", name="Decline").click()
        await expect(page.get_by_text("You declined the task")).to_be_visible()

        async def ended() -> Any:
            path = f"/api/v1.0/webhooks/customer/{person.customer_id}/events"
            events = (await http.get(path, params={"type": ["task.completed", "task.declined"]})).json()["items"]
            return events if len(events) == 2 else None

        done, declined = [event["data"] for event in await eventually(ended)]
        assert (done["id"], declined["id"]) == (task["id"], other["id"])
        assert declined["reason"] == "Too far"
        path = f"/api/v1.0/customers/{person.customer_id}/submissions/{done['fulfilments'][0]['submissionId']}"
        sent = (await http.get(path)).json()
        assert (sent["data"], sent["taskId"], sent["userId"]) == (
            {"site": "Quay 9", "people": 7},
            task["id"],
            filler.id,
        )
        # Other users cannot open it, and neither can its assignee after it is completed.
        await page.goto(person.path(f"/my/tasks/{task['id']}"))
        await expect(page.get_by_text("You completed this task")).to_be_visible()
    async with person.server.client() as nobody:
        assert (await nobody.get(f"/my/tasks/{task['id']}")).status_code == 303
