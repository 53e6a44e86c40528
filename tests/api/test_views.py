"""Saved views."""

from typing import Any

import pytest
from actors import Account
from factories.datasources import datasource
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.users import built_in, member, user

from formwright.core.auth.actor import ResourceType, Scope
from formwright.core.clock import rfc3339
from formwright.core.errors import Denied, Invalid
from formwright.core.pagination import Window
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditFilter
from formwright.domain.privacy import store as privacy
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import (
    MAX_PER_ACCOUNT,
    MAX_PER_USER,
    NewView,
    ViewLimitReached,
    ViewNotFound,
    ViewSettings,
    ViewVisibility,
)
from formwright.domain.users.models import Grant

PRIVATE = ViewVisibility.PRIVATE


def private(name: str, form_id: str | None = None) -> NewView:
    return NewView(name, PRIVATE, form_id, ViewSettings())


def errors(response: Any) -> set[tuple[str, str]]:
    assert response.status_code == 422, response.text
    return {(fault["pointer"], fault["code"]) for fault in response.json()["errors"]}


async def test_a_view_is_saved_replaced_and_deleted(account: Account) -> None:
    new_form, someone = await form(account), await user(account)
    views = f"/customers/{account.id}/views"
    body = {
        "name": "Busy sites",
        "formId": new_form["id"],
        "filter": {
            "status": ["SUBMITTED", "REJECTED"],
            "userId": someone.id,
            "folderId": None,
            "fromDay": "2026-03-01",
            "toDay": "2026-03-31",
            "lastDays": None,
            "answers": {"people[gte]": "3", "site": "Harbour"},
            "q": "quay",
        },
        "order": "-updated",
        "columns": ["submittedAt", "answers.people", "status"],
        "tab": "MAP",
        "visibility": "ACCOUNT",
    }
    view = await post(account, views, body)
    assert {name: view[name] for name in body} == body
    assert (view["problems"], view["revision"]) == ([], 1)
    assert await get(account, f"{views}/{view['id']}") == view
    again = await account.api.put(f"{PREFIX}{views}/{view['id']}", json=body)
    assert again.json() == view, "nothing changed"

    everything = await post(account, views, {"name": "All"})
    assert [one["id"] for one in (await get(account, views))["items"]] == [view["id"], everything["id"]]
    assert [one["id"] for one in (await get(account, views, formId=new_form["id"]))["items"]] == [view["id"]]

    changed = await account.api.put(f"{PREFIX}{views}/{view['id']}", json={"name": "Sites"})
    assert changed.json() | {"updated": ""} == everything | {
        "id": view["id"], "name": "Sites", "created": view["created"], "updated": "", "revision": 2
    }  # fmt: skip
    assert (await account.api.delete(f"{PREFIX}{views}/{view['id']}")).status_code == 204
    assert (await account.api.get(f"{PREFIX}{views}/{view['id']}")).json()["code"] == "view.not_found"


async def test_all_errors_of_a_view_are_named(account: Account) -> None:
    new_form = await form(account)
    await post(account, f"/customers/{account.id}/views", {"name": "Taken", "formId": new_form["id"]})

    async def refused(**more: Any) -> Any:
        body = {"name": "View", "formId": new_form["id"]} | more
        return await account.api.post(f"{PREFIX}/customers/{account.id}/views", json=body)

    missing = "_01h455vb4pex5vsknk084sn02q"
    ids = {"userId": "usr" + missing, "folderId": "fol" + missing, "lastDays": 7, "toDay": "2026-03-31"}
    answer = await refused(
        formId="frm" + missing, filter=ids, visibility="PRIVATE", columns=["status", "status", "answers", "site"]
    )
    assert errors(answer) == {
        ("/visibility", "view.private"),
        ("/formId", "form.not_found"),
        ("/filter/folderId", "folder.not_found"),
        ("/filter/userId", "user.not_found"),
        ("/filter/lastDays", "view.period"),
        ("/columns/1", "value.repeated"),
        ("/columns/2", "view.column"),
        ("/columns/3", "view.column"),
    }
    answers = {"colour": "red", "people[contains]": "3", "people": "many", "site": "Harbour"}
    assert errors(await refused(filter={"answers": answers}, columns=["answers.site", "answers.colour"])) == {
        ("/filter/answers/colour", "query.answers.unknown"),
        ("/filter/answers/people[contains]", "query.answers.operator"),
        ("/filter/answers/people", "query.value"),
        ("/columns/1", "view.column"),
    }
    assert errors(await refused(formId=None, columns=["answers.site"])) == {("/columns/0", "view.column")}
    reverse = {"fromDay": "2026-04-01", "toDay": "2026-03-31"}
    assert errors(await refused(filter=reverse, name=" ")) == {("/name", "value.pattern")}
    assert errors(await refused(filter=reverse)) == {("/filter/toDay", "view.period")}
    taken = await refused(name="Taken")
    assert (taken.status_code, taken.json()["code"]) == (409, "view.name_taken")
    assert (await refused(name="Taken", formId=None)).status_code == 201, "a name belongs to a form"


async def test_a_view_of_a_changed_form_says_what_no_longer_fits(account: Account) -> None:
    new_form = await form(account)
    views = f"/customers/{account.id}/views"
    answers = {"people[gte]": "3", "site[contains]": "Har", "kind": "a"}
    body = {
        "name": "Old",
        "formId": new_form["id"],
        "filter": {"answers": answers},
        "columns": ["answers.people", "answers.site"],
    }
    view = await post(account, views, body)
    fields = [{"type": "integer", "name": "site", "label": "Site"}, FIELDS[2]]
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    published = await account.api.put(path, json={"fields": fields, "publish": True})
    assert published.status_code == 200, published.text
    now = await get(account, f"{views}/{view['id']}")
    assert [(one["pointer"], one["code"]) for one in now["problems"]] == [
        ("/filter/answers/site[contains]", "query.answers.operator"),
        ("/filter/answers/people[gte]", "view.field_removed"),
        ("/columns/0", "view.field_removed"),
    ]
    renamed = await account.api.put(f"{PREFIX}{views}/{view['id']}", json=body | {"name": "New"})
    assert (renamed.status_code, renamed.json()["name"]) == (200, "New"), renamed.text
    worse = body | {"filter": {"answers": answers | {"site[contains]": "other"}}, "columns": ["answers.day"]}
    refused = await account.api.put(f"{PREFIX}{views}/{view['id']}", json=worse)
    assert errors(refused) == {
        ("/filter/answers/site[contains]", "query.answers.operator"),
        ("/columns/0", "view.column"),
    }


async def test_private_views_are_seen_by_their_owner_only(account: Account) -> None:
    viewer = Grant(await built_in(account, "Data viewer"), ResourceType.ACCOUNT, account.id)
    ann, bo = await member(account, viewer), await member(account, viewer)
    async with account.ctx.db.writing() as tx:
        hers = await saved_views.create(tx, ann, private("Mine"))
        his = await saved_views.create(tx, bo, private("Mine"))
        with pytest.raises(Denied):
            await saved_views.create(tx, ann, NewView("Ours", ViewVisibility.ACCOUNT, None, ViewSettings()))
    ours = await post(account, f"/customers/{account.id}/views", {"name": "Mine"})
    assert [one["id"] for one in (await get(account, f"/customers/{account.id}/views"))["items"]] == [ours["id"]]
    assert (await account.api.delete(f"{PREFIX}/customers/{account.id}/views/{hers.id}")).status_code == 404
    async with account.ctx.db.writing() as tx:
        assert [one.id for one in (await saved_views.page(tx, bo, Window())).items] == [his.id, ours["id"]]
        for attempt in (
            saved_views.change(tx, bo, private("His"), view_id=hers.id),
            saved_views.get(tx, bo, view_id=hers.id),
        ):
            with pytest.raises(ViewNotFound):
                await attempt
        with pytest.raises(Denied):
            await saved_views.delete(tx, bo, view_id=ours["id"])
        entries = (await audit.page(tx, account.actor, AuditFilter(action="view.created"), Window())).items
        assert {one.resource_id: one.resource_name for one in entries} == {hers.id: "", his.id: "", ours["id"]: "Mine"}
        await privacy.clear_user(tx, Scope(account.id), ann.id)
        with pytest.raises(ViewNotFound):
            await saved_views.get(tx, ann, view_id=hers.id)
        await saved_views.get(tx, bo, view_id=his.id)


async def test_a_partial_grant_shares_views_of_its_forms_only(account: Account) -> None:
    inside, outside = await form(account), await form(account)
    manager = Grant(await built_in(account, "Form manager"), ResourceType.FORM, inside["id"])
    ann = await member(account, manager)
    foreign = await post(account, f"/customers/{account.id}/views", {"name": "Theirs", "formId": outside["id"]})
    common = await post(account, f"/customers/{account.id}/views", {"name": "Everything"})

    def ours(form_id: str | None) -> NewView:
        return NewView("Ours", ViewVisibility.ACCOUNT, form_id, ViewSettings())

    async with account.ctx.db.writing() as tx:
        shared = await saved_views.create(tx, ann, ours(inside["id"]))
        for form_id, code in ((outside["id"], "form.not_found"), (None, "view.form_required")):
            with pytest.raises(Invalid) as refused:
                await saved_views.create(tx, ann, ours(form_id))
            assert [fault.code for fault in refused.value.faults] == [code]
        assert [one.id for one in (await saved_views.page(tx, ann, Window())).items] == [common["id"], shared.id]
        with pytest.raises(ViewNotFound):
            await saved_views.get(tx, ann, view_id=foreign["id"])
        with pytest.raises(Denied):
            await saved_views.delete(tx, ann, view_id=common["id"])
        await saved_views.delete(tx, ann, view_id=shared.id)


async def test_views_are_limited(account: Account) -> None:
    ann = await member(account, Grant(await built_in(account, "Owner"), ResourceType.ACCOUNT, account.id))
    async with account.ctx.db.writing() as tx:
        for number in range(MAX_PER_USER):
            mine = await saved_views.create(tx, ann, private(f"View {number}"))
        with pytest.raises(ViewLimitReached):
            await saved_views.create(tx, ann, private("One more"))
        for number in range(MAX_PER_ACCOUNT):
            await saved_views.create(tx, ann, NewView(f"View {number}", ViewVisibility.ACCOUNT, None, ViewSettings()))
        shared = NewView("Shared", ViewVisibility.ACCOUNT, None, ViewSettings())
        with pytest.raises(ViewLimitReached):
            await saved_views.change(tx, ann, shared, view_id=mine.id)


async def test_a_view_filters_orders_and_selects_the_answers_of_a_list(account: Account) -> None:
    clients = await datasource(account)
    look_up = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": clients["id"]}
    new_form, other = await form(account, fields=[*FIELDS, look_up]), await form(account)
    key = "C-1"
    now = account.ctx.clock.now()
    days = {name: rfc3339(now - age * 86_400_000) for name, age in {"old": 9, "recent": 2, "new": 0}.items()}
    ids = {}
    for name, people in (("old", 5), ("recent", 4), ("new", 6)):
        data = {"site": name, "people": people, "client": key}
        ids[name] = (await submission(account, new_form, data=data, submittedAt=days[name]))["id"]
    ids["few"] = (await submission(account, new_form, data={"site": "few", "people": 1}))["id"]
    await submission(account, other, data={"site": "other", "people": 9})
    body = {
        "name": "Week",
        "formId": new_form["id"],
        "filter": {"status": ["SUBMITTED"], "lastDays": 7, "answers": {"people[gte]": "3"}},
        "columns": ["submittedAt", "answers.people"],
    }
    view = await post(account, f"/customers/{account.id}/views", body)

    async def listed(**query: str) -> list[str]:
        path = f"/customers/{account.id}/submissions" if "order" in query else "/submissions"
        found = [one["id"] for one in (await get(account, path, view=view["id"], **query))["items"]]
        return [next(name for name, id_ in ids.items() if id_ == one) for one in found]

    assert await listed() == ["new", "recent"]
    assert await listed(order="submitted") == ["recent", "new"]
    assert await listed(**{"answers.people[gte]": "6"}) == ["new"]
    assert await listed(**{"answers.site": "recent"}) == ["recent"]
    assert await listed(submittedTo=days["recent"]) == ["old"]
    assert await listed(status="APPROVED") == []
    items = (await get(account, "/submissions", view=view["id"], limit=1))["items"]
    plain = await get(account, f"/customers/{account.id}/submissions/{ids['new']}")
    assert len(plain["lookups"]) == 1
    assert items == [plain | {"data": {"people": 6}, "lookups": []}]
    mapped = await get(account, f"/customers/{account.id}/submissions.geojson", view=view["id"])
    answers = [{k: v for k, v in one["properties"].items() if k[0] != "_"} for one in mapped["features"]]
    assert answers == [{"people": 6}, {"people": 4}]
    response = await account.api.get(f"{PREFIX}/submissions?view={view['id']}&answers.colour=red")
    assert [fault["pointer"] for fault in response.json()["errors"]] == ["?answers.colour"]

    path = f"{PREFIX}/customers/{account.id}/views/{view['id']}"
    unmet = {**body, "formId": None, "columns": [], "filter": {"answers": {"people": "6", "kind[ne]": "a"}}}
    assert (await account.api.put(path, json=unmet)).is_success
    assert await listed(formId=new_form["id"]) == ["new"]
    fields = [FIELDS[0] | {"type": "integer", "name": "kind"}]
    third = await form(account, fields=fields)
    assert await listed(formId=third["id"]) == [], "the form has no such field"
    assert (await account.api.put(path, json=unmet | {"filter": {"answers": {"people[ne]": "6"}}})).is_success
    kept = (await submission(account, third, data={"kind": 1}))["id"]
    items = (await get(account, "/submissions", view=view["id"], formId=third["id"]))["items"]
    assert [one["id"] for one in items] == [kept], "no answer is not equal"
    assert (await account.api.delete(path)).status_code == 204
    gone = await account.api.get(f"{PREFIX}/submissions?view={view['id']}")
    assert (gone.status_code, gone.json()["code"]) == (404, "view.not_found")
