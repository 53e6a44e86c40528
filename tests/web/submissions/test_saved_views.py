"""Saved views on the list of submissions and on the map of a form."""

import html
import re

from actors import Account
from factories.forms import FIELDS, form
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.users import built_in, member
from factories.web_client import enter, visit
from web.submissions.conftest import SubmissionPages, cells, row_links, words

from formwright.core.auth.actor import ResourceType
from formwright.core.clock import rfc3339
from formwright.domain.users.models import Grant

DAY_MS = 86_400_000


def bar(page: str) -> str:
    """Return the menu with the saved views."""
    found = re.search(r'<details class="menu panel views">.*?</details>', page, re.DOTALL)
    assert found
    return found[0]


def url_of(page: str, text: str) -> str:
    """Return the address of the link in the bar, or of the button, that begins with this text."""
    found = re.search(rf'<(?:a [^>]*?href|form [^>]*?action)="([^"]+)"[^>]*>(?:(?!</?a|</form).)*?{text}', bar(page))
    assert found, text
    return html.unescape(found[1])


async def test_a_filter_is_saved_changed_and_deleted(pages: SubmissionPages) -> None:
    account = pages.account
    new_form = await form(account)
    now = account.ctx.clock.now()
    for people, age in ((2, 0), (4, 0), (5, 1), (6, 40)):
        at = rfc3339(now - age * DAY_MS)
        await submission(account, new_form, data={"site": "Pier", "people": people}, submittedAt=at)
    here = f"/submissions?form={new_form['id']}"
    page = await pages.page(f"{here}&answers.people%5Bgte%5D=3&days=7")
    assert (len(cells(page)), "View:" in bar(page)) == (2, False)

    save = url_of(page, "Save view")
    asked = await pages.page(save)
    assert "Period: Last 7 days" in words(asked)
    assert "Summary Submissions Map" in words(asked)
    assert "People at least 3" in words(asked)
    action = html.unescape(re.findall(r'<form class="card[^>]*action="([^"]+)"', asked)[0])
    columns = ["answers.people", "status"]
    refused = await pages.press(action, 422, name=" ", visibility="ACCOUNT", column=columns)
    assert "Enter a name" in refused.text
    assert refused.text.count(" checked") == 2
    saved = await pages.press(action, name="Busy <b>", visibility="ACCOUNT", column=columns)
    taken = await pages.press(action, 409, name="Busy <b>", visibility="ACCOUNT")
    assert "already exists" in taken.text
    [view] = (await get(account, f"/customers/{account.id}/views"))["items"]
    assert (view["filter"]["lastDays"], view["filter"]["answers"], view["columns"]) == (
        7,
        {"people[gte]": "3"},
        columns,
    )

    page = await pages.page(saved.headers["location"])
    assert "View saved." in page
    assert "View: Busy <b>" in words(bar(page))
    assert cells(page) == [["4", "Submitted"], ["5", "Submitted"]]
    assert "Modified" not in page
    assert f'/submissions/download.csv?form={new_form["id"]}&amp;view={view["id"]}"' in page, "downloads use the view"

    changed = await pages.page(f"{here}&view={view['id']}&exact=1&answers.people%5Bgte%5D=5&status=SUBMITTED&days=")
    assert ("Modified" in bar(changed), len(cells(changed))) == (True, 2), "5 and 6, whatever their age"
    assert cells(await pages.page(url_of(changed, "Discard")))[0] == ["4", "Submitted"]
    saved = await pages.press(url_of(changed, '<input type="hidden"'))
    page = await pages.page(saved.headers["location"])
    assert ("Modified" in bar(page), len(cells(page))) == (False, 2)
    assert "view=" in saved.headers["location"]

    edit = url_of(page, "Edit view")
    assert "Busy &lt;b&gt;" in await pages.page(edit)
    renamed = await pages.press(edit, name="Few", visibility="PRIVATE", tab="MAP", column=["status", "answers.people"])
    assert renamed.headers["location"].startswith(f"/forms/{new_form['id']}/map?view=")
    on_map = await pages.page(renamed.headers["location"])
    assert ("View: Few" in words(bar(on_map)), "Only you" in bar(on_map)) == (True, True)
    assert f"view={view['id']}" in re.findall(r'data-points="([^"]+)"', on_map)[0]
    assert f'/submissions?form={new_form["id"]}&amp;view={view["id"]}"' in on_map, "the tabs keep the view"
    assert (await account.api.get(f"{PREFIX}/customers/{account.id}/views/{view['id']}")).status_code == 404

    assert "Delete the view “Few”?" in words(await pages.page(f"{edit}?ask=delete"))
    gone = await pages.press(edit.replace("/edit", "/delete"))
    page = await pages.page(gone.headers["location"])
    assert ("View deleted." in page, len(cells(page)), "View:" in bar(page)) == (True, 4, False)
    missing = await pages.page(f"{here}&view={view['id']}", 400)
    assert "was deleted, or it is not shared with you" in words(missing)
    assert row_links(missing) == [], "never the list without the filter"


async def test_views_of_all_forms_are_on_the_list_of_all_forms(pages: SubmissionPages) -> None:
    account = pages.account
    new_form, other = await form(account, name="One"), await form(account, name="Other")
    for each in (new_form, other):
        await submission(account, each)
    views = f"/customers/{account.id}/views"
    everything = await post(account, views, {"name": "Open", "filter": {"status": ["SUBMITTED"]}, "columns": ["id"]})
    await post(account, views, {"name": "Theirs", "formId": other["id"]})
    page = await pages.page(f"/submissions?view={everything['id']}")
    assert ("View: Open" in words(bar(page)), "Theirs" in page) == (True, False)
    assert [len(row) for row in cells(page)] == [1, 1], "its column"
    of_form = await pages.page(f"/submissions?form={new_form['id']}&view={everything['id']}")
    assert ("View: All submissions" in words(bar(of_form)), len(cells(of_form))) == (False, 1)
    assert f'value="{new_form["id"]}"' in of_form
    foreign = await pages.page(f"/submissions?form={new_form['id']}&view={everything['id'][:-4]}zzzz", 400)
    assert "View not available" in foreign


async def test_a_view_of_a_changed_form_names_what_is_gone(pages: SubmissionPages) -> None:
    account = pages.account
    new_form = await form(account)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    await submission(account, new_form)
    new = {
        "formId": new_form["id"],
        "filter": {"answers": {"people[gte]": "3"}},
        "columns": ["answers.people", "status"],
    }
    view = await post(account, f"/customers/{account.id}/views", new | {"name": "Old"})
    lost = await post(account, f"/customers/{account.id}/views", {"name": "Lost", "filter": {"folderId": folder["id"]}})
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    kept = [field for field in FIELDS if field["name"] != "people"]
    assert (await account.api.put(path, json={"fields": kept, "publish": True})).status_code == 200
    page = await pages.page(f"/submissions?view={view['id']}")
    assert "Column “people”: The form no longer has this field." in words(page)
    assert cells(page) == [["Submitted"]]
    edit = url_of(page, "Edit view")
    assert "people (removed)" in await pages.page(edit)
    await pages.press(edit, name="New", visibility="ACCOUNT", column=["status"])
    assert "Column" not in words(await pages.page(f"/submissions?view={view['id']}")).partition("Submitted")[0]

    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM folders WHERE customer_id = $1 AND id = $2", account.id, folder["id"])
    page = await pages.page(f"/submissions?view={lost['id']}")
    assert "Folder: This folder no longer exists" in words(page)
    assert cells(page) == []


async def test_a_shared_view_shows_everyone_only_their_own_data(account: Account) -> None:
    inside, outside = await form(account, name="Inside"), await form(account, name="Outside")
    for each in (inside, outside):
        await submission(account, each)
    views = f"/customers/{account.id}/views"
    all_forms = await post(account, views, {"name": "All of them", "filter": {"status": ["SUBMITTED"]}})
    of_other = await post(account, views, {"name": "Secret name", "formId": outside["id"]})
    viewer = Grant(await built_in(account, "Data viewer"), ResourceType.FORM, inside["id"])
    ann = await member(account, viewer)
    async with visit(account) as owner, account.stage.client() as http:
        await enter(account, http, ann.id)
        page = (await http.get(f"/submissions?view={all_forms['id']}")).text
        assert ("Inside" in page, "Outside" in page, len(row_links(page))) == (True, False, 1)
        assert "Edit view" not in bar(page)
        changed = (await http.get(f"/submissions?view={all_forms['id']}&order=updated")).text
        assert ("Modified" in bar(changed), "Save as new view" in bar(changed)) == (True, True)
        assert "/filter?" not in bar(changed)
        assert (await http.get(f"/submissions/views/{all_forms['id']}/edit")).status_code == 403
        assert (await http.get(f"/submissions/views/{of_other['id']}/edit")).status_code == 404
        hidden = await http.get(f"/submissions?form={outside['id']}&view={of_other['id']}")
        assert ("Secret name" in hidden.text, row_links(hidden.text)) == (False, [])
        save = (await http.get(f"/submissions/views/new?form={inside['id']}&status=SUBMITTED")).text
        assert "Only you can see this view" in save
        assert (await owner.http.get(f"/submissions?view={all_forms['id']}")).text.count('class="open"') == 2
