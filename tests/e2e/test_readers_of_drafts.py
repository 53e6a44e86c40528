"""Whatever two submissions contain, everything that reads them answers: API, pages, exports, reports and the feed."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4
from xml.etree import ElementTree

import httpx
import pytest
from actors import Account
from factories import stored_answers
from factories.datasources import datasource
from factories.exports import load_file
from factories.forms import form
from factories.random_answers import field
from factories.requests import PREFIX, get, post
from factories.submissions import started, submission
from factories.web_client import visit
from fixtures.feed import FeedClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from formwright.domain.forms import definition_validation
from formwright.domain.submissions import return_links
from formwright.worker.exports import ExportWorker

UNKNOWN = "dat_01h455vb4pex5vsknk084sn02q"
NAMES = [one["name"] for one in stored_answers.flatten(stored_answers.fields(UNKNOWN)) if one["type"] != "note"]
PLACES = ["_location", "a_location", "a_line", "a_area", "b_location", "c_area"]
FILTERS = {
    "a_text": "ñ",
    "a_text[contains]": "a",
    "a_integer[gte]": "0",
    "a_decimal[lt]": "1.5",
    "a_boolean": "true",
    "a_date[gt]": "2026-01-01",
    "a_time[lte]": "14:30",
    "a_datetime[gte]": "2026-01-01T00:00:00Z",
    "a_choice[ne]": "o0",
    "a_choices[in]": "o0,o1",
    "a_rating[gte]": "3",
    "a_lookup": "C-1",
    "a_email[ne]": "a@example.org",
}
FORMATS = ("csv", "ndjson", "xlsx", "parquet")
HERE = {"latitude": 0.05, "longitude": 0.05}
EDM = "{http://docs.oasis-open.org/odata/ns/edm}"
Answers = dict[str, Any]


def assert_ok(response: httpx.Response) -> httpx.Response:
    assert response.status_code == 200, (str(response.url), response.status_code, response.text[:500])
    return response


async def read_api(account: Account, form_id: str, ids: list[str]) -> None:
    of_account = f"/customers/{account.id}"
    lists = f"{of_account}/submissions"
    assert len((await get(account, lists, formId=form_id))["items"]) == len(ids)
    for order in ("-submitted", "updated"):
        await get(account, lists, formId=form_id, order=order)
    for name in stored_answers.INDEXED:
        await get(account, lists, formId=form_id, sort=f"answers.{name}")
    for name, value in FILTERS.items():
        await get(account, lists, **{"formId": form_id, f"answers.{name}": value})
    assert_ok(await account.api.get(PREFIX + lists, params={"formId": form_id, "q": "harbour"}))
    for path in [*(f"/{one}" for one in ids), *(f"/{one}/revisions" for one in ids), *(f"/{one}/files" for one in ids)]:
        await get(account, f"{of_account}/submissions{path}")
    for place in PLACES:
        await get(account, f"{of_account}/submissions.geojson", formId=form_id, field=place)
    assert_ok(await account.api.get(f"{PREFIX}{of_account}/submissions/{ids[0]}/report.pdf"))
    assert_ok(await account.api.get(f"{PREFIX}{of_account}/submissions/files.zip", params={"formId": form_id}))


async def read_summary(account: Account, form_id: str) -> list[Answers]:
    """Return the figures of all fields, apart from the newest answers."""
    path = f"/customers/{account.id}/forms/{form_id}/summary"
    await get(account, path, splitBy="a_choice")
    fields = (await get(account, path))["fields"]
    return [{name: one[name] for name in one if name not in ("texts", "files", "rows")} for one in fields]


async def read_pages(account: Account, form_id: str, ids: list[str]) -> None:
    columns = "&".join(f"column=answers.{name}" for name in NAMES)
    async with visit(account) as site:
        for path in [
            f"/submissions?form={form_id}&{columns}",
            f"/submissions?form={form_id}&q=harbour",
            f"/forms/{form_id}",
            f"/forms/{form_id}/summary",
            f"/forms/{form_id}/summary?split=a_choice",
            *(f"/forms/{form_id}/map?field={place}" for place in PLACES),
            *(f"/forms/{form_id}/map/points?field={place}" for place in PLACES),
            *(f"/forms/{form_id}/map/submissions?field={place}&id={ids[0]}&id={ids[-1]}" for place in PLACES),
            *(f"/submissions/{one}" for one in ids),
            f"/submissions/{ids[0]}/edit",
        ]:
            assert (await site.http.get(path, follow_redirects=True)).status_code == 200, path
    for kind in FORMATS:
        assert await load_file(account, f"/submissions/download.{kind}?form={form_id}")
        if kind in ("csv", "xlsx"):
            assert await load_file(account, f"/submissions/download.{kind}?form={form_id}&for=import")


async def read_drafts(account: Account, drafts: list[Any]) -> None:
    for draft in drafts:
        async with account.ctx.db.writing() as tx:
            link = await return_links.create_for_draft(tx, draft, None)
        async with account.stage.client() as http:
            assert_ok(await http.get(f"/fill/{link.token}"))


async def read_exports(account: Account, form_id: str) -> None:
    path = f"/customers/{account.id}/exports"
    created = [await post(account, path, {"name": kind, "formId": form_id, "format": kind.upper()}) for kind in FORMATS]
    while await ExportWorker(account.ctx).run_batch():
        pass
    for one in created:
        assert (await get(account, f"{path}/{one['id']}"))["latestRun"]["status"] == "COMPLETED", one
        assert (await account.api.delete(f"{PREFIX}{path}/{one['id']}")).status_code == 204


async def read_feed(feed: FeedClient, title: str) -> None:
    document = await feed.http.get(f"{feed.root}$metadata")
    types = {
        one.get("Name"): one for one in ElementTree.fromstring(assert_ok(document).content).iter(f"{EDM}EntityType")
    }
    [name] = [one["name"] for one in (await feed.get(""))["value"] if one["title"] == title]
    for table in (name, f"{name}__outer", f"{name}__inner"):
        await feed.rows(table)
        for column in types[table].iter(f"{EDM}Property"):
            own = column.get("Name") or ""
            await feed.rows(table, filter=f"{own} ne null", select=own)
    await feed.rows(name, expand="outer,inner")


@asynccontextmanager
async def stored(account: Account, answers: list[Answers]) -> AsyncIterator[tuple[str, str, list[str], list[Any]]]:
    """A form with a submission and these drafts: its id, its name, and the ids of all submissions and the drafts."""
    rows = await datasource(account)
    new_form = await form(account, name=f"Form {uuid4()}", fields=stored_answers.fields(rows["id"]))
    first = await submission(account, new_form, data={"a_location": HERE, "a_text": "Harbour"}, location=HERE)
    drafts = [await started(account, new_form, str(uuid4()), **data) for data in answers]
    yield new_form["id"], new_form["name"], [first["id"], *(one.id for one in drafts)], drafts


async def read_everything(feed: FeedClient, answers: list[Answers]) -> None:
    account = feed.account
    async with stored(account, answers) as (form_id, name, ids, drafts):
        await read_api(account, form_id, ids)
        figures = await read_summary(account, form_id)
        await read_pages(account, form_id, ids)
        await read_exports(account, form_id)
        await read_feed(feed, name)
        await read_drafts(account, drafts)
    async with stored(account, answers[::-1]) as (other_id, *_):
        assert await read_summary(account, other_id) == figures


ACCURATE = HERE | {"accuracy": 3.5}
PAIRS: dict[str, list[Answers]] = {
    "the same place with and without accuracy": [
        {"a_location": HERE, "a_line": [HERE] * 2, "a_area": [HERE] * 3, "outer": [{"b_location": ACCURATE}]},
        {"a_location": ACCURATE, "a_line": [ACCURATE] * 2, "a_area": [ACCURATE] * 3, "outer": [{"b_location": HERE}]},
    ],
    "areas around half the Earth": [
        {"a_area": [{"latitude": 0, "longitude": longitude} for longitude in (0, 180, 90)]},
        {"outer": [{"b_area": [{"latitude": -90, "longitude": longitude} for longitude in (180, 0, -180)]}]},
    ],
    "numbers without limits": [dict.fromkeys(NAMES, 10**400), dict.fromkeys(NAMES, -(10**400))],
    "texts and lists": [dict.fromkeys(NAMES, "x"), {name: [["x"], {"latitude": []}] for name in NAMES}],
}


@pytest.mark.slow
@pytest.mark.parametrize("name", PAIRS)
async def test_everything_reads_these_pairs(feed: FeedClient, name: str) -> None:
    await read_everything(feed, PAIRS[name])


@pytest.mark.slow
@settings(
    max_examples=15,
    deadline=None,
    # An example takes seconds, and shrinking one runs hundreds.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(answers=st.lists(stored_answers.stored_answers(stored_answers.fields(UNKNOWN)), min_size=2, max_size=2))
async def test_everything_reads_random_pairs(feed: FeedClient, answers: list[Answers]) -> None:
    await read_everything(feed, answers)


async def test_versions_with_names_that_differ_in_case_only_still_work(
    feed: FeedClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = feed.account
    fields = [field("text", name) for name in ("site", "Site", "SITE_LATITUDE")]
    fields += [field("repeat", "rows", fields=[field("text", "ROWS")]), field("location", "SiTe")]
    with monkeypatch.context() as before:
        before.setattr(definition_validation, "_name_errors", lambda _: [])
        new_form = await form(account, name="Legacy", fields=fields)
    data = {"site": "a", "Site": "b", "SITE_LATITUDE": "c", "rows": [{"ROWS": "d"}], "SiTe": HERE}
    sent = [(await submission(account, new_form, data=data))["id"] for _ in range(2)]
    for one in sent:
        assert (await get(account, f"/customers/{account.id}/submissions/{one}"))["data"] == data
    found = await get(
        account, f"/customers/{account.id}/submissions", **{"formId": new_form["id"], "answers.Site": "b"}
    )
    assert len(found["items"]) == 2
    summary = (await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary"))["fields"]
    assert [one["name"] for one in summary] == ["site", "Site", "SITE_LATITUDE", "rows", "ROWS", "SiTe"]
    async with account.stage.client() as http:
        assert_ok(await http.get(new_form["fillPath"]))
    async with visit(account) as site:
        for path in ("/summary", "/map", "/design"):
            assert (await site.http.get(f"/forms/{new_form['id']}{path}", follow_redirects=True)).status_code == 200
        assert (await site.http.get(f"/submissions/{sent[0]}/edit")).status_code == 200
    for kind in FORMATS:
        assert await load_file(account, f"/submissions/download.{kind}?form={new_form['id']}")
    row = (await feed.rows("Submissions_Legacy"))[0]
    expected = {"site": "a", "Site_": "b", "SITE_LATITUDE": "c", "SiTe_latitude_": 0.05}
    assert row.items() >= expected.items()
    versions = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    refused = await account.api.post(versions, json={"fields": fields})
    assert refused.status_code == 422
    faults = [(fault["pointer"], fault["code"]) for fault in refused.json()["errors"]]
    assert faults == [
        ("/fields/1/name", "field.name.case"),
        ("/fields/3/fields/0/name", "field.name.case"),
        ("/fields/4/name", "field.name.case"),
    ]
