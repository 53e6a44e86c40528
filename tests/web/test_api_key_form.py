"""The page of API keys without JavaScript: valid and invalid input, and secrets, which are shown once."""

import re
from datetime import UTC, date, datetime, timedelta

import httpx
from actors import Account
from factories.forms import form
from factories.requests import post
from factories.users import built_in, member, role
from factories.web_client import Visit, enter, visit

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant

HERE = "/settings/connections/api-keys"
NEW = HERE + "/new"


async def read_secret(site: Visit, response: httpx.Response) -> str:
    """Return the secret on the page to which a response redirects; the next visit does not show it."""
    assert (response.status_code, response.headers["location"]) == (303, HERE), response.text
    [text] = re.findall(r'value="(fw[kl]_[0-9A-Za-z]{42})"', (await site.http.get(HERE)).text)
    assert text not in (await site.http.get(HERE)).text
    return str(text)


async def status(account: Account, key: str, method: str = "GET") -> tuple[int, str]:
    async with account.stage.client(**{"x-api-key": key}) as http:
        response = await http.request(method, f"/api/v1.0/forms/customer/{account.id}/folders", json={"name": "N"})
    return response.status_code, response.json().get("code", "")


def key_id(page: str, name: str) -> str:
    found = re.search(rf'{re.escape(name)}</bdi>.*?name="revoke" value="(key_\w+)"', page, re.DOTALL)
    assert found
    return found[1]


async def test_add_a_read_only_key_with_an_expiry_date(account: Account) -> None:
    last = (datetime.now(UTC).date() + timedelta(days=30)).isoformat()
    async with visit(account) as site:
        text = await read_secret(site, await site.post(NEW, {"name": "BI <b>", "access": "read", "expiresAt": last}))
        page = (await site.http.get(HERE)).text
    assert "BI &lt;b&gt;" in page
    assert "Read only" in page
    day = date.fromisoformat(last) + timedelta(days=1)
    assert f"{day.day} {day:%b %Y}, 00:00" in page
    assert await status(account, text) == (200, "")


async def test_errors_are_next_to_their_field_and_input_is_kept(account: Account) -> None:
    async with visit(account) as site:
        for ends in ("yesterday", "2020-01-01", "9999-12-31", "2100-01-01"):
            response = await site.post(NEW, {"name": " ", "access": "read", "expiresAt": ends})
            assert response.status_code == 422
            assert "Enter a name of 1 to" in response.text
            assert "Choose an expiry date in the future" in response.text
            assert f'value="{ends}"' in response.text
            assert 'value="read" checked' in response.text
        assert "1 of 20 keys" in (await site.http.get(HERE)).text


async def test_the_old_secret_of_a_rotated_key_works_for_the_chosen_time(account: Account) -> None:
    async with visit(account) as site:
        first = await read_secret(site, await site.post(NEW, {"name": "CRM", "access": "all"}))
        here = f"{HERE}/{key_id((await site.http.get(HERE)).text, 'CRM')}"
        second = await read_secret(site, await site.post(here + "/rotate", {"overlap": "24"}))
        assert "Old secret valid until" in (await site.http.get(HERE)).text
        assert await status(account, first, "POST") == (201, "")
        third = await read_secret(site, await site.post(here + "/rotate", {"overlap": "0"}))
        assert await status(account, first) == (401, "key.unknown")
        assert await status(account, second) == (401, "key.ended")
        assert await status(account, third) == (200, "")
        for overlap in ("", "169", "-1", "24h"):
            refused = await site.post(here + "/rotate", {"overlap": overlap})
            assert refused.status_code == 422
            assert "0 to 7 days" in refused.text
        await site.post(here + "/revoke")
        assert await status(account, third) == (401, "key.unknown")
        assert (await site.post(here + "/rotate", {"overlap": "24"})).status_code == 404


async def test_users_only_get_keys_with_permissions_that_they_hold(account: Account) -> None:
    admin = Grant(await built_in(account, "Administrator"), ResourceType.ACCOUNT, account.id)
    keeper = await role(account, "keys:read", "keys:manage")
    async with visit(account) as site:
        await read_secret(site, await site.post(NEW, {"name": "CRM", "access": "all"}))
        full_access = f"{HERE}/{key_id((await site.http.get(HERE)).text, 'CRM')}"
        await enter(account, site.http, (await member(account, admin)).id)
        assert 'value="all"' not in (await site.http.get(NEW)).text
        assert 'name="rotate"' not in (await site.http.get(HERE)).text
        for refused in (
            await site.post(NEW, {"name": "Mine", "access": "all"}),
            await site.post(full_access + "/rotate", {"overlap": "24"}),
        ):
            assert refused.status_code == 422
            assert "permissions that you have yourself" in refused.text
        text = await read_secret(site, await site.post(NEW, {"name": "Mine", "access": "read"}))
        assert await status(account, text) == (200, "")
        await enter(
            account, site.http, (await member(account, Grant(keeper["id"], ResourceType.ACCOUNT, account.id))).id
        )
        page = (await site.http.get(NEW)).text
        assert re.findall(r'name="access" value="(\w+)"', page) == ["limited"]
        assert sorted(re.findall(r'name="permissions" value="([\w:]+)"', page)) == ["keys:manage", "keys:read"]
        assert (await site.post(NEW, {"name": "Mine too", "access": "read"})).status_code == 422
        assert (await site.post(full_access + "/revoke")).status_code == 303


async def test_a_limited_key_is_described_in_words(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "<b>North</b>"})
    limits = {"place": "parts", "permissions": "submissions:read", "folders": folder["id"], "rateLimit": "90"}
    async with visit(account) as site:
        empty = await site.post(NEW, {"name": "CRM", "access": "limited", "place": "parts"})
        assert "Select at least one folder or form" in empty.text
        nothing = await site.post(NEW, {"name": "CRM", "access": "limited", "place": "account"})
        assert "Select at least one permission" in nothing.text
        key = {"name": "CRM", "access": "limited", **limits}
        whole = await site.post(NEW, key | {"permissions": "audit:read"})
        assert "only apply to the whole account: audit:read" in whole.text
        assert "Enter a number from 1" in (await site.post(NEW, key | {"rateLimit": "-1"})).text
        text = await read_secret(site, await site.post(NEW, key))
        page = (await site.http.get(HERE)).text
    assert "Limited, 90 requests per minute" in page
    assert "<bdi>&lt;b&gt;North&lt;/b&gt;</bdi>: View submissions and their files" in page
    assert await status(account, text) == (403, "access.denied")


async def test_keys_of_another_account_cannot_be_rotated_or_revoked(account: Account, stranger: Account) -> None:
    async with visit(stranger) as theirs, visit(account) as ours:
        text = await read_secret(theirs, await theirs.post(NEW, {"name": "Theirs"}))
        foreign = f"{HERE}/{key_id((await theirs.http.get(HERE)).text, 'Theirs')}"
        for what in ("/rotate", "/revoke"):
            assert (await ours.post(foreign + what, {"overlap": "24"})).status_code == 404
    assert await status(stranger, text) == (200, "")


async def test_edit_a_limited_key(account: Account) -> None:
    first, second = await form(account, name="Visit"), await form(account, name="Count")
    typed = {
        "name": "CRM",
        "access": "limited",
        "place": "parts",
        "permissions": ["forms:read"],
        "forms": [first["id"]],
    }
    async with visit(account) as site:
        text = await read_secret(site, await site.post(NEW, typed | {"rateLimit": "120"}))
        here = f"{HERE}/{key_id((await site.http.get(HERE)).text, 'CRM')}"
        page = (await site.http.get(here)).text
        assert f'value="{first["id"]}" checked' in page
        assert f'value="{second["id"]}" checked' not in page
        assert 'value="120"' in page
        changed = typed | {"name": "CRM 2", "forms": [second["id"]], "rateLimit": "", "access": "all"}
        assert (await site.post(here, changed)).headers["location"] == HERE
        page = (await site.http.get(HERE)).text
        assert "CRM 2" in page
        assert "Count: " in page.replace("<bdi>", "").replace("</bdi>", "")
        for bad, error in (
            ({"name": ""}, "Enter a name"),
            ({"forms": []}, "Select at least one folder or form"),
            ({"permissions": []}, "Select at least one permission"),
            ({"forms": ["frm_x"]}, "There is no such form"),
            ({"rateLimit": "0"}, "Enter a number from 1"),
            ({"expiresAt": "2020-01-01"}, "Choose an expiry date in the future"),
        ):
            refused = await site.post(here, changed | bad)
            assert refused.status_code == 422
            assert error in refused.text
    async with account.stage.client(**{"x-api-key": text}) as http:
        assert (await http.get(f"/api/v1.0/forms/customer/{account.id}/forms/{first['id']}")).status_code == 404
        assert (await http.get(f"/api/v1.0/forms/customer/{account.id}/forms/{second['id']}")).status_code == 200
