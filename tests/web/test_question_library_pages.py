"""The pages of the question library without a script, and the requests of the designer's script."""

from typing import Any

from actors import Account
from factories.forms import form
from factories.requests import get, post
from factories.users import built_in, member
from factories.web_client import Visit, visit

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant

LIBRARY = "/forms/question-library"
FIELD = {"type": "text", "name": "street", "label": "Street"}


async def _block(account: Account, name: str = "Address") -> dict[str, Any]:
    return await post(account, f"/forms/customer/{account.id}/question-blocks", {"name": name, "fields": [FIELD]})


def _linked(block: dict[str, Any]) -> dict[str, Any]:
    return FIELD | {"block": {"id": block["id"], "version": 1, "field": "street"}}


async def test_the_list_counts_forms_and_finds_names(account: Account) -> None:
    block, other = await _block(account, "<b>Ädress</b>"), await _block(account, "Consent")
    twice = {"type": "repeat", "name": "homes", "label": "Homes", "fields": [_linked(block)]}
    new_form = await form(account, name="Both", fields=[twice, _linked(other) | {"name": "agreed"}])
    await post(account, f"/forms/customer/{account.id}/forms/{new_form['id']}/versions", {"fields": [_linked(block)]})
    left = await form(account, name="Left", fields=[_linked(block)], publish=False)
    await post(account, f"/forms/customer/{account.id}/forms/{left['id']}/versions", {"fields": [FIELD]})
    async with visit(account) as site:
        assert "No question blocks yet" not in (await site.http.get(LIBRARY)).text
        page = (await site.http.get(LIBRARY, params={"q": "äDRESS"})).text
        assert "&lt;b&gt;Ädress" in page
        assert "Consent" not in page
        assert 'data-label="Forms" class="number">1<' in page, "a draft that was left behind does not count"
        assert "No matching blocks" in (await site.http.get(LIBRARY, params={"q": "nothing"})).text
        detail = (await site.http.get(f"{LIBRARY}/{block['id']}")).text
        assert ">Both<" in detail
        assert ">Left<" not in detail


async def test_a_block_is_renamed_and_deleted_with_confirmation(account: Account) -> None:
    block = await _block(account)
    url = f"{LIBRARY}/{block['id']}"
    async with visit(account) as site:
        refused = await site.post(url, {"name": " ", "description": "Kept"})
        assert (refused.status_code, "Kept</textarea>" in refused.text) == (422, True)
        assert (await site.post(url, {"name": "Home", "description": "Where"})).status_code == 303
        renamed = await get(account, f"/forms/customer/{account.id}/question-blocks/{block['id']}")
        assert (renamed["name"], renamed["description"], renamed["version"]) == ("Home", "Where", 1)
        confirmation = f"/settings/trash/new/questionBlock/{block['id']}"
        assert "keep the questions" in (await site.http.get(confirmation)).text
        await site.post(confirmation)
        assert (await site.http.get(url)).status_code == 404
        assert "Question block" in (await site.http.get("/settings/trash")).text


async def test_the_designer_is_told_what_is_wrong_with_a_block(account: Account, stranger: Account) -> None:
    block, theirs = await _block(account), await _block(stranger, "Their block")
    async with visit(account) as site:
        await _assert_rejected(site, block)
        for tail in ("", "/versions"):
            assert (await site.http.get(f"{LIBRARY}/{theirs['id']}{tail}")).status_code == 404
        versions = {"fields": [FIELD], "language": "en", "basedOn": 1}
        assert (await site.send(f"{LIBRARY}/{theirs['id']}/versions", versions)).status_code == 400
        choices = (await site.http.get(f"{LIBRARY}/choices")).json()
        assert [one["id"] for one in choices["blocks"]] == [block["id"]]
        new_form = await form(account, fields=[_linked(theirs)])
        assert theirs["name"] not in (await site.http.get(f"/forms/{new_form['id']}/design")).text


async def _assert_rejected(site: Visit, block: dict[str, Any]) -> None:
    outside = [FIELD | {"visibleIf": "answered.other"}]
    response = await site.send(LIBRARY, {"name": "A", "description": "", "fields": outside, "language": "en"})
    assert (response.status_code, response.json()["faults"][0]["pointer"]) == (422, "/fields/0/visibleIf")
    changed = {"fields": [FIELD | {"hint": "On the bell"}], "language": "en", "basedOn": 1}
    url = f"{LIBRARY}/{block['id']}/versions"
    assert (await site.send(url, changed)).json() == {"id": block["id"], "name": block["name"], "version": 2}
    outdated = await site.send(url, {**changed, "fields": [FIELD]})
    assert (outdated.status_code, "newer version" in outdated.json()["detail"]) == (409, True)
    both = (await site.http.get(f"{url}?base=1")).json()
    assert (both["base"]["version"], both["latest"]["version"]) == (1, 2)


async def test_who_manages_a_single_form_uses_the_library_but_does_not_change_it(account: Account) -> None:
    block = await _block(account)
    mine = await form(account, name="Mine", fields=[_linked(block)])
    await form(account, name="Hidden", fields=[_linked(block)])
    manager = await built_in(account, "Form manager")
    who = await member(account, Grant(manager, ResourceType.FORM, mine["id"]))
    async with visit(account, who.id) as site:
        page = (await site.http.get(f"{LIBRARY}/{block['id']}?change=1")).text
        assert ">Mine<" in page
        assert ">Hidden<" not in page
        assert "Only forms you have access to are listed" in page
        assert "<dialog" not in page.partition("<main")[2].partition("</main")[0]
        assert (await site.http.get(f"{LIBRARY}/choices")).json()["blocks"]
        response = await site.send(LIBRARY, {"name": "A", "description": "", "fields": [FIELD], "language": "en"})
        assert response.status_code in (400, 403)
        assert (await site.post(f"{LIBRARY}/{block['id']}", {"name": "B"})).status_code == 403
