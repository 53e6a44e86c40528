"""A form opens on its own page, with the tabs that the visitor may use."""

import re

from actors import Account
from factories.forms import form
from factories.requests import get, post
from factories.submissions import started, submission
from factories.users import built_in, member, role
from factories.web_client import Visit, visit

from formwright.core.auth.actor import ResourceType
from formwright.domain.users.models import Grant


def tabs(page: str) -> list[str]:
    """Return the names of the tabs, the current one with a star."""
    found = re.search(r'<nav class="tabs" aria-label="Form">(.*?)</nav>', page, re.DOTALL)
    assert found
    return [
        name + ("*" if now else "") for now, name in re.findall(r"<a [^>]*?( aria-current[^>]*)?>(.*?)</a>", found[1])
    ]


async def open_tab(site: Visit, page: str, name: str) -> str:
    """Follow the link of a tab, and return its page."""
    found = re.search(rf'<a href="([^"]+)">{name}</a>', page.partition('<nav class="tabs" aria-label="Form">')[2])
    assert found, name
    return (await site.http.get(found[1].replace("&amp;", "&"))).text


async def test_a_form_opens_on_its_own_page(account: Account) -> None:
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North <b>"})
    new_form = await form(account, name="Round <b>", publish=False)
    home = f"/forms/{new_form['id']}"
    async with visit(account) as site:
        assert f'href="{home}"' in (await site.http.get("/forms")).text
        page = (await site.http.get(home, follow_redirects=True)).text
        assert tabs(page) == ["Summary", "Submissions*", "Map", "Design", "Share", "Settings"]
        assert "No submissions yet" in page
        assert f'href="{home}/share"' in page
        designer = await open_tab(site, page, "Design")
        assert tabs(designer) == ["Summary", "Submissions", "Map", "Design*", "Share", "Settings"]
        assert "Not published yet" in await open_tab(site, page, "Share")
        published = await site.post(f"/forms/{new_form['id']}/versions/{await _draft(account, new_form['id'])}/publish")
        assert published.headers["location"] == f"{home}/share?done=published"
        assert re.search(r'value="https?://[^"/]+/fill/f[^"/]+" readonly', await open_tab(site, page, "Share"))

        await form(account, xformId="taken")
        settings = await open_tab(site, page, "Settings")
        assert "Round &lt;b&gt;" in settings
        refused = await site.post(f"{home}/settings", {"name": " ", "description": "<i>", "folder": ""})
        assert refused.status_code == 422
        assert "Enter a name" in refused.text
        assert "&lt;i&gt;</textarea>" in refused.text
        for wrong, why in (("taken", "already has the id taken"), ("a<b", "without &lt;, &gt; and &amp;")):
            refused = await site.post(f"{home}/settings", {"name": "Tour", "xform": wrong})
            assert (refused.status_code, why in refused.text) == (422, True)
        foreign = await site.post(f"{home}/settings", {"name": "Tour", "folder": "fol_01h455vb4pex5vsknk084sn02q"})
        assert (foreign.status_code, "no such folder" in foreign.text) == (422, True)
        saved = await site.post(
            f"{home}/settings", {"name": "Tour", "description": "Each week", "folder": folder["id"], "xform": "tour:1"}
        )
        page = (await site.http.get(saved.headers["location"])).text
        assert "Saved." in page
        assert "North &lt;b&gt;" in page
        now = await get(account, f"/forms/customer/{account.id}/forms/{new_form['id']}")
        assert (now["name"], now["description"], now["folderId"]) == ("Tour", "Each week", folder["id"])
        assert now["xformId"] == "tour:1"
        archived = await site.post(f"{home}/archive", {"back": "settings"})
        page = (await site.http.get(archived.headers["location"])).text
        assert "no longer accepts responses" in page
        assert "This form is archived" in await open_tab(site, page, "Share")
        await submission_filter_stays(account, site)


async def submission_filter_stays(account: Account, site: Visit) -> None:
    """The tab of submissions keeps its filter in the address, and clearing it stays on the form."""
    new_form = await form(account)
    await submission(account, new_form)
    home = await site.http.get(f"/forms/{new_form['id']}")
    assert home.headers["location"] == f"/forms/{new_form['id']}/summary", "with submissions, the summary opens"
    list_url = f"/submissions?form={new_form['id']}"
    page = (await site.http.get(f"{list_url}&status=REJECTED")).text
    assert "No matching submissions" in page
    assert f'href="{list_url}">Clear filters</a>' in page
    assert f'<a href="{list_url}&amp;status=REJECTED" aria-current="page">Submissions</a>' in page


async def _draft(account: Account, form_id: str) -> str:
    versions = await get(account, f"/forms/customer/{account.id}/forms/{form_id}/versions")
    return str(versions["items"][-1]["id"])


async def test_a_viewer_has_no_tab_that_changes_the_form(account: Account) -> None:
    new_form, other = await form(account), await form(account)
    viewer = Grant(await built_in(account, "Data viewer"), ResourceType.FORM, new_form["id"])
    who = await member(account, viewer)
    async with visit(account, who.id) as site:
        page = (await site.http.get(f"/forms/{new_form['id']}", follow_redirects=True)).text
        assert tabs(page) == ["Summary", "Submissions*", "Map", "Design", "Share"]
        for path in ("", "/share"):
            assert (await site.http.get(f"/forms/{other['id']}{path}")).status_code == 404, path
        assert (await site.http.get(f"/forms/{new_form['id']}/settings")).status_code == 403


async def test_the_list_of_forms_counts_submissions_without_drafts(account: Account) -> None:
    new_form = await form(account, name="Round")
    await submission(account, new_form)
    await started(account, new_form, "draft-1", site="Quay")
    async with visit(account) as site:
        assert 'aria-label="Submissions to Round: 1">1</a>' in (await site.http.get("/forms")).text


async def test_the_list_of_forms_offers_excel_of_what_the_visitor_may_read(account: Account) -> None:
    new_form = await form(account, name="Round")
    url = f'href="/submissions/download.xlsx?form={new_form["id"]}"'
    async with visit(account) as site:
        assert url in (await site.http.get("/forms")).text
    reader = (await role(account))["id"]
    who = await member(account, Grant(reader, ResourceType.FORM, new_form["id"]))
    async with visit(account, who.id) as site:
        page = (await site.http.get("/forms")).text
        assert new_form["id"] in page
        assert url not in page
