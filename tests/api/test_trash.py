"""Deleting, restoring and permanently deleting resources of every kind, as an integrator sees it."""

import asyncio
import json
from typing import Any

import httpx
import pytest
from actors import Account
from factories.datasources import datasource, pulled, rows
from factories.forms import FIELDS, form
from factories.invites import CLIENT_ID, invite, link
from factories.requests import PREFIX, get, post
from factories.sample_account import BY_NAME, EXAMPLES, World, call, world
from factories.submissions import submission
from factories.tasks import task
from factories.users import built_in, grants, group, role, user

from formwright.api.pagination import PageQuery
from formwright.core.db.interface import ReadTransaction

CHANGED = {"updated", "revision"}
"""The properties of a restored resource that differ: restoring is a change."""
LOGS = {
    "account_order",
    "audit_log",
    "deliveries",
    "due_work",
    "events",
    "invocations",
    "subscriber_heads",
    "trash",
    "trash_rows",
}
"""The tables that record the deletion and the restoration themselves."""
OF_USE = {"api_keys", "key_hashes", "key_rates", "sessions", "replies"}


def _url(account: Account, kind: str, **ids: str) -> str:
    base = f"{PREFIX}/forms/customer/{account.id}" if kind in OF_FORMS else f"{PREFIX}/customers/{account.id}"
    paths = {"version": "/forms/{form}/versions/{id}", "row": "/datasources/{datasource}/rows"}
    return base + paths.get(kind, f"/{kind}s/{{id}}").format(**ids)


OF_FORMS = {"form", "version", "template", "folder"}
KINDS = ["form", "version", "template", "folder", "datasource", "user", "group", "role"]


async def delete(account: Account, kind: str, id_: str, **more: str) -> dict[str, Any]:
    """Delete a resource and return its entry in the trash."""
    response = await account.api.delete(_url(account, kind, id=id_, **more))
    assert response.status_code == 200, response.text
    entry: dict[str, Any] = response.json()
    return entry


async def restore(account: Account, kind: str, id_: str, **more: str) -> httpx.Response:
    """Restore a resource."""
    return await account.api.post(_url(account, kind, id=id_, **more) + "/restore")


async def lists(account: Account, here: World) -> dict[str, Any]:
    """Return the items of every list of the API, by operation, without what restoring changes."""
    found: dict[str, Any] = {}
    for operation in BY_NAME.values():
        is_list = operation.query and issubclass(operation.query, PageQuery)
        if is_list and operation.name not in ("listTrash", "listEvents", "listAuditEntries", "listInvocations"):
            query = [] if operation.name == "listUsers" else EXAMPLES[operation.name].query(here)
            query = [(name, value) for name, value in query if name != "limit"]
            response = await call(operation, here, query=[*query, ("limit", "1000")])
            found[operation.name] = _without_changes(response.json().get("items", response.status_code))
    return found


def _without_changes(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_changes(one) for name, one in value.items() if name not in CHANGED}
    return [_without_changes(one) for one in value] if isinstance(value, list) else value


async def stored_rows(account: Account) -> dict[str, list[str]]:
    """Return all rows of the account by table, without what restoring changes."""
    is_postgres = account.ctx.settings.is_postgres
    async with account.ctx.db.reading() as tx:
        tables = sorted(await _tables(tx, is_postgres=is_postgres) - LOGS - OF_USE)
        found: dict[str, list[str]] = {}
        for table in tables:
            columns = await _columns(tx, table, is_postgres=is_postgres)
            names = ", ".join(f'"{name}"' for name in columns if name not in CHANGED)
            result = await tx.fetch(f"SELECT {names} FROM {table} WHERE customer_id = $1", account.id)
            found[table] = sorted(repr(tuple(row)) for row in result)
    return found


async def _tables(tx: ReadTransaction, *, is_postgres: bool) -> set[str]:
    sqlite = "SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE c.name = 'customer_id'"
    postgres = "SELECT table_name FROM information_schema.columns WHERE column_name = 'customer_id'"
    return {row[0] for row in await tx.fetch(postgres if is_postgres else sqlite)}


async def _columns(tx: ReadTransaction, table: str, *, is_postgres: bool) -> list[str]:
    postgres = f"SELECT column_name FROM information_schema.columns WHERE table_name = '{table}'"
    rows_ = await tx.fetch(postgres if is_postgres else f"SELECT name FROM pragma_table_info('{table}')")
    return sorted(row[0] for row in rows_)


@pytest.mark.slow
async def test_restoring_brings_back_the_whole_account_as_it_was(account: Account) -> None:
    here = await world(account)
    form_id = here.ids["formId"]
    await account.api.put(_url(account, "form", id=form_id), json={"folderId": here.ids["folderId"]})
    ids = here.ids | {"versionId": here.draft, "roleId": here.spare["roleId"], "datasourceId": here.pulled}
    before = await lists(account, here), await stored_rows(account)
    for kind in KINDS:
        await delete(account, kind, ids[f"{kind}Id"], form=form_id)
        assert await lists(account, here) != before[0], kind
        assert (await restore(account, kind, ids[f"{kind}Id"], form=form_id)).status_code == 200, kind
        assert await lists(account, here) == before[0], kind
        assert await stored_rows(account) == before[1], kind


async def test_a_deleted_form_takes_everything_with_it(account: Account) -> None:
    new_form, other = await form(account), await form(account)
    filled = await submission(account, new_form)
    work, asked = await task(account, new_form), await invite(account, new_form)
    await submission(account, other)
    base = f"/customers/{account.id}"
    preview = (await account.api.delete(_url(account, "form", id=new_form["id"]), params={"dryRun": "true"})).json()
    assert preview["affected"] | {"submissions": 1, "tasks": 1, "invites": 1, "forms": 1} == preview["affected"]
    entry = await delete(account, "form", new_form["id"])
    assert entry["affected"] == preview["affected"]
    assert entry["restorableUntil"] > entry["deleted"]
    for path in (
        f"/forms/customer/{account.id}/forms/{new_form['id']}",
        f"/forms/customer/{account.id}/forms/{new_form['id']}/versions/{new_form['publishedVersionId']}",
        f"{base}/submissions/{filled['id']}",
        f"{base}/tasks/{work['id']}",
        f"{base}/invites/{asked['id']}",
    ):
        assert (await account.api.get(PREFIX + path)).status_code == 404, path
    for path in (f"{base}/submissions", f"/forms/customer/{account.id}/forms"):
        assert len((await get(account, path))["items"]) == 1, path
    assert (await get(account, f"{base}/submissions", count="true"))["count"] == 1
    assert (await get(account, f"{base}/tasks"))["items"] == (await get(account, f"{base}/invites"))["items"] == []
    response = await account.api.put(f"{PREFIX}{base}/submissions/{filled['id']}", json={"data": {"site": "B"}})
    assert response.status_code == 404
    body = {"formId": new_form["id"], "data": {"site": "B"}}
    response = await account.api.post(f"{PREFIX}{base}/submissions/bulk", json={"items": [{"op": "create", **body}]})
    assert response.json()["items"][0]["status"] == 404, response.text


async def test_the_links_of_a_deleted_form_are_closed_until_it_is_restored(account: Account) -> None:
    new_form = await form(account)
    asked = await invite(account, new_form)
    paths = [new_form["fillPath"], await link(account, asked)]
    await delete(account, "form", new_form["id"])
    filled = {"versionId": new_form["publishedVersionId"], "data": {"site": "Quay 9"}}
    async with account.stage.client() as http:
        for path in paths:
            page = await http.get(path)
            assert page.status_code == 404
            assert "isn’t available" in page.text
            assert (await http.post(f"{path}/submissions/{CLIENT_ID}", json=filled)).status_code == 404
        await restore(account, "form", new_form["id"])
        for path in paths:
            assert (await http.get(path)).status_code == 200
            assert (await http.post(f"{path}/submissions/{CLIENT_ID}", json=filled)).status_code == 201


async def test_deleting_and_restoring_again_changes_nothing_more(account: Account) -> None:
    new_form = await form(account)
    await delete(account, "form", new_form["id"])
    assert (await account.api.delete(_url(account, "form", id=new_form["id"]))).status_code == 404
    first = await restore(account, "form", new_form["id"])
    again = await restore(account, "form", new_form["id"])
    assert (first.status_code, again.status_code, again.json()) == (200, 200, first.json())
    assert first.json()["revision"] == new_form["revision"] + 1
    types = [event["type"] for event in (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]]
    assert types.count("form.deleted") == types.count("form.restored") == 1


async def test_a_restored_form_keeps_the_limits_of_its_link(account: Account) -> None:
    new_form, older = await form(account), await form(account)
    limits = {"maxResponses": 5, "onePer": "DEVICE"}
    changed = await account.api.put(_url(account, "form", id=new_form["id"]), json={"publicLink": limits})
    assert changed.status_code == 200, changed.text
    for one in (new_form, older):
        await delete(account, "form", one["id"])
    async with account.ctx.db.writing() as tx:
        # A form that was deleted before forms had this column.
        sql = "SELECT content FROM trash_rows WHERE customer_id = $1 AND source = 'forms' AND id = $2"
        row = await tx.fetch_one(sql, account.id, older["id"])
        content = json.loads(row[0]) if row else {}
        del content["public_link"]
        await tx.execute(
            "UPDATE trash_rows SET content = $3 WHERE customer_id = $1 AND source = 'forms' AND id = $2",
            account.id,
            older["id"],
            json.dumps(content),
        )
    restored = (await restore(account, "form", new_form["id"])).json()
    assert restored["publicLink"] == changed.json()["publicLink"]
    assert (await restore(account, "form", older["id"])).status_code == 200


async def test_deletion_honours_if_match(account: Account) -> None:
    new_form = await form(account)
    url = _url(account, "form", id=new_form["id"])
    tag = (await account.api.get(url)).headers["etag"]
    await account.api.put(url, json={"name": "Other"})
    assert (await account.api.delete(url, headers={"if-match": tag})).status_code == 412
    tag = (await account.api.get(url)).headers["etag"]
    assert (await account.api.delete(url, headers={"if-match": tag})).status_code == 200


async def test_a_form_whose_folder_is_gone_is_restored_outside_of_folders(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    new_form = await form(account, folderId=folder["id"])
    await delete(account, "form", new_form["id"])
    await delete(account, "folder", folder["id"])
    assert (await restore(account, "form", new_form["id"])).json()["folderId"] is None


async def test_a_folder_is_restored_with_its_subfolders_and_forms(account: Account) -> None:
    folders = f"/forms/customer/{account.id}/folders"
    north = await post(account, folders, {"name": "North"})
    quay = await post(account, folders, {"name": "Quay", "parentId": north["id"]})
    new_form = await form(account, folderId=quay["id"], externalId="erp-1")
    entry = await delete(account, "folder", north["id"])
    assert (entry["affected"]["folders"], entry["affected"]["forms"]) == (2, 1)
    refused = await restore(account, "form", new_form["id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "trash.part_of_folder")
    await post(account, folders, {"name": "North"})
    assert (await restore(account, "folder", north["id"])).json()["code"] == "folder.name_taken"
    taken = await form(account, externalId="erp-1")
    await account.api.put(
        f"{PREFIX}{folders}/{(await get(account, folders))['items'][0]['id']}", json={"name": "South"}
    )
    assert (await restore(account, "folder", north["id"])).json()["code"] == "form.external_id_taken"
    await delete(account, "form", taken["id"])
    assert (await restore(account, "folder", north["id"])).status_code == 200
    assert (await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}"))["folderId"] == quay["id"]


async def test_a_restored_draft_gets_another_number_if_its_own_is_taken(account: Account) -> None:
    new_form = await form(account)
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    draft = await post(account, versions, {"fields": FIELDS})
    await delete(account, "version", draft["id"], form=new_form["id"])
    newer = await post(account, versions, {"fields": FIELDS})
    assert newer["number"] == draft["number"]
    back = await restore(account, "version", draft["id"], form=new_form["id"])
    assert back.json()["number"] == newer["number"] + 1
    final = await account.api.delete(_url(account, "version", id=new_form["publishedVersionId"], form=new_form["id"]))
    assert (final.status_code, final.json()["code"]) == (409, "form.version.not_draft")
    single = await form(account, publish=False)
    [only] = (await get(account, f"/forms/customer/{account.id}/forms/{single['id']}/versions"))["items"]
    refused = await account.api.delete(_url(account, "version", id=only["id"], form=single["id"]))
    assert (refused.status_code, refused.json()["code"]) == (409, "form.version.only")
    await delete(account, "version", draft["id"], form=new_form["id"])
    await delete(account, "form", new_form["id"])
    # The form is gone for everyone, so its versions are, too.
    assert (await restore(account, "version", draft["id"], form=new_form["id"])).json()["code"] == "trash.form_deleted"


def _look_up(table: dict[str, Any]) -> dict[str, Any]:
    return {"type": "lookup", "name": "client", "label": "Client", "datasourceId": table["id"]}


async def test_what_is_in_use_cannot_be_deleted(account: Account) -> None:
    table, granted = await datasource(account), await role(account)
    new_form = await form(account, fields=[*FIELDS, _look_up(table)])
    refused = await account.api.delete(_url(account, "datasource", id=table["id"]))
    assert (refused.status_code, refused.json()["code"]) == (409, "datasource.in_use")
    await delete(account, "form", new_form["id"])
    await delete(account, "datasource", table["id"])
    team = await group(account, grants=grants(granted["id"], account=account.id))
    refused = await account.api.delete(_url(account, "role", id=granted["id"]))
    assert (refused.status_code, refused.json()["code"]) == (409, "role.in_use")
    await delete(account, "group", team["id"])
    await delete(account, "role", granted["id"])
    refused = await account.api.delete(_url(account, "role", id=await built_in(account)))
    assert (refused.status_code, refused.json()["code"]) == (409, "role.built_in")
    # Restored in the other order, the group gets its grant back with the role.
    assert (await restore(account, "group", team["id"])).json()["grants"] == []
    assert (await restore(account, "role", granted["id"])).status_code == 200
    assert len((await get(account, f"/customers/{account.id}/groups/{team['id']}"))["grants"]) == 1


async def test_the_last_owner_cannot_be_deleted(account: Account) -> None:
    refused = await account.api.delete(_url(account, "user", id=account.owner.id))
    assert (refused.status_code, refused.json()["code"]) == (409, "user.last_owner")


async def test_a_user_and_their_group_can_be_restored_in_any_order(account: Account) -> None:
    mate = await user(account)
    team = await group(account, mate.id)
    for first, second in ((("user", mate.id), ("group", team["id"])), (("group", team["id"]), ("user", mate.id))):
        await delete(account, *first)
        await delete(account, *second)
        assert (await restore(account, *first)).status_code == 200
        assert (await restore(account, *second)).status_code == 200
        assert (await get(account, f"/customers/{account.id}/users/{mate.id}"))["groups"] == [team["id"]]
        assert (await get(account, f"/customers/{account.id}/groups/{team['id']}"))["members"] == [mate.id]


async def test_a_user_whose_address_was_taken_in_the_meantime_is_not_restored(account: Account) -> None:
    users = f"/customers/{account.id}/users"
    mate = await post(account, users, {"email": "ann@example.org", "name": "Ann"})
    await delete(account, "user", mate["id"])
    await post(account, users, {"email": "ann@example.org", "name": "Ann"})
    refused = await restore(account, "user", mate["id"])
    assert (refused.status_code, refused.json()["code"]) == (409, "user.email_taken")


async def test_a_row_is_deleted_and_restored(account: Account) -> None:
    table = await datasource(account, rows=rows(3))
    base = f"/customers/{account.id}/datasources/{table['id']}"

    async def keys(**query: str) -> list[str]:
        return [row["key"] for row in (await get(account, f"{base}/rows", **query))["items"]]

    deleted = await account.api.delete(f"{PREFIX}{base}/rows", params={"key": "C-2"})
    assert (deleted.status_code, deleted.json()["kind"], deleted.json()["name"]) == (200, "datasourceRow", "C-2")
    assert await keys() == ["C-1", "C-3"]
    assert await keys(q="customer 2") == []
    assert (await get(account, base))["rowCount"] == 2
    assert (await account.api.delete(f"{PREFIX}{base}/rows", params={"key": "C-2"})).status_code == 404
    for _ in range(2):
        back = await account.api.post(f"{PREFIX}{base}/rows/restore", json={"key": "C-2"})
        assert (back.status_code, back.json()["rowCount"]) == (200, 3)
    assert await keys() == ["C-1", "C-3", "C-2"]
    assert await keys(q="customer 2") == ["C-2"]
    unknown = await account.api.post(f"{PREFIX}{base}/rows/restore", json={"key": "C-9"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "datasource.row.not_found")


async def test_new_data_sources_do_not_take_the_row_numbers_of_deleted_ones(account: Account) -> None:
    first = await datasource(account, rows=rows(2))
    await delete(account, "datasource", first["id"])
    second = await datasource(account, rows=rows(2))
    assert (await restore(account, "datasource", first["id"])).status_code == 200
    for table in (first, second):
        listed = await get(account, f"/customers/{account.id}/datasources/{table['id']}/rows")
        assert [row["key"] for row in listed["items"]] == ["C-1", "C-2"]


async def test_the_pull_of_a_restored_data_source_continues(account: Account) -> None:
    table = await pulled(account)
    await delete(account, "datasource", table["id"])
    assert (await restore(account, "datasource", table["id"])).json()["pull"]["url"] == table["pull"]["url"]


async def test_concurrent_deletions_and_restorations_leave_one_result(account: Account) -> None:
    new_form = await form(account)
    url = _url(account, "form", id=new_form["id"])
    deletions = await asyncio.gather(*(account.api.delete(url) for _ in range(5)))
    assert sorted(response.status_code for response in deletions) == [200, 404, 404, 404, 404]
    restorations = await asyncio.gather(*(account.api.post(url + "/restore") for _ in range(5)))
    assert {response.status_code for response in restorations} == {200}
    mixed = await asyncio.gather(
        *(account.api.delete(url) if number % 2 else account.api.post(url + "/restore") for number in range(10))
    )
    assert {response.status_code for response in mixed} <= {200, 404}
    in_trash = [entry["id"] for entry in (await get(account, f"/customers/{account.id}/trash"))["items"]]
    exists = (await account.api.get(url)).status_code == 200
    assert exists != (new_form["id"] in in_trash)


async def test_the_trash_lists_what_can_be_restored_newest_first(account: Account) -> None:
    new_form, mate = await form(account, name="Visit"), await user(account, "Ann")
    await delete(account, "form", new_form["id"])
    await delete(account, "user", mate.id)
    trash = f"/customers/{account.id}/trash"
    assert [(one["kind"], one["name"]) for one in (await get(account, trash))["items"]] == [
        ("user", "Ann"),
        ("form", "Visit"),
    ]
    [entry] = (await get(account, trash, kind="form"))["items"]
    assert (entry["deletedBy"]["type"], entry["deletedBy"]["name"]) == ("key", "Test")
    permanent = await account.api.delete(_url(account, "form", id=new_form["id"]), params={"permanent": "true"})
    assert (permanent.status_code, permanent.json()["restorableUntil"]) == (200, None)
    assert (await get(account, trash, kind="form"))["items"] == []
    assert (await restore(account, "form", new_form["id"])).status_code == 404
