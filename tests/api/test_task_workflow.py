"""The progress of tasks: recipients, times, submissions and results."""

from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.invites import rendered_emails
from factories.requests import PREFIX, get, post
from factories.tasks import decline, let_pass, send, task, work
from factories.users import group, user

from formwright.domain.mail import service as mails
from formwright.domain.tasks.models import TaskAnswered, TaskEnded, TaskNotFound


async def read(account: Account, task: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = await get(account, f"/customers/{account.id}/tasks/{task['id']}")
    return found


async def log(account: Account) -> list[tuple[str, str]]:
    """Return the types of the account's task events, each with the status in its data."""
    events = (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]
    return [(e["type"], e["data"]["status"]) for e in events if e["type"].startswith("task.")]


async def do(account: Account, task: dict[str, Any], verb: str, status: int = 200) -> Any:
    path = f"{PREFIX}/customers/{account.id}/tasks/{task['id']}/{verb}"
    response = await account.api.post(path)
    assert response.status_code == status, response.text
    return response.json()


async def test_groups_are_resolved_to_their_members_without_duplicates(account: Account) -> None:
    one, two = await user(account), await user(account)
    crew = await group(account, one.id, two.id)
    new_task = await task(account, await form(account), recipients={"users": [two.id], "groups": [crew["id"]]})
    assert new_task["recipients"] == {"users": [two.id], "groups": [crew["id"]]}
    assert [f["userId"] for f in new_task["fulfilments"]] == [two.id, one.id]
    found = await get(account, f"/customers/{account.id}/tasks", groupId=crew["id"], userId=one.id)
    assert [item["id"] for item in found["items"]] == [new_task["id"]]


async def test_an_empty_group_is_rejected_with_a_pointer(account: Account) -> None:
    new_form, empty = await form(account), await group(account)
    body = {"recipients": {"groups": [empty["id"]]}}
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/{new_form['id']}/tasks", json=body)
    assert [(e["pointer"], e["code"]) for e in response.json()["errors"]] == [("/recipients/groups/0", "group.empty")]


async def test_many_are_created_all_or_nothing(account: Account) -> None:
    new_form, to = await form(account), {"users": [account.owner.id]}
    path = f"{PREFIX}/customers/{account.id}/{new_form['id']}/tasks"
    good = [{"recipients": to, "externalId": f"erp-{n}", "notify": False} for n in range(50)]
    bad = [*good, {"recipients": {}}, {"recipients": to, "data": {"people": "x"}, "dueAt": "2020-01-01T00:00:00Z"}]
    response = await account.api.post(path, json=[*bad, good[0]])
    assert {(e["pointer"], e["code"]) for e in response.json()["errors"]} == {
        ("/50/recipients", "value.too_few"),
        ("/51/data/people", "value.type"),
        ("/51/dueAt", "value.past"),
        ("/52/externalId", "value.repeated"),
    }
    wrong = await account.api.post(path, json=[good[0], {"recipients": to, "message": 5}])
    assert [e["pointer"] for e in wrong.json()["errors"]] == ["/1/message"]
    assert (await account.api.post(path, json=good[:1] * 1001)).status_code == 422
    assert (await get(account, f"/customers/{account.id}/tasks"))["items"] == []
    response = await account.api.post(path, json=good)
    assert response.status_code == 201, response.text
    assert [one["externalId"] for one in response.json()] == [one["externalId"] for one in good]
    again = await account.api.post(path, json=good[::-1])
    assert again.json() == response.json()[::-1]


async def test_a_task_is_published_on_time_and_once(account: Account) -> None:
    new_task = await task(account, await form(account), publishAfter="PT2H", notify=False)
    assert new_task["status"] == "SCHEDULED"
    assert not await work(account, new_task)
    with pytest.raises(TaskNotFound):
        await decline(account, new_task, account.owner.id)
    assert (await do(account, new_task, "complete", 409))["code"] == "task.not_open"
    await let_pass(account, new_task, "publish_at")
    assert [await work(account, new_task), await work(account, new_task)] == [True, False]
    assert await log(account) == [("task.created", "SCHEDULED"), ("task.opened", "OPEN")]


async def test_overdue_is_reported_once_per_due_time(account: Account) -> None:
    new_task = await task(account, await form(account), dueAt="2060-01-01T00:00:00Z", notify=False)
    await let_pass(account, new_task, "due_at")
    assert [await work(account, new_task), await work(account, new_task)] == [True, False]
    assert (await read(account, new_task))["overdue"]
    assert (await log(account))[2:] == [("task.overdue", "OPEN")]
    found = (await get(account, f"/customers/{account.id}/tasks", overdue="true"))["items"]
    assert [one["id"] for one in found] == [new_task["id"]]
    assert (await get(account, f"/customers/{account.id}/tasks", overdue="false"))["items"] == []
    response = await account.api.put(f"{PREFIX}/tasks", json={"id": new_task["id"], "dueAt": "2061-01-01T00:00:00Z"})
    assert not response.json()["overdue"]


async def test_tasks_completed_late_are_not_overdue(account: Account) -> None:
    new_task = await task(account, await form(account), dueAt="2060-01-01T00:00:00Z", notify=False)
    await let_pass(account, new_task, "due_at")
    await work(account, new_task)
    assert (await do(account, new_task, "complete"))["overdue"]
    found = [await get(account, f"/customers/{account.id}/tasks", overdue=overdue) for overdue in ("true", "false")]
    assert [[one["id"] for one in page["items"]] for page in found] == [[], [new_task["id"]]]


async def test_recipients_are_notified_and_reminded(account: Account) -> None:
    new_task = await task(account, await form(account, name="Round\r\nBcc: x"), dueAt="2060-01-01T00:00:00Z")
    assert [await work(account, new_task), await work(account, new_task)] == [True, False]
    await let_pass(account, new_task, "due_at")
    assert [await work(account, new_task), await work(account, new_task)] == [True, False]
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT subject FROM mails WHERE customer_id = $1 ORDER BY created, id", account.id)
        last = await mails.find_latest(tx, account.id, purpose="task", subject_id=new_task["id"])
    assert [row[0] for row in rows] == ["Please fill in: Round Bcc: x", "Overdue: Round Bcc: x"]
    opened = (await rendered_emails(account.ctx, account.id, new_task["id"]))[-1]
    assert "It is due on Thursday, 1 January 2060, 00:00 (UTC)." in opened.text
    await do(account, new_task, "revoke")
    async with account.ctx.db.reading() as tx:
        last = await mails.find_latest(tx, account.id, purpose="task", subject_id=new_task["id"])
    assert last
    assert last.status == "WITHDRAWN"


async def test_only_new_recipients_are_notified(account: Account) -> None:
    new_task, mate = await task(account, await form(account)), await user(account, "Ann")
    path = f"{PREFIX}/customers/{account.id}/tasks/{new_task['id']}"

    async def list_recipients() -> list[str]:
        async with account.ctx.db.reading() as tx:
            sql = "SELECT address FROM mails WHERE customer_id = $1 AND subject_id = $2 ORDER BY created, id"
            return [row[0] for row in await tx.fetch(sql, account.id, new_task["id"])]

    await work(account, new_task)
    await account.api.put(path, json={"recipients": {"users": [account.owner.id, mate.id]}})
    assert await list_recipients() == [account.owner.email, mate.email]
    await account.api.put(path, json={"recipients": {"users": [account.owner.id]}, "notify": False})
    await account.api.put(path, json={"recipients": {"users": [mate.id]}})
    await work(account, new_task)
    assert len(await list_recipients()) == 2


async def test_any_is_completed_by_one_submission(account: Account) -> None:
    mate, form_ = await user(account), await form(account)
    new_task = await task(account, form_, recipients={"users": [account.owner.id, mate.id]}, data={"people": 4})
    await send(account, new_task, mate.id, form_["publishedVersionId"])
    done = await read(account, new_task)
    mine, theirs = done["fulfilments"]
    assert (done["status"], mine["status"], theirs["status"]) == ("COMPLETED", "OPEN", "COMPLETED")
    [sent] = (await get(account, f"/customers/{account.id}/submissions", taskId=new_task["id"]))["items"]
    assert (sent["id"], sent["taskId"], sent["userId"]) == (theirs["submissionId"], new_task["id"], mate.id)
    assert [name for name, _ in await log(account)][2:] == ["task.started", "task.fulfilled", "task.completed"]
    await send(account, new_task, mate.id, form_["publishedVersionId"])  # Repeat the same request.
    with pytest.raises(TaskEnded):
        await send(account, new_task, account.owner.id, form_["publishedVersionId"])
    problem = await do(account, new_task, "revoke", 409)
    assert (problem["code"], "COMPLETED" in problem["detail"]) == ("task.ended", True)
    assert await do(account, new_task, "complete") == done


async def test_all_waits_for_everybody_including_declines(account: Account) -> None:
    mate, form_ = await user(account), await form(account)
    new_task = await task(
        account, form_, recipients={"users": [account.owner.id, mate.id]}, completeWhen="ALL", notify=False
    )
    await decline(account, new_task, account.owner.id)
    assert (await read(account, new_task))["status"] == "OPEN"
    with pytest.raises(TaskAnswered):
        await send(account, new_task, account.owner.id, form_["publishedVersionId"])
    await send(account, new_task, mate.id, form_["publishedVersionId"])
    done = await read(account, new_task)
    assert done["status"] == "DECLINED"
    assert done["fulfilments"][0]["reason"] == "Too far"
    assert (await log(account))[-1] == ("task.declined", "DECLINED")


async def test_remaining_recipients_keep_their_submissions_which_may_complete_the_task(account: Account) -> None:
    mate, form_ = await user(account), await form(account)
    new_task = await task(account, form_, recipients={"users": [account.owner.id, mate.id]}, completeWhen="ALL")
    await send(account, new_task, mate.id, form_["publishedVersionId"])
    path = f"{PREFIX}/customers/{account.id}/tasks/{new_task['id']}"
    response = await account.api.put(path, json={"recipients": {"users": [mate.id]}})
    assert response.json()["status"] == "COMPLETED"
    assert [name for name, _ in await log(account)][-2:] == ["task.updated", "task.completed"]


async def test_tasks_are_counted_by_form_and_by_user(account: Account) -> None:
    mate, form_ = await user(account), await form(account)
    both = {"users": [account.owner.id, mate.id]}
    first = await task(account, form_, recipients=both, completeWhen="ALL", notify=False)
    late = await task(account, form_, dueAt="2060-01-01T00:00:00Z", notify=False)
    await task(account, form_, publishAfter="P1D")
    await do(account, await task(account, form_), "revoke")
    await send(account, first, mate.id, form_["publishedVersionId"])
    await let_pass(account, late, "due_at")
    await work(account, late)
    path = f"/customers/{account.id}/tasks/counts"
    [one] = (await get(account, path))["items"]
    numbers = ("scheduled", "open", "overdue", "completed", "declined", "revoked")
    assert (one["formId"], [one[n] for n in numbers]) == (form_["id"], [1, 2, 1, 0, 0, 1])
    people = {one["userId"]: [one[n] for n in numbers] for one in (await get(account, path, by="user"))["items"]}
    assert people == {account.owner.id: [1, 2, 1, 0, 0, 1], mate.id: [0, 0, 0, 1, 0, 0]}


async def test_tasks_are_filtered_by_form_status_and_due_time(account: Account) -> None:
    one, two = await form(account), await form(account)
    early = await task(account, one, dueAt="2030-01-01T00:00:00Z")
    late = await task(account, two, dueAt="2031-01-01T00:00:00Z")
    await do(account, late, "complete")

    async def ids(**query: str) -> list[str]:
        return [item["id"] for item in (await get(account, f"/customers/{account.id}/tasks", **query))["items"]]

    assert await ids(formId=one["id"]) == [early["id"]]
    assert await ids(status="COMPLETED") == [late["id"]]
    assert await ids(dueFrom="2030-01-01T00:00:00Z", dueTo="2031-01-01T00:00:00Z") == [early["id"]]


async def test_invalid_times_are_rejected_with_a_pointer(account: Account) -> None:
    path = f"{PREFIX}/customers/{account.id}/{(await form(account))['id']}/tasks"
    to = {"recipients": {"users": [account.owner.id]}}
    for members, found in (
        ({"publishAt": "2031-01-01T00:00:00Z", "publishAfter": "PT1H"}, ("/publishAfter", "task.publish_twice")),
        ({"publishAfter": "P1M"}, ("/publishAfter", "value.pattern")),
        ({"dueAt": "2031-01-01T00:00:00Z", "publishAt": "2032-01-01T00:00:00Z"}, ("/dueAt", "task.due_before_publish")),
    ):
        response = await account.api.post(path, json=to | members)
        assert [(e["pointer"], e["code"]) for e in response.json()["errors"]] == [found]
    await post(account, path.removeprefix(PREFIX), to | {"publishAt": "2020-01-01T00:00:00Z"})
