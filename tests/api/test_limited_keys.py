"""Limited keys: some permissions, for the whole account or for folders and forms, and a rate limit of their own."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
import pytest
from actors import Account
from factories.forms import form
from factories.pagination import items_of
from factories.requests import PREFIX, post
from factories.submissions import submission
from factories.users import built_in, grants, group, member, role
from fixtures.feed import FeedClient

from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.auth.permissions import (
    ACCOUNT_WIDE_PERMISSIONS,
    ALL_PERMISSIONS,
    FORM_PERMISSIONS,
    Permission,
)
from formwright.core.errors import Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import MAX_PARTS, Key, KeyLimits, KeyProperties
from formwright.domain.feeds import service as feeds
from formwright.domain.users.models import Grant

READS = frozenset({Permission.FORMS_READ, Permission.SUBMISSIONS_READ})


async def add_key(
    account: Account, limits: KeyLimits | None, actor: Actor | None = None, rate_limit: int | None = None
) -> tuple[Key, str]:
    async with account.ctx.db.writing() as tx:
        new = KeyProperties("Limited", limits=limits, rate_limit=rate_limit)
        return await keys.create(tx, actor or account.actor, new, maker_name="Test")


@asynccontextmanager
async def client_with(account: Account, limits: KeyLimits) -> AsyncIterator[httpx.AsyncClient]:
    _, text = await add_key(account, limits)
    async with account.stage.client(**{"x-api-key": text}) as client:
        yield client


async def folder(account: Account, name: str, parent_id: str | None = None) -> dict[str, Any]:
    return await post(account, f"/forms/customer/{account.id}/folders", {"name": name, "parentId": parent_id})


async def listed_forms(client: httpx.AsyncClient) -> set[str]:
    response = await client.get(PREFIX + "/submissions")
    assert response.status_code == 200, response.text
    return {item["formId"] for item in items_of(response.json())}


async def change_refusal(account: Account, key: Key, limits: KeyLimits, actor: Actor) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as raised:
        async with account.ctx.db.writing() as tx:
            await keys.update(tx, actor, key_id=key.id, new=KeyProperties("Limited", limits=limits))
    return [(fault.pointer, fault.code) for fault in raised.value.faults]


async def refusal(account: Account, limits: KeyLimits, actor: Actor | None = None) -> list[tuple[str, str]]:
    with pytest.raises(Invalid) as raised:
        await add_key(account, limits, actor)
    return [(fault.pointer, fault.code) for fault in raised.value.faults]


async def test_moving_folders_and_forms_applies_to_the_next_request(account: Account) -> None:
    north = await folder(account, "North")
    east = await folder(account, "East", north["id"])
    inside, outside = await form(account, folderId=east["id"]), await form(account)
    for one in (inside, outside):
        await submission(account, one)
    folders = f"{PREFIX}/forms/customer/{account.id}/folders"
    async with client_with(account, KeyLimits(READS, folder_ids=(north["id"],))) as client:
        assert await listed_forms(client) == {inside["id"]}
        await account.api.put(f"{folders}/{east['id']}", json={"name": "East", "parentId": None})
        assert await listed_forms(client) == set()
        await account.api.put(f"{folders}/{east['id']}", json={"name": "East", "parentId": north["id"]})
        await account.api.post(f"{folders}/{north['id']}/forms", json={"formIds": [outside["id"]]})
        assert await listed_forms(client) == {inside["id"], outside["id"]}


async def test_a_key_reads_and_fills_in_its_form_and_nothing_else(account: Account) -> None:
    mine, other = await form(account), await form(account)
    foreign = await submission(account, other)
    limits = KeyLimits(READS | {Permission.SUBMISSIONS_CREATE}, form_ids=(mine["id"],))
    async with client_with(account, limits) as client:
        forms = f"{PREFIX}/customers/{account.id}/forms"
        body = {"data": {"site": "Harbour"}}
        assert (await client.post(f"{forms}/{mine['id']}/submissions", json=body)).status_code == 201
        assert (await client.post(f"{forms}/{other['id']}/submissions", json=body)).status_code == 404
        assert (await client.get(f"{PREFIX}/submissions/{foreign['id']}")).status_code == 404
        counted = (await client.get(f"{PREFIX}/submissions", params={"count": "true"})).json()
        assert (counted["count"], {item["formId"] for item in counted["items"]}) == (1, {mine["id"]})
        assert (await client.get(f"{forms}/{mine['id']}/summary")).json()["submissions"] == 1
        assert (await client.get(f"{forms}/{other['id']}/summary")).status_code == 404
        bulk = await client.post(
            f"{PREFIX}/customers/{account.id}/submissions/bulk",
            json={"items": [{"op": "create", "formId": one["id"], **body} for one in (mine, other)]},
        )
        assert [item["status"] for item in bulk.json()["items"]] == [201, 404]
        events = await client.get(f"{PREFIX}/webhooks/customer/{account.id}/events")
        assert (events.status_code, events.json()["code"]) == (403, "access.denied")


async def test_a_key_learns_what_it_may_do(account: Account) -> None:
    mine = await form(account)
    key, text = await add_key(account, KeyLimits(READS, form_ids=(mine["id"],)), rate_limit=90)
    async with account.stage.client(**{"x-api-key": text}) as client:
        for path in ("/customers", f"/customers/{account.id}"):
            body = (await client.get(PREFIX + path)).json()
            assert body.get("items", [body])[0]["key"] == {
                "id": key.id,
                "name": "Limited",
                "access": "LIMITED",
                "permissions": ["customer:read", "forms:read", "submissions:read"],
                "resources": [{"type": "form", "id": mine["id"]}],
                "rateLimit": 90,
                "expiresAt": None,
            }
    full = (await account.api.get(f"{PREFIX}/customers/{account.id}")).json()["key"]
    assert (full["access"], full["resources"]) == ("FULL", [{"type": "account", "id": account.id}])
    assert (full["permissions"], full["rateLimit"]) == (sorted(Permission), None)


async def test_a_rate_limit_of_its_own_leaves_other_keys_alone(account: Account) -> None:
    _, text = await add_key(account, None, rate_limit=3)
    async with account.stage.client(**{"x-api-key": text}) as client:
        answers = [await client.get(PREFIX + "/customers") for _ in range(6)]
    assert answers[0].headers["ratelimit-policy"] == '"key";q=3;w=60'
    assert answers[-1].status_code == 429
    assert answers[-1].headers["retry-after"] == "20"
    assert (await account.api.get(PREFIX + "/customers")).status_code == 200


async def test_rotating_keeps_the_limits(account: Account) -> None:
    mine, other = await form(account), await form(account)
    for one in (mine, other):
        await submission(account, one)
    key, first = await add_key(account, KeyLimits(READS, form_ids=(mine["id"],)))
    async with account.ctx.db.writing() as tx:
        _, second = await keys.rotate(tx, account.actor, key_id=key.id)
    for text in (first, second):
        # Versions that ignore limits accept other prefixes only.
        assert text.startswith("fwl_")
        async with account.stage.client(**{"x-api-key": text}) as client:
            assert await listed_forms(client) == {mine["id"]}


async def test_the_feed_has_the_tables_that_a_key_may_read(account: Account) -> None:
    mine, other = await form(account, name="Mine"), await form(account, name="Other")
    for one in (mine, other):
        await submission(account, one)
    async with account.ctx.db.writing() as tx:
        await feeds.switch(tx, account.actor, enabled=True)
    _, text = await add_key(account, KeyLimits(READS, form_ids=(mine["id"],)))
    async with account.stage.client() as http:
        http.auth = httpx.BasicAuth("excel", text)
        feed = FeedClient(account, http)
        assert [one["name"] for one in (await feed.get(""))["value"]] == ["Submissions_Mine"]
        page = await feed.get("Submissions_Mine", prefer="odata.track-changes")
        assert len(page["value"]) == 1
        assert "@odata.deltaLink" not in page, "deltas come from the event log"
        await feed.get("Submissions_Mine", 400, deltatoken="1")
        await feed.get("Submissions_Other", 404)
        await feed.get("Users", 403)


async def test_only_permissions_that_somebody_holds_can_be_given(account: Account) -> None:
    mine, other, place = await form(account), await form(account), await folder(account, "North")
    keeper = Grant((await role(account, "keys:manage"))["id"], ResourceType.ACCOUNT, account.id)
    manager = await built_in(account, "Form manager")
    actor = await member(account, keeper, Grant(manager, ResourceType.FORM, mine["id"]))
    key, _ = await add_key(account, KeyLimits(READS, form_ids=(mine["id"],)), actor)
    for limits in (
        KeyLimits(READS),
        KeyLimits(READS, form_ids=(mine["id"], other["id"])),
        KeyLimits(READS, folder_ids=(place["id"],)),
        KeyLimits(frozenset({Permission.CUSTOMER_EDIT})),
    ):
        assert await refusal(account, limits, actor) == [("/access", "key.not_held")]
        assert await change_refusal(account, key, limits, actor) == [("/access", "key.not_held")]
    # Nor can anyone take permissions from a key that has more than they.
    wide, _ = await add_key(account, KeyLimits(READS))
    narrow = KeyLimits(READS, form_ids=(mine["id"],))
    assert await change_refusal(account, wide, narrow, actor) == [("/access", "key.not_held")]
    move = f"{PREFIX}/forms/customer/{account.id}/folders/{place['id']}/forms"
    assert (await account.api.post(move, json={"formIds": [other["id"]]})).status_code == 200
    chief = await member(account, keeper, Grant(manager, ResourceType.FOLDER, place["id"]))
    await add_key(account, KeyLimits(READS, form_ids=(other["id"],)), chief)


async def test_limits_without_effect_are_refused(account: Account, stranger: Account) -> None:
    mine, theirs, place = await form(account), await form(stranger), await folder(stranger, "Theirs")
    ids = (mine["id"],)
    assert await refusal(account, KeyLimits(frozenset())) == [("/permissions", "value.required")]
    whole = ("/permissions", "key.permission.whole_account")
    for permission in ALL_PERMISSIONS - FORM_PERMISSIONS - ACCOUNT_WIDE_PERMISSIONS:
        assert await refusal(account, KeyLimits(READS | {permission}, form_ids=ids)) == [whole]
    missing = KeyLimits(READS, folder_ids=(place["id"],), form_ids=(*ids, theirs["id"]))
    assert await refusal(account, missing) == [
        ("/folderIds/0", "folder.not_found"),
        ("/formIds/1", "form.not_found"),
    ]
    many = KeyLimits(READS, form_ids=ids * (MAX_PARTS + 1))
    assert await refusal(account, many) == [("/formIds", "value.too_many")]
    for rate in (0, -1, 10**9):
        with pytest.raises(Invalid):
            await add_key(account, None, rate_limit=rate)


async def test_a_key_changes_no_identifiers_of_those_who_may_do_more(account: Account) -> None:
    """Single sign-on recognises provisioned users by the external id, and groups of a claim by theirs or the name."""
    strong = [Grant(await built_in(account), ResourceType.ACCOUNT, account.id)]
    boss, colleague = await member(account, *strong, name="Boss"), await member(account, name="Colleague")
    everything = grants(strong[0].role_id, account=account.id)
    chiefs, named = await group(account, grants=everything, externalId="g-1"), await group(account, grants=everything)
    plain = await group(account)
    limits = KeyLimits(frozenset({Permission.PEOPLE_READ, Permission.PEOPLE_MANAGE}))
    users, groups = (f"{PREFIX}/customers/{account.id}/{kind}" for kind in ("users", "groups"))
    async with client_with(account, limits) as http:

        async def change(path: str, **body: str | None) -> tuple[int, str]:
            response = await http.put(path, json=body)
            problem = response.json()
            codes = [error["code"] for error in problem.get("errors", ())]
            return response.status_code, codes[0] if codes else problem.get("code", "")

        assert await change(f"{users}/{boss.user_id}", externalId="x") == (403, "access.denied")
        assert await change(f"{users}/{colleague.user_id}", externalId="x") == (200, "")
        assert await change(f"{users}/{boss.user_id}", name="Chief") == (200, "")
        for wrong in ("g-2", None):
            assert await change(f"{groups}/{chiefs['id']}", externalId=wrong) == (422, "grant.not_held")
        assert await change(f"{groups}/{chiefs['id']}", name="Other") == (200, ""), "the claim has its external id"
        assert await change(f"{groups}/{named['id']}", name="Else") == (422, "grant.not_held")
        assert await change(f"{groups}/{named['id']}", externalId="g-3") == (422, "grant.not_held")
        assert await change(f"{groups}/{plain['id']}", name="Third", externalId="g-4") == (200, "")
    full = await account.api.put(f"{users}/{boss.user_id}", json={"externalId": "y"})
    assert full.status_code == 200, full.text
