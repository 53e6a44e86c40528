"""Filters and orders of the list of submissions."""

import pytest
from actors import Account
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import PREFIX, get, post
from factories.submissions import started, submission
from factories.tasks import task
from factories.users import user

from formwright.api.v1_0.schemas import submissions as schemas


async def test_next_keeps_the_filters(account: Account) -> None:
    one, two, other = await form(account), await form(account), await form(account)
    wanted = []
    for new_form in (one, other, two, other, one, two):
        handed = await submission(account, new_form)
        wanted += [] if new_form is other else [handed["id"]]
    query = f"formId={one['id']}&formId={two['id']}&status=SUBMITTED&submittedTo=2100-01-01T00:00:00%2B02:00&limit=1"
    assert ids(await pages(account, f"/submissions?{query}")) == wanted


async def test_equal_times_are_ordered_by_id(account: Account) -> None:
    new_form = await form(account)
    at = "2026-03-29T12:00:00Z"
    same = [(await submission(account, new_form, submittedAt=at))["id"] for _ in range(5)]
    assert ids(await pages(account, "/submissions?limit=2")) == sorted(same)
    assert ids(await pages(account, "/submissions?limit=2&order=-submitted")) == sorted(same, reverse=True)


async def test_lists_are_ordered_by_submission_or_change_time(account: Account) -> None:
    new_form = await form(account)
    days = ["2026-03-02", "2026-03-01", "2026-03-03"]
    one, two, three = [(await submission(account, new_form, submittedAt=f"{day}T00:00:00Z"))["id"] for day in days]
    for order, expected in {
        "submitted": [two, one, three],
        "-submitted": [three, one, two],
        "updated": [one, two, three],
        "-updated": [three, two, one],
    }.items():
        assert ids(await pages(account, f"/submissions?order={order}&limit=2")) == expected, order


async def test_periods_are_half_open(account: Account) -> None:
    new_form = await form(account)
    times = ["2026-03-29T11:59:59.999Z", "2026-03-29T12:00:00Z", "2026-03-29T12:59:59.999Z", "2026-03-29T13:00:00Z"]
    _, at, within, _ = [(await submission(account, new_form, submittedAt=time))["id"] for time in times]
    period = {"submittedFrom": "2026-03-29T12:00:00Z", "submittedTo": "2026-03-29T15:00:00+02:00"}
    assert ids([(await get(account, "/submissions", **period))["items"]]) == [at, within]


async def test_periods_of_change_have_no_gaps_or_overlaps(account: Account) -> None:
    new_form = await form(account)
    one, two, three = [await submission(account, new_form) for _ in range(3)]
    until = (await get(account, "/submissions", updatedTo=two["updated"]))["items"]
    since = (await get(account, "/submissions", updatedFrom=two["updated"]))["items"]
    assert (ids([until]), ids([since])) == ([one["id"]], [two["id"], three["id"]])


async def test_periods_of_receipt_ignore_edits_and_the_time_on_the_device(account: Account) -> None:
    new_form = await form(account)
    one, two, three = [await submission(account, new_form, submittedAt="2026-03-29T12:00:00Z") for _ in range(3)]
    for edited in (one, two):
        path = f"{PREFIX}/customers/{account.id}/submissions/{edited['id']}"
        assert (await account.api.put(path, json={"note": "Checked"})).status_code == 200
    period = {"createdFrom": two["created"], "createdTo": three["created"]}
    assert ids([(await get(account, "/submissions", **period))["items"]]) == [two["id"]]
    assert ids([(await get(account, "/submissions", createdFrom=two["created"]))["items"]]) == [two["id"], three["id"]]
    assert ids([(await get(account, "/submissions", createdTo=two["created"]))["items"]]) == [one["id"]]


async def test_an_empty_period_returns_nothing(account: Account) -> None:
    new_submission = await submission(account, await form(account))
    at = new_submission["submittedAt"]
    assert (await get(account, "/submissions", submittedFrom=at, submittedTo=at))["items"] == []


async def test_submissions_are_filtered_by_form_status_and_user(account: Account) -> None:
    one, two = await form(account), await form(account)
    mate = await user(account)
    draft_id = (await started(account, one, "c1", site="Begun")).id
    mine = (await submission(account, one, userId=mate.id))["id"]
    other = (await submission(account, two))["id"]
    for query, expected in {
        f"formId={one['id']}": [draft_id, mine],
        f"formId={two['id']}": [other],
        f"formId={one['id']}&formId={two['id']}": [draft_id, mine, other],
        "status=STARTED": [draft_id],
        "status=SUBMITTED": [mine, other],
        "status=STARTED&status=SUBMITTED": [draft_id, mine, other],
        "status=APPROVED": [],
        f"userId={mate.id}": [mine],
        f"userId={mate.id}&formId={two['id']}": [],
    }.items():
        assert ids([(await get(account, f"/submissions?{query}"))["items"]]) == expected, query


@pytest.mark.parametrize(
    "query",
    ["status=DONE", "status=", "formId=1", "userId=x", "order=name", "submittedFrom=yesterday", "status=started"],
)
async def test_an_invalid_filter_is_rejected_with_a_pointer(account: Account, query: str) -> None:
    response = await account.api.get(f"{PREFIX}/submissions?{query}")
    assert response.status_code == 400
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["?" + query.partition("=")[0]]


async def test_an_invalid_choice_lists_the_valid_ones(account: Account) -> None:
    for address, words in {
        "/submissions?status=DONE": "STARTED, SUBMITTED, APPROVED, REJECTED",
        "/submissions?order=name": "submitted, -submitted, updated, -updated",
        f"/customers/{account.id}/tasks/counts?by=group": "form, user",
    }.items():
        response = await account.api.get(PREFIX + address)
        assert [fault["detail"] for fault in response.json()["errors"]] == [f"This must be one of {words}."]


async def test_submissions_are_found_by_external_ids(account: Account) -> None:
    one, other = await form(account), await form(account)
    first, again = [(await submission(account, created, externalId="erp-1"))["id"] for created in (one, other)]
    second = (await submission(account, one, externalId="erp-2"))["id"]
    await submission(account, one)
    for query, expected in {
        "externalId=erp-1": [first, again],
        "externalId=erp-1&externalId=erp-2&order=-submitted": [second, again, first],
        f"formId={one['id']}&externalId=erp-1&externalId=unknown": [first],
        "externalId=erp-2&status=APPROVED": [],
        "externalId=erp-1&answers.people[gte]=3&order=updated": [first, again],
    }.items():
        assert ids(await pages(account, f"/submissions?{query}&limit=1")) == expected, query
    features = (await get(account, f"/customers/{account.id}/submissions.geojson", externalId="erp-2"))["features"]
    assert [feature["properties"]["_id"] for feature in features] == [second]
    path = f"{PREFIX}/customers/{account.id}/forms/{one['id']}/submissions"
    repeated = await account.api.post(path, json={"data": {"site": "x"}, "externalId": "erp-1"})
    assert (repeated.status_code, repeated.json()["existingId"]) == (409, first)
    assert (await account.api.get(repeated.headers["location"])).json()["id"] == first
    too_many = "&".join(f"externalId={number}" for number in range(101))
    assert (await account.api.get(f"{PREFIX}/submissions?{too_many}")).status_code == 400


async def test_a_list_is_counted_on_its_first_page(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    new_form = await form(account)
    for people in range(5):
        await submission(account, new_form, data={"site": "x", "people": people}, externalId=f"e-{people}")
    for query, expected in {
        "": 5,
        "&answers.people[gte]=2": 3,
        "&externalId=e-1&externalId=e-4": 2,
        "&status=APPROVED": 0,
    }.items():
        first = await get(account, f"/submissions?count=true&limit=1{query}")
        assert (first["count"], first["countExceeded"]) == (expected, False), query
    first = await get(account, "/submissions?count=true&limit=2")
    following = (await account.api.get(first["next"])).json()
    assert ("count" in following, len(following["items"])) == (False, 2)
    counted = await get(account, "/submissions", cursor=first["nextCursor"], count="true", limit="2")
    assert (counted["count"], counted["items"]) == (5, following["items"])
    monkeypatch.setattr(schemas, "MAX_COUNT", 4)
    beyond = await get(account, f"/customers/{account.id}/submissions", count="true")
    assert (beyond["count"], beyond["countExceeded"], len(beyond["items"])) == (4, True, 5)


async def test_answers_are_selected_and_references_expanded(account: Account) -> None:
    new_form, mate = await form(account, name="Crane"), await user(account)
    assigned = await task(account, new_form, externalId="t-1", dueAt="2027-01-01T00:00:00Z")
    one = await submission(account, new_form, userId=mate.id)
    other = await submission(account, new_form)
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE submissions SET task_id = $3, shown = NULL, shown_as = NULL WHERE customer_id = $1 AND id = $2",
            account.id,
            one["id"],
            assigned["id"],
        )
    found = (await get(account, "/submissions?fields=site&fields=nobody&expand=form&expand=user&expand=task"))["items"]
    rest = {"id": one["id"], "data": {"site": "Harbour"}, "userId": mate.id, "taskId": assigned["id"]}
    assert {name: found[0][name] for name in rest} == rest
    assert found[0]["form"] == {"id": new_form["id"], "name": "Crane"}
    assert found[0]["user"] == {"id": mate.id, "name": mate.name, "email": mate.email}
    due = {"status": assigned["status"], "dueAt": "2027-01-01T00:00:00.000Z"}
    assert found[0]["task"] == {"id": assigned["id"], "externalId": "t-1", **due}
    assert found[1] == other | {"data": {"site": "Harbour"}, "form": found[0]["form"], "user": None, "task": None}
    [first, _] = (await get(account, "/submissions?fields="))["items"]
    assert (first["data"], "form" in first) == ({}, False)
    view = {"name": "People", "formId": new_form["id"], "columns": ["answers.people"]}
    view_id = (await post(account, f"/customers/{account.id}/views", view))["id"]
    for query, names in (("", ["people"]), ("&fields=site", ["site"])):
        listed = (await get(account, f"/submissions?view={view_id}{query}"))["items"]
        assert [list(item["data"]) for item in listed] == [names, names]
    page = await get(account, f"/customers/{account.id}/submissions.geojson?fields=site")
    assert [name for name in page["features"][0]["properties"] if not name.startswith("_")] == ["site"]
    paged = await get(account, "/submissions?fields=site&limit=1")
    assert "fields=site" in paged["next"]
    assert (await account.api.get(f"{PREFIX}/submissions?expand=folder")).status_code == 400
    assert (await account.api.get(f"{PREFIX}/submissions?fields=a-b")).status_code == 400
