"""Forms that use a data source, in the API and on its page."""

from typing import Any

from actors import Account
from factories.datasources import datasource
from factories.forms import form
from factories.requests import PREFIX, get, post
from factories.users import grants, role, user
from factories.web_client import visit


def fields(*of: str) -> list[dict[str, Any]]:
    named = [
        {"type": "lookup", "name": f"client{n}", "label": f"Client {n}", "datasourceId": one}
        for n, one in enumerate(of)
    ]
    return [*named, {"type": "text", "name": "said", "label": "Said"}]


async def names(account: Account, of: str) -> list[str]:
    found = await get(account, f"/forms/customer/{account.id}/forms?datasourceId={of}")
    return [one["name"] for one in found["items"]]


async def test_forms_are_found_by_data_source_in_published_version_or_newest_draft(account: Account) -> None:
    clients = (await datasource(account, name="Clients"))["id"]
    goods = (await datasource(account, name="Goods"))["id"]
    both = await form(account, name="Both", fields=fields(clients, goods))
    await form(account, name="Draft", publish=False, fields=fields(goods))
    await form(account, name="None")
    once = await form(account, name="Once", fields=fields(clients))
    versions = f"/forms/customer/{account.id}/forms/{once['id']}/versions"
    await post(account, versions, {"fields": fields(goods)})
    assert await names(account, clients) == ["Both", "Once"]
    assert await names(account, goods) == ["Both", "Draft", "Once"]
    newest = await post(account, versions, {"fields": fields()})
    assert await names(account, goods) == ["Both", "Draft"], "a draft that was left behind uses nothing"
    assert (await account.api.post(f"{PREFIX}{versions}/{newest['id']}/publish")).status_code == 200
    assert await names(account, clients) == ["Both"]
    assert await names(account, "dat_" + "0" * 26) == []
    async with visit(account) as site:
        page = (await site.http.get(f"/datasources/{goods}/forms")).text
        assert "Client 1" in page
        assert f'"/forms/{both["id"]}"' in page
        assert page.count(">Draft<") == 2, "the name and the word"
        assert "No forms use this data source" not in page
        assert "you have access to" not in page


async def test_data_sources_of_other_accounts_are_not_used_by_forms(account: Account, stranger: Account) -> None:
    theirs = (await datasource(stranger))["id"]
    await form(stranger, fields=fields(theirs))
    assert await names(account, theirs) == []
    response = await account.api.get(f"{PREFIX}/forms/customer/{account.id}/forms", params={"datasourceId": "%"})
    assert response.status_code == 400
    async with visit(account) as site:
        assert (await site.http.get(f"/datasources/{theirs}/forms")).status_code == 404


async def test_users_see_only_forms_they_may_read(account: Account) -> None:
    clients = (await datasource(account))["id"]
    mine = await form(account, name="Mine", fields=fields(clients))
    await form(account, name="Other <b>", fields=fields(clients))
    some = await role(account, "forms:read", "datasources:read")
    none = await role(account, "datasources:read")
    one, blind = await user(account, "One"), await user(account, "Blind")
    for who, given in ((one, grants(some["id"], form=mine["id"])), (blind, grants(none["id"], account=account.id))):
        path = f"{PREFIX}/customers/{account.id}/users/{who.id}"
        assert (await account.api.put(path, json={"grants": given})).status_code == 200
    async with visit(account, one.id) as site:
        page = (await site.http.get(f"/datasources/{clients}/forms")).text
        assert mine["id"] in page
        assert "Other" not in page
        assert "Only forms you have access to" in page
    async with visit(account, blind.id) as site:
        page = (await site.http.get(f"/datasources/{clients}/forms")).text
        assert mine["id"] not in page
        assert "None of the forms you have access to" in page
    async with visit(account) as site:
        assert "Other &lt;b&gt;" in (await site.http.get(f"/datasources/{clients}/forms")).text
