"""The pages that delete, undo and restore."""

from actors import Account
from factories.datasources import datasource
from factories.forms import FIELDS, form
from factories.requests import get, post
from factories.submissions import submission
from factories.users import group, role, user
from factories.web_client import visit


async def test_each_page_leads_to_a_confirmation_that_says_what_is_affected_and_to_undo(account: Account) -> None:
    new_form = await form(account, name="Site visit")
    await submission(account, new_form)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    table, mate, team, rights = (
        await datasource(account),
        await user(account),
        await group(account),
        await role(account),
    )
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    draft = await post(account, versions, {"fields": FIELDS})
    pages = {
        f"/forms/{new_form['id']}/versions": f"/settings/trash/new/formVersion/{draft['id']}?form={new_form['id']}",
        f"/forms/{new_form['id']}/settings": f"/settings/trash/new/form/{new_form['id']}",
        "/forms": f"/settings/trash/new/form/{new_form['id']}",
        f"/forms?folder={folder['id']}": f"/settings/trash/new/folder/{folder['id']}",
        f"/datasources/{table['id']}": f"/settings/trash/new/datasource/{table['id']}",
        f"/people/{mate.id}": f"/settings/trash/new/user/{mate.id}",
        f"/people/groups/{team['id']}": f"/settings/trash/new/group/{team['id']}",
        f"/people/roles/{rights['id']}": f"/settings/trash/new/role/{rights['id']}",
    }
    async with visit(account) as site:
        for page, confirmation in pages.items():
            assert f'href="{confirmation}"' in (await site.http.get(page)).text, page
            asked = await site.http.get(confirmation)
            assert asked.status_code == 200
            assert "You can restore it from the trash for 30 days." in asked.text
            assert ("1 submission" in asked.text) == ("/new/form/" in confirmation)
            sent = await site.post(confirmation)
            undo = await site.http.get(sent.headers["location"])
            assert "was moved to the trash" in undo.text
            entry = sent.headers["location"].rpartition("=")[2]
            back = await site.post(f"/settings/trash/{entry}/restore")
            assert "was restored" in (await site.http.get(back.headers["location"])).text
        assert "The trash is empty" in (await site.http.get("/settings/trash")).text


async def test_what_cannot_be_deleted_says_why(account: Account) -> None:
    table = await datasource(account)
    look_up = {"type": "lookup", "name": "client", "label": "Client", "datasourceId": table["id"]}
    await form(account, fields=[look_up])
    async with visit(account) as site:
        asked = await site.http.get(f"/settings/trash/new/datasource/{table['id']}")
        assert "A form looks up rows in this data source." in asked.text
        assert "<button" not in asked.text.partition("<main")[2].partition("</main>")[0]
        sent = await site.post(f"/settings/trash/new/datasource/{table['id']}")
        assert "A form looks up rows" in (await site.http.get(sent.headers["location"])).text
        assert (await site.http.get("/settings/trash/new/planet/x")).status_code == 404


async def test_a_row_with_any_key_is_deleted_and_then_deleted_permanently(account: Account) -> None:
    key = "a/b?c=d&é 🎉"
    table = await datasource(account, rows=[{"number": key}])
    async with visit(account) as site:
        listed = (await site.http.get(f"/datasources/{table['id']}")).text
        row = listed.partition(f"/datasources/{table['id']}/row")[2].partition('"')[0]
        link = (await site.http.get(f"/datasources/{table['id']}/row{row}".replace("&amp;", "&"))).text
        path = link.partition('href="/settings/trash/new/')[2].partition('"')[0].replace("&amp;", "&")
        sent = await site.post(f"/settings/trash/new/{path}")
        page = await site.http.get(sent.headers["location"])
        assert "a/b?c=d&amp;é 🎉" in page.text
        entry = sent.headers["location"].rpartition("=")[2]
        assert "can’t be undone" in (await site.http.get(f"/settings/trash?remove={entry}")).text
        await site.post(f"/settings/trash/{entry}/delete")
        assert "The trash is empty" in (await site.http.get("/settings/trash")).text
    assert (await get(account, f"/customers/{account.id}/datasources/{table['id']}"))["rowCount"] == 0
