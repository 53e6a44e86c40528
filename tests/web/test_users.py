"""The pages of users, groups and roles, in a browser without JavaScript."""

import asyncio
import re
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.invites import rendered_emails
from factories.requests import PREFIX, get, post
from factories.users import built_in, group, member, role, user
from factories.web_client import Visit, enter, visit

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.domain.users import groups
from formwright.domain.users.models import Grant
from formwright.web.views.permission_labels import PERMISSION_LABELS


async def fetch_page(site: Visit, path: str, status: int = 200) -> str:
    response = await site.http.get(path)
    assert response.status_code == status, response.text
    return response.text


async def fetch_user(account: Account, user_id: str) -> Any:
    return await get(account, f"/customers/{account.id}/users/{user_id}")


async def sign_in_as_member(account: Account, site: Visit, *given: Grant, name: str = "Mate") -> str:
    """Sign in as a new user of the account with these grants; returns their id."""
    who = await member(account, *given, name=name)
    await enter(account, site.http, who.id)
    return who.id


def test_every_permission_has_a_label() -> None:
    assert sorted(permission for named in PERMISSION_LABELS.values() for permission in named) == sorted(Permission)


async def test_invite_a_user_with_a_role_and_a_group(account: Account) -> None:
    new_form, team = await form(account, name="Visit 🌳"), await group(account, name="<b>Ops</b>")
    viewer = await built_in(account, "Data viewer")
    async with visit(account) as site:
        page = await fetch_page(site, "/people/new")
        assert "&lt;b&gt;Ops&lt;/b&gt;" in page
        sent = {"email": "Ann@example.org", "name": "<i>Ann</i>", "language": "de", "role": viewer}
        response = await site.post("/people/new", sent | {"place": f"form:{new_form['id']}", "groups": team["id"]})
        assert response.status_code == 303, response.text
        one = await fetch_page(site, response.headers["location"])
        assert "&lt;i&gt;Ann&lt;/i&gt;" in one
        assert "Visit 🌳" in one
        listed = await fetch_page(site, "/people?q=ANN@&status=INVITED")
        assert "Data viewer: Visit 🌳" in listed
    details = await fetch_user(account, response.headers["location"].rpartition("/")[2].partition("?")[0])
    assert (details["email"], details["language"], details["status"]) == ("ann@example.org", "de", "INVITED")
    assert (details["groups"], details["grants"][0]["resource"]) == (
        [team["id"]],
        {"type": "form", "id": new_form["id"]},
    )


async def test_the_default_language_of_users_and_mails_is_that_of_the_account(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE customers SET locale = 'de-CH' WHERE customer_id = $1", account.id)
    async with visit(account) as site:
        assert '<option value="de" lang="de" selected>' in await fetch_page(site, "/people/new")
        sent = {"email": "anne@example.org", "name": "Anne", "language": "fr", "role": "", "place": ""}
        response = await site.post("/people/new", sent)
        assert response.status_code == 303, response.text
    created = response.headers["location"].rpartition("/")[2].partition("?")[0]
    assert (await rendered_emails(account.ctx, account.id, created))[0].text.startswith("Guten Tag Anne,")


async def test_errors_are_next_to_their_field_and_input_is_kept(account: Account) -> None:
    async with visit(account) as site:
        await fetch_page(site, "/people/new")
        response = await site.post("/people/new", {"email": "no address", "name": " ", "language": "fr"})
        assert response.status_code == 422
        assert "Enter a valid email address." in response.text
        assert "This is required." in response.text
        assert 'value="no address"' in response.text
        assert '<option value="fr" lang="fr" selected>' in response.text
        taken = await site.post("/people/new", {"email": account.owner.email, "name": "Two"})
        assert "already has a user" in taken.text


async def test_edit_a_user_grant_a_role_disable_and_enable_them(account: Account) -> None:
    mate, editor = await user(account), await role(account, "forms:edit", name="Editor")
    here = f"/people/{mate.id}"
    async with visit(account) as site:
        await fetch_page(site, here)
        typed = {"name": "Mia", "email": mate.email, "language": "nl"}
        assert (await site.post(here, typed)).status_code == 303
        given = {"role": editor["id"], "place": f"account:{account.id}"}
        assert (await site.post(f"{here}/grants", given | {"act": "add"})).status_code == 303
        again = await site.post(f"{here}/grants", given)
        assert (again.status_code, "This grant is listed twice." in again.text) == (422, True)
        details = await fetch_user(account, mate.id)
        assert (details["name"], details["language"], len(details["grants"])) == ("Mia", "nl", 1)
        why = await fetch_page(site, f"{here}?permission=forms:edit&place=account:{account.id}")
        assert "<strong>Allowed." in why
        assert "Not allowed." in await fetch_page(site, f"{here}?permission=keys:read&place=account:{account.id}")
        assert (await site.post(f"{here}/grants", given | {"act": "remove"})).status_code == 303
        assert "Disable “<bdi>Mia</bdi>”?" in await fetch_page(site, f"{here}?disable=1")
        await site.post(f"{here}/status", {"status": "DISABLED"})
        assert (await fetch_user(account, mate.id))["status"] == "DISABLED"
        await site.post(f"{here}/status", {"status": "ACTIVE"})
        assert (await fetch_user(account, mate.id)) | {"updated": ""} == details | {
            "grants": [],
            "updated": "",
            "revision": details["revision"] + 3,
        }


async def test_groups_that_somebody_else_changed_in_the_meantime_are_kept(account: Account) -> None:
    mate = await user(account)
    old, kept, left, new, mine = [(await group(account, name=name))["id"] for name in ("A", "B", "C", "D", "E")]
    here, there = f"/people/{mate.id}", f"{PREFIX}/customers/{account.id}/users/{mate.id}"
    await account.api.put(there, json={"groups": [old, kept, left]})
    async with visit(account) as site:
        page = await fetch_page(site, here)
        ticked = [mine, *re.findall(r'name="groups" value="(\w+)" checked', page)]
        ticked.remove(left)
        names = re.findall(r'name="offered" value="(\w*)"', page)
        await account.api.put(there, json={"groups": [kept, left]})
        typed = {"name": "Mia", "email": mate.email, "language": "nl", "groups": ticked, "offered": names}
        async with account.ctx.db.writing() as tx:
            await groups.add(tx, actors.system(account.id), group_id=new, member_id=mate.id)
            # It waits for the other change.
            posting = asyncio.create_task(site.post(here, typed))
            await asyncio.sleep(0.3)
        assert (await posting).status_code == 303
    assert (await fetch_user(account, mate.id))["groups"] == sorted([kept, new, mine])


async def test_the_last_owner_cannot_be_removed(account: Account) -> None:
    async with visit(account) as site:
        await fetch_page(site, "/people")
        given = {"role": await built_in(account), "place": f"account:{account.id}", "act": "remove"}
        response = await site.post(f"/people/{account.owner.id}/grants", given)
        assert (response.status_code, "at least one owner" in response.text) == (422, True)


async def test_a_group_gets_members_grants_and_another_name(account: Account) -> None:
    mate, viewer = await user(account, "Mia"), await built_in(account, "Data viewer")
    async with visit(account) as site:
        assert "No groups yet" in await fetch_page(site, "/people/groups")
        assert "Enter a name." in (await site.post("/people/groups", {"name": " "})).text
        here = (await site.post("/people/groups", {"name": "Ops"})).headers["location"].partition("?")[0]
        assert "already has a group" in (await site.post("/people/groups", {"name": "Ops"})).text
        await site.post(f"{here}/members", {"user": mate.id})
        await site.post(f"{here}/grants", {"role": viewer, "place": f"account:{account.id}"})
        await site.post(here, {"name": "Operations"})
        page = await fetch_page(site, here)
        assert "Operations" in page
        assert 'Remove<span class="visually-hidden"> Mia</span>' in page
        assert "Data viewer for Whole account" in await fetch_page(site, "/people/groups")
        assert "From group" in await fetch_page(site, f"/people/{mate.id}")
        await site.post(f"{here}/members", {"user": mate.id, "act": "remove"})
        assert "No members yet." in await fetch_page(site, here)


async def test_a_role_is_created_from_labelled_checkboxes(account: Account) -> None:
    async with visit(account) as site:
        await fetch_page(site, "/people/roles/new")
        empty = await site.post("/people/roles/new", {"name": "Odd"})
        assert (empty.status_code, 'value="Odd"' in empty.text) == (422, True)
        sent = {"name": "Reviewer", "permissions": ["submissions:read", "submissions:edit"]}
        here = (await site.post("/people/roles/new", sent)).headers["location"]
        page = await fetch_page(site, here)
        assert len(re.findall(r" checked>", page)) == 2
        listed = await fetch_page(site, "/people/roles")
        assert "View submissions and their files · Edit" in listed
        assert ">Everything<" in listed
        assert "Everything, except: Edit the account and assign owners" in listed
        built = await fetch_page(site, f"/people/roles/{await built_in(account)}")
        assert "disabled" in built
        assert ">Save<" not in built


@pytest.mark.parametrize(
    "path", ["/people/usr_x", "/people/groups/grp_x", "/people/roles/rol_x", "/people/%F0%9F%98%80"]
)
async def test_unknown_ids_are_not_found(account: Account, path: str) -> None:
    async with visit(account) as site:
        await fetch_page(site, path, 404)


async def test_users_groups_and_roles_of_another_account_are_not_found(account: Account, stranger: Account) -> None:
    team, mine = await group(stranger), await role(stranger)
    async with visit(account) as site:
        for path in (f"/people/{stranger.owner.id}", f"/people/groups/{team['id']}", f"/people/roles/{mine['id']}"):
            await fetch_page(site, path, 404)


async def test_a_user_who_may_only_read_users_sees_no_forms(account: Account) -> None:
    reader = await role(account, "people:read")
    async with visit(account) as site:
        await sign_in_as_member(account, site, Grant(reader["id"], ResourceType.ACCOUNT, account.id))
        for path in ("/people", f"/people/{account.owner.id}", "/people/groups", "/people/roles"):
            page = await fetch_page(site, path)
            assert not re.search(r'method="post" action="/people', page), path
        for path in ("/people/new", "/people/roles/new"):
            await fetch_page(site, path, 403)
        response = await site.post(f"/people/{account.owner.id}/status", {"status": "DISABLED"})
        assert response.status_code == 403


async def test_only_permissions_that_the_user_holds_can_be_granted_or_revoked(account: Account) -> None:
    keeper = await role(account, "people:read", "people:manage", "forms:read", name="Keeper")
    owner, admin = await built_in(account), await built_in(account, "Administrator")
    team = await group(account, grants=[{"roleId": owner, "resource": {"type": "account", "id": account.id}}])
    whole = f"account:{account.id}"
    async with visit(account) as site:
        member_id = await sign_in_as_member(account, site, Grant(keeper["id"], ResourceType.ACCOUNT, account.id))
        for path, sent in [
            (f"/people/{member_id}/grants", {"role": owner, "place": whole}),
            (f"/people/{member_id}/grants", {"role": admin, "place": whole}),
            (f"/people/{account.owner.id}/grants", {"role": owner, "place": whole, "act": "remove"}),
            (f"/people/groups/{team['id']}/members", {"user": member_id}),
            (f"/people/groups/{team['id']}/grants", {"role": owner, "place": whole, "act": "remove"}),
            (f"/people/roles/{keeper['id']}", {"name": "Keeper", "permissions": ["people:manage", "keys:manage"]}),
            (f"/people/{account.owner.id}/status", {"status": "DISABLED"}),
            (f"/people/{account.owner.id}", {"name": "O", "email": "mine@example.org", "language": "en"}),
            (f"/people/{member_id}", {"name": "M", "email": "m@example.org", "language": "en", "groups": team["id"]}),
            ("/people/new", {"email": "two@example.org", "name": "Two", "role": owner, "place": whole}),
        ]:
            response = await site.post(path, sent)
            assert (response.status_code, "permissions that you" in response.text) == (422, True), path
        given = await site.post(f"/people/{member_id}/grants", {"role": keeper["id"], "place": whole, "act": "remove"})
        assert given.status_code == 303
    assert (await fetch_user(account, account.owner.id))["revision"] == 1


async def test_a_grant_for_a_folder_only_shows_that_folder(account: Account) -> None:
    folders = f"/forms/customer/{account.id}/folders"
    outer = await post(account, folders, {"name": "Outer"})
    north = await post(account, folders, {"name": "North", "parentId": outer["id"]})
    inside, outside = await form(account, name="Inside", folderId=north["id"]), await form(account, name="Outside")
    manager = await built_in(account, "Form manager")
    async with visit(account) as site:
        await sign_in_as_member(account, site, Grant(manager, ResourceType.FOLDER, north["id"]))
        page = await fetch_page(site, "/forms")
        assert "Inside" in page
        assert "Outside" not in page
        assert "Outer" not in page
        assert f'href="/forms?folder={north["id"]}"' in page
        assert "New form</a>" not in page
        assert "New form</a>" in await fetch_page(site, f"/forms?folder={north['id']}")
        await fetch_page(site, f"/forms/{inside['id']}/design")
        for path in (f"/forms/{outside['id']}/design", f"/forms/{outside['id']}/versions"):
            await fetch_page(site, path, 404)
        assert (await site.post(f"/forms/{outside['id']}/archive")).status_code == 404
        await fetch_page(site, "/settings/connections/api-keys", 403)


async def test_a_user_who_may_only_fill_in_forms_sees_only_those(account: Account) -> None:
    mine, other = await form(account, name="Mine"), await form(account, name="Other")
    filler = await built_in(account, "Filler")
    async with visit(account) as site:
        await sign_in_as_member(account, site, Grant(filler, ResourceType.FORM, mine["id"]))
        page = await fetch_page(site, "/forms")
        assert "Mine" in page
        assert other["name"] not in page
        assert 'href="/submissions"' not in page
        await sign_in_as_member(account, site)
        assert "No forms yet" in await fetch_page(site, "/forms")
