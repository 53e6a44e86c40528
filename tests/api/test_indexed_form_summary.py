"""Summaries of fields that are all in the index of answers, which are counted there."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.random_answers import field, publish
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.users import built_in, member

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import ResourceType
from formwright.domain.forms.models import FormNotFound
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.summaries import index_counts
from formwright.domain.summaries import service as summaries
from formwright.domain.users.models import Grant

FIELDS = [
    field("text", "site", indexed=True),
    field("choices", "tags", indexed=True, options=[{"value": value, "label": value} for value in ("a", "b")]),
]


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read values in several batches."""
    monkeypatch.setattr(index_counts, "_BATCH", 2)


async def from_index(account: Account, path: str) -> dict[str, Any]:
    """Return the summary, which must be counted in the index."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summaries, "_count_answers", None)
        return await get(account, path)


async def from_answers(account: Account, path: str) -> dict[str, Any]:
    """Return the summary with a condition that all submissions meet, so that their answers are read."""
    return await get(account, f"{path}?updatedFrom=2000-01-01T00:00:00Z")


async def test_the_index_gives_the_same_summary_at_once_after_each_change(account: Account) -> None:
    source = await datasource(account)
    lookup = field("lookup", "client", indexed=True, datasourceId=source["id"], display=["name"])
    new_form = await form(account, fields=[*FIELDS, lookup])
    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    for number in range(5):
        data = {"site": f"Pier {number // 2}", "tags": ["a", "b"][: number % 3], "client": f"C-{1 + number % 2}"}
        last = await submission(account, new_form, data=data)
    found = await from_index(account, path)
    assert found == await from_answers(account, path)
    site, tags, client = found["fields"]
    assert [(one["word"], one["count"]) for one in site["texts"]["words"]] == [("pier", 5)]
    assert (tags["answered"], [one["count"] for one in tags["options"]]) == (3, [3, 1])
    assert [(one["label"], one["count"]) for one in client["rows"]["items"]] == [("Customer 1", 3), ("Customer 2", 2)]

    submission_path = f"{PREFIX}/customers/{account.id}/submissions/{last['id']}"
    assert (await account.api.put(submission_path, json={"data": {"site": "Quay"}})).status_code == 200
    changed = await from_index(account, path)
    assert changed == await from_answers(account, path)
    assert changed["fields"][0]["texts"]["newest"][0] == {"submissionId": last["id"], "text": "Quay"}


async def test_answers_are_read_if_the_index_lacks_something(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    await submission(account, new_form, data={"site": "x" * 250})
    assert (await get(account, path))["fields"][0]["texts"]["newest"][0]["text"] == "x" * 250, "the index has 200"
    await publish(account, new_form["id"], [*FIELDS, field("integer", "people", indexed=True)])
    await submission(account, new_form, data={"people": 2})
    people = (await get(account, path))["fields"][2]
    assert (people["answered"], people["missing"]) == (1, 0), "the first version has no such field"


async def test_a_filter_for_other_forms_matches_nothing(account: Account) -> None:
    new_form, other = await form(account, fields=FIELDS), await form(account)
    await submission(account, new_form, data={"site": "Pier"})
    async with account.ctx.db.reading() as tx:
        plan = await summaries.plan(tx, actors.system(account.id), form_id=new_form["id"])
    for form_ids, expected in (((), 1), ([new_form["id"]], 1), ([other["id"]], 0)):
        filter_ = SubmissionFilter(form_ids=form_ids)
        found = await summaries.compute(account.ctx.db, actors.system(account.id), plan, filter_)
        assert found.submissions == expected


async def test_the_median_fill_time_leaves_out_submissions_that_took_no_time(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    path = f"/customers/{account.id}/forms/{new_form['id']}/summary"
    for seconds, expected in ((0, None), (1, 1), (10, 5.5), (2, 2), (4, 3)):
        created = await submission(account, new_form, data={"site": "Pier"})
        async with account.ctx.db.writing(account=account.id) as tx:
            sql = "UPDATE submissions SET started = started - $3 WHERE customer_id = $1 AND id = $2"
            await tx.execute(sql, account.id, created["id"], seconds * 1000)
        found = await from_index(account, path)
        assert found == await from_answers(account, path)
        assert found["medianFillSeconds"] == expected


async def test_a_grant_on_one_folder_counts_only_its_submissions(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    inside, outside = await form(account, fields=FIELDS, folderId=folder["id"]), await form(account, fields=FIELDS)
    for new_form, site in ((inside, "Pier"), (inside, "Pier"), (outside, "Quay")):
        await submission(account, new_form, data={"site": site})
    person = await member(account, Grant(await built_in(account, "Form manager"), ResourceType.FOLDER, folder["id"]))

    async with account.ctx.db.reading() as tx:
        plan = await summaries.plan(tx, person, form_id=inside["id"])
        foreign = await summaries.plan(tx, account.actor, form_id=outside["id"])
        with pytest.raises(FormNotFound):
            await summaries.plan(tx, person, form_id=outside["id"])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(summaries, "_count_answers", None)
        found = await summaries.compute(account.ctx.db, person, plan, SubmissionFilter())
    none = await summaries.compute(account.ctx.db, person, foreign, SubmissionFilter())
    assert (found.submissions, found.fields[0].answered, found.periods and found.periods.items[-1].count) == (2, 2, 2)
    assert (none.submissions, none.fields[0].answered, none.periods, none.median_fill_seconds) == (0, 0, None, None)
