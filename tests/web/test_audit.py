"""Settings, Audit log: entries, filters and permissions."""

import re

from actors import PASSWORD, Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get, post
from factories.web_client import Visit, visit
from msgspec.structs import replace

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.domain.audit.models import AuditActor, AuditActorType, AuditEntry
from formwright.domain.users import management, roles
from formwright.domain.users.models import Grant, NewUser
from formwright.web.views.settings.audit_grouping import group_entries

HERE = "/settings/audit"
NAME = "<b>Hafen</b> & “co” 🚢"


async def read_page(site: Visit, query: str = "") -> str:
    response = await site.http.get(f"{HERE}?{query}")
    assert response.status_code == 200, response.text
    return response.text


async def test_entries_name_who_did_what_and_names_are_escaped(account: Account) -> None:
    new_form = await form(account, name=NAME)
    async with visit(account) as site:
        whole = await read_page(site)
    assert "&lt;b&gt;Hafen&lt;/b&gt; &amp; “co” 🚢" in whole
    assert "<b>Hafen" not in whole
    for words in ("Published a form", "Created a form", "Signed in", "Test (API key)", "127.0.0.1"):
        assert words in whole
    assert new_form["id"] in whole


async def test_filters_are_in_the_address(account: Account) -> None:
    new_form = await form(account)
    await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    async with visit(account) as site:
        assert "Created a form" not in await read_page(site, "what=folder")
        assert "Created a form" in await read_page(site, "what=form.*")
        assert "Created a folder" not in await read_page(site, f"thing={new_form['id']}")
        assert "Created a folder" not in await read_page(site, f"who={account.owner.id}")
        assert "No matching entries" in await read_page(site, "to=2020-01-01")
        assert "Created a form" in await read_page(site, "from=2020-01-01")
        assert "Enter a date like" in await read_page(site, "from=2020-13-01")
        for odd in ("who=%00", "what=x.y.z", "what=🎉", "thing=%27", "to=9999-12-31", "from=0001-01-01"):
            await read_page(site, odd)
        assert (await site.http.get(f"{HERE}?after=x")).status_code == 400


async def test_the_list_is_paginated(account: Account) -> None:
    for n in range(55):
        await post(account, f"/forms/customer/{account.id}/folders", {"name": f"Folder {n}"})
    async with visit(account) as site:
        first = await read_page(site, "what=folder")
        [older] = re.findall(r'href="([^"]+)" rel="next"', first)
        rest = (await site.http.get(older.replace("&amp;", "&"))).text
    assert [("Folder 54" in page, "Folder 4<" in page) for page in (first, rest)] == [(True, False), (False, True)]


async def test_repeated_saves_are_grouped_in_one_row(account: Account) -> None:
    new_form = await form(account)
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    draft = await post(account, versions, {"fields": FIELDS})
    for n in range(3):
        body = {"fields": FIELDS[: n + 1], "remarks": f"Try {n}"}
        assert (await account.api.put(f"{PREFIX}{versions}/{draft['id']}", json=body)).status_code == 200
    async with visit(account) as site:
        whole = await read_page(site, "what=version")
        assert whole.count("Updated a version") == 1
        assert "3 times since" in whole
        assert "Changed: remarks, definition<" in whole
        assert len(re.findall(r'<li title="Request ID req_\w+">', whole)) == 3
        await post(account, versions, {"fields": FIELDS})
        assert (await account.api.put(f"{PREFIX}{versions}/{draft['id']}", json={"fields": FIELDS})).status_code == 200
        whole = await read_page(site, "what=version")
    assert whole.count("Updated a version") == 2
    assert len((await get(account, f"/customers/{account.id}/audit", action="version.updated"))["items"]) == 4


def test_a_group_of_saves_ends_after_an_hour_or_with_another_user() -> None:
    hour, mine = 3_600_000, AuditActor(AuditActorType.USER, "usr_1", "Ada", "203.0.113.9", "req_1")
    others = replace(mine, address="203.0.113.10")
    lines = [
        AuditEntry(f"aud_{n}", "cus_1", at, hand, "version.updated", "version", "ver_1", "Version 1", ())
        for n, (at, hand) in enumerate([(9 * hour, others), (9 * hour, mine), (8 * hour, mine), (7 * hour - 1, mine)])
    ]
    assert [[line.id for line in row] for row in group_entries(lines)] == [["aud_0"], ["aud_1", "aud_2"], ["aud_3"]]


async def test_entries_of_another_account_are_not_listed(account: Account, stranger: Account) -> None:
    new_form = await form(account, name="Strictly ours")
    async with visit(stranger) as site:
        assert "Strictly ours" not in await read_page(site)
        assert "No matching entries" in await read_page(site, f"thing={new_form['id']}")


async def test_users_without_the_permission_cannot_read_the_log(account: Account) -> None:
    email = f"viewer.{account.owner.email}"
    password_hash = await account.ctx.passwords.hash(PASSWORD)
    async with account.ctx.db.writing() as tx:
        role = await roles.create(tx, account.actor, name="Reads forms", permissions=[Permission.FORMS_READ])
        new = NewUser(email, "V", grants=[Grant(role.id, ResourceType.ACCOUNT, account.id)])
        await management.create(tx, account.actor, new, password_hash=password_hash)
    async with account.stage.client() as http:
        site = Visit(http)
        await site.sign_in(email)
        assert (await http.get(HERE)).status_code == 403
        assert HERE not in (await http.get("/settings")).text
