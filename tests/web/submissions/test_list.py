"""The list of submissions: columns, filters and pagination."""

import html
import json
import re
from typing import Any
from urllib.parse import quote

import pytest
from actors import Account
from factories.datasources import datasource
from factories.files import FIELDS as FILE_FIELDS
from factories.files import uploaded
from factories.forms import FIELDS, form
from factories.requests import post
from factories.submissions import started, submission
from factories.users import user
from web.submissions.conftest import SubmissionPages, cells, link, row_links, words

from formwright.web.views.submissions import list_table as page_of

MARKUP = "<script>alert(1)</script>"


async def create_submissions(account: Account, new_submission: dict[str, Any], count: int) -> list[str]:
    """Create submissions; returns the paths of their pages, the newest first."""
    ids = [
        (await submission(account, new_submission, data={"site": f"Site {n}", "people": n}))["id"] for n in range(count)
    ]
    return [f"/submissions/{one}" for one in reversed(ids)]


async def test_an_empty_list_offers_the_first_step(pages: SubmissionPages) -> None:
    text = await pages.page("/submissions")
    assert "No submissions yet" in text
    assert "Download" not in text


async def test_answers_are_escaped(pages: SubmissionPages) -> None:
    fields = [{"type": "text", "name": "site", "label": MARKUP}]
    new_form = await form(pages.account, name=MARKUP, fields=fields)
    one = await submission(pages.account, new_form, data={"site": MARKUP}, externalId=MARKUP)
    for path in ("/submissions", f"/submissions?form={new_form['id']}", f"/submissions/{one['id']}", "/forms"):
        text = await pages.page(path)
        assert MARKUP not in text
        assert MARKUP in words(text)


async def test_the_answers_of_a_form_are_columns(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    await submission(
        pages.account,
        new_form,
        data={"site": "Pier", "people": 3, "kind": "b", "day": "2026-03-29"},
        userId=pages.account.owner.id,
    )
    [row] = cells(await pages.page(f"/submissions?form={new_form['id']}"))
    assert row[1:] == ["Submitted", "Pier", "3", "B", "29 Mar 2026", "Owner"]


async def test_the_list_over_all_forms_shows_the_first_answers_and_times_since(pages: SubmissionPages) -> None:
    visits = await form(pages.account, name="Visit")
    photos = await form(pages.account, name="Photos", fields=FILE_FIELDS)
    await submission(pages.account, visits, data={"site": "Pier <b>", "people": 3})
    picture = await uploaded(pages.account, photos)
    await submission(pages.account, photos, data={"photos": [picture]})
    text = await pages.page("/submissions")
    rows = cells(text)
    assert [(row[0], row[3]) for row in rows] == [("Photos", "–"), ("Visit", "Site: Pier <b> · People: 3")]
    assert [row[2] for row in rows] == ["just now"] * 2
    assert re.search(r'title="\d+ \w+ 20\d\d, \d\d:\d\d \(', text), "the exact time"
    text = await pages.page(f"/submissions?form={photos['id']}")
    [source] = re.findall(r'<span class="thumbnails"><img src="([^"]+)"', text)
    assert (await pages.http.get(html.unescape(source))).headers["content-type"] == "image/jpeg"


async def test_drafts_have_no_time_of_submission(pages: SubmissionPages) -> None:
    new_form = await form(pages.account)
    await started(pages.account, new_form, "c1", site="Pier")
    [row] = cells(await pages.page(f"/submissions?form={new_form['id']}"))
    assert row[:2] == ["Not submitted", "Started"]


async def test_chosen_columns_are_saved_per_form_and_user(pages: SubmissionPages) -> None:
    one, other = await form(pages.account), await form(pages.account)
    for new_form in (one, other):
        await submission(pages.account, new_form)
    here = f"/submissions?form={one['id']}"
    await pages.press("/submissions/columns", form=one["id"], here=here, column=["people", ".id", "nobody", MARKUP])
    [row] = cells(await pages.page(here))
    assert row[0] == "3"
    assert row[1].startswith("sub_")
    assert len(cells(await pages.page(f"/submissions?form={other['id']}"))[0]) == 7
    back = await pages.press("/submissions/columns", form=one["id"], here="https://example.org/x", reset="1")
    assert back.headers["location"] == "/submissions"
    assert len(cells(await pages.page(here))[0]) == 7


@pytest.mark.parametrize("order", ["-submitted", "submitted", "-updated", "updated"])
async def test_page_links_lead_forward_and_back_through_the_whole_list(
    pages: SubmissionPages, order: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of, "_PAGE_SIZE", 3)
    new_form = await form(pages.account)
    whole = await create_submissions(pages.account, new_form, 8)
    whole = whole if order.startswith("-") else whole[::-1]
    text = await pages.page(f"/submissions?form={new_form['id']}&order={order}")
    forward = [row_links(text)]
    assert (link(text, "prev"), link(text, "first")) == ("", "")
    while following := link(text, "next"):
        text = await pages.page(following)
        forward.append(row_links(text))
    assert [row for rows in forward for row in rows] == whole
    back = [row_links(text)]
    while before := link(text, "prev"):
        text = await pages.page(before)
        back.append(row_links(text))
    assert back[::-1][1:] == forward[1:]
    assert back[-1] == forward[0]


async def test_each_condition_of_the_filter_is_in_the_address(pages: SubmissionPages) -> None:
    account = pages.account
    one, other, mate = await form(account), await form(account), await user(account)
    folder = await post(account, f"/forms/customer/{account.id}/folders", {"name": "North"})
    await account.api.post(
        f"/api/v1.0/forms/customer/{account.id}/folders/{folder['id']}/forms", json={"formIds": [one["id"]]}
    )
    plain = await submission(account, one, data={"site": "Ärger", "people": 2}, submittedAt="2026-03-01T12:00:00Z")
    hers = await submission(
        account, one, userId=mate.id, submittedAt="2026-03-02T12:00:00Z", data={"site": "b", "people": 9}
    )
    elsewhere = await submission(account, other, submittedAt="2026-03-03T12:00:00Z")
    draft = await started(account, one, "c1", site="x")
    response = await account.api.put(
        f"/api/v1.0/customers/{account.id}/submissions/{hers['id']}", json={"status": "APPROVED"}
    )
    assert response.status_code == 200
    for query, expected in {
        "": [draft.id, elsewhere["id"], hers["id"], plain["id"]],
        f"form={one['id']}": [draft.id, hers["id"], plain["id"]],
        f"folder={folder['id']}&status=SUBMITTED": [plain["id"]],
        "status=APPROVED": [hers["id"]],
        "status=APPROVED&status=STARTED": [draft.id, hers["id"]],
        f"person={mate.id}": [hers["id"]],
        "from=2026-03-02&to=2026-03-02": [hers["id"]],
        "to=2026-03-02&status=SUBMITTED": [plain["id"]],
        f"form={one['id']}&answers.people[gte]=3": [hers["id"]],
        f"form={one['id']}&answers.site[contains]={quote('ärg')}": [plain["id"]],
        "form=nonsense&status=nonsense&order=nonsense&after=nonsense&before=1.&person=%27": [
            draft.id,
            elsewhere["id"],
            hers["id"],
            plain["id"],
        ],
    }.items():
        assert row_links(await pages.page(f"/submissions?{query}")) == [f"/submissions/{one}" for one in expected], (
            query
        )


async def test_an_entered_condition_becomes_part_of_the_address(pages: SubmissionPages) -> None:
    truth = {"type": "boolean", "name": "safe", "label": "Safe"}
    moment = {"type": "datetime", "name": "at", "label": "At"}
    new_form = await form(pages.account, fields=[*FIELDS, truth, moment])
    base = f"/submissions?form={new_form['id']}"
    for written, wanted in {
        "field=people&op=gte&value=3": "answers.people%5Bgte%5D=3",
        "field=kind&op=eq&value=%20b%20": "answers.kind=b",
        "field=kind&op=in&value=A,+B": "answers.kind%5Bin%5D=a%2Cb",
        "field=safe&op=eq&value=yes": "answers.safe=true",
        "field=at&op=lt&value=2026-03-29T14:30": "answers.at%5Blt%5D=2026-03-29T14%3A30%3A00.000%2B00%3A00",
    }.items():
        response = await pages.http.get(f"{base}&{written}")
        assert (response.status_code, response.headers["location"]) == (303, f"{base}&{wanted}")
        assert "Remove filter: " in await pages.page(response.headers["location"])


async def test_conditions_have_operators_that_mean_something(pages: SubmissionPages) -> None:
    kinds = {
        "text": ["is", "is not", "contains", "is one of"],
        "integer": ["is", "is not", "is one of", "at least", "more than", "at most", "less than"],
        "boolean": ["is", "is not"],
        "date": ["is", "is not", "is one of", "on or after", "after", "on or before", "before"],
        "choice": ["is", "is not", "is one of"],
        "choices": ["includes", "doesn’t include", "includes one of"],
        "lookup": ["is", "is not"],
        "photo": None,
    }
    source = await datasource(pages.account)
    options = {"options": [{"value": "a,1", "label": "A, first"}, {"value": "b", "label": "B"}]}
    lookup = {"datasourceId": source["id"], "display": ["name"]}
    more = {"choice": options, "choices": options, "lookup": lookup}
    fields = [{"type": kind, "name": f"f_{kind}", "label": kind, **more.get(kind, {})} for kind in kinds]
    new_form = await form(pages.account, fields=fields)
    base = f"/submissions?form={new_form['id']}"
    text = await pages.page(base)
    found = {
        name: [label for _, label in json.loads(html.unescape(operators))]
        for name, operators in re.findall(r'<option value="f_(\w+)" data-operators="([^"]*)"', text)
    }
    assert found == {kind: labels for kind, labels in kinds.items() if labels}
    assert html.escape(json.dumps([["a,1", "A, first"], ["b", "B"]]), quote=True).replace("&quot;", "&#34;") in text

    several = await pages.http.get(f"{base}&field=f_choices&op=in&value=a,1&value=b")
    assert several.headers["location"] == f"{base}&answers.f_choices%5Bin%5D=a%5C%2C1%2Cb"
    assert "choices includes one of A, first, B" in words(await pages.page(several.headers["location"]))

    rows = (
        await pages.http.get(f"/submissions/choices?kind=rows&form={new_form['id']}&field=f_lookup&q=omer 2")
    ).json()
    assert rows == {"items": [{"id": "C-2", "name": "Customer 2 (C-2)", "about": ""}], "more": False}
    for odd in ("field=f_text", "field=nothing", "form=frm_x&field=f_lookup"):
        assert (await pages.http.get(f"/submissions/choices?kind=rows&{odd}&q=1")).json()["items"] == []
    for path in (base, f"/forms/{new_form['id']}/summary?"):
        assert "lookup is Customer 2 (C-2)" in words(await pages.page(f"{path}&answers.f_lookup=C-2"))


async def test_a_label_with_a_comma_can_be_one_of_several_values(pages: SubmissionPages) -> None:
    labels = [("y,s", "Yes, sure"), ("y", "Yes"), ("n", "No, never, really")]
    options = [{"value": value, "label": label} for value, label in labels]
    new_form = await form(
        pages.account, fields=[{"type": "choice", "name": "kind", "label": "Kind", "options": options}]
    )
    ids = [(await submission(pages.account, new_form, data={"kind": value}))["id"] for value, _ in labels]
    for typed, found in (("yes, sure", [0]), ("No, never, really,Yes", [1, 2]), ("Yes, No, Yes, sure", [0, 1])):
        asked = {"form": new_form["id"], "field": "kind", "op": "in", "value": typed}
        shown = (await pages.http.get("/submissions", params=asked, follow_redirects=True)).text
        assert [one in shown for one in ids] == [place in found for place in range(3)], typed
    assert "is one of Yes, No, Yes, sure" in words(shown)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("answers.people=many", "Compare this field with a number"),
        ("answers.people[contains]=3", "does not support this operator"),
        ("answers.nobody=3", "None of these forms"),
        ("from=yesterday", "Enter a date."),
        ("answers.%3Cscript%3E=1", "None of these forms"),
    ],
)
async def test_invalid_filters_show_an_error(pages: SubmissionPages, query: str, said: str) -> None:
    new_form = await form(pages.account)
    await submission(pages.account, new_form)
    text = await pages.page(f"/submissions?form={new_form['id']}&{query}", 400)
    assert said in text
    assert "<script>=" not in text


async def test_a_count_above_the_maximum_is_shown_as_more(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_of, "MAX_COUNT", 2)
    new_form = await form(pages.account)
    for total in ("1 submission", "2 submissions", "More than 2 submissions"):
        await submission(pages.account, new_form)
        assert f">{total}<" in await pages.page("/submissions")


async def test_the_form_filter_is_paginated_and_can_be_searched(
    pages: SubmissionPages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("formwright.web.views.list_pages._PAGE_SIZE", 3)
    for name in ("Übergabe", "Visit 1", "Visit 2", "Visit 3", MARKUP):
        await form(pages.account, name=name)
    first = await pages.page("/forms")
    second = await pages.page(link(first, "next"))
    assert [len(cells(text)) for text in (first, second)] == [3, 2]
    assert link(second, "next") == ""
    for sought, count in {"visit": 3, "%C3%BCBER": 1, "%3Cscript": 1, "nothing": 0, "%25": 0}.items():
        assert len(cells(await pages.page(f"/forms?q={sought}"))) == count, sought


async def test_submissions_of_another_account_are_not_listed(pages: SubmissionPages, stranger: Account) -> None:
    new_form = await form(stranger, name="Theirs")
    one = await submission(stranger, new_form, data={"site": "Theirs"})
    for query in ("", f"?form={new_form['id']}", f"?person={stranger.owner.id}"):
        assert "Theirs" not in await pages.page(f"/submissions{query}")
    assert (await pages.http.get(f"/submissions/download.csv?form={new_form['id']}")).status_code == 303
    for path in (f"/submissions/{one['id']}", "/submissions/%00"):
        await pages.page(path, 404)
    for path in ("status", "delete"):
        await pages.press(
            f"/submissions/{one['id']}/{path}", 404 if path == "status" else 303, status="APPROVED", revision=1
        )
    assert (await stranger.api.get(f"/api/v1.0/customers/{stranger.id}/submissions/{one['id']}")).json() == one


async def test_columns_of_indexed_fields_sort_the_list(pages: SubmissionPages) -> None:
    fields = [
        {"type": "text", "name": "site", "label": "Site", "indexed": True},
        {"type": "integer", "name": "people", "label": "People"},
    ]
    new_form = await form(pages.account, fields=fields)
    order = [number * 37 % 53 for number in range(53)]
    sent = {n: await submission(pages.account, new_form, data={"site": f"{n:02} b.c/ü", "people": n}) for n in order}
    without = await submission(pages.account, new_form, data={})
    expected = [f"/submissions/{one['id']}" for one in (*(sent[n] for n in range(53)), without)]
    text = await pages.page(f"/submissions?form={new_form['id']}")
    [heading] = re.findall(r'<a class="sort" href="([^"]+)">Site</a>', text)
    assert "sort" not in re.findall(r"<th[^>]*>\s*<[^>]*>People<", text)[0]
    address, found, texts = html.unescape(heading), list[str](), list[str]()
    while address:
        texts.append(await pages.page(address))
        found += row_links(texts[-1])
        address = link(texts[-1], "next")
    assert found == expected
    assert (len(texts), 'aria-sort="ascending"' in texts[0]) == (2, True)
    assert row_links(await pages.page(link(texts[1], "prev"))) == row_links(texts[0])
    # The neighbours on the page of a submission, and the other direction.
    detail = await pages.page(f"{expected[1]}?form={new_form['id']}&sort=answers.site")
    assert [link(detail, rel).partition("?")[0] for rel in ("prev", "next")] == [expected[0], expected[2]]
    last = await pages.page(f"{expected[52]}?form={new_form['id']}&sort=answers.site")
    assert link(last, "next").startswith(expected[53])
    [heading] = re.findall(r'<a class="sort" href="([^"]+)">Site</a>', texts[0])
    assert row_links(await pages.page(html.unescape(heading)))[:3] == expected[52:49:-1]
    # By the time again, and what cannot be sorted by.
    [heading] = re.findall(r'<a class="sort" href="([^"]+)">Submitted</a>', texts[0])
    assert "sort=" not in heading
    for sort in ("answers.people", "answers.gone"):
        refused = words(await pages.page(f"/submissions?form={new_form['id']}&sort={sort}", status=400))
        assert ("indexed" in refused or "no such field" in refused) is True
    assert "one form" in words(await pages.page("/submissions?sort=answers.site", status=400))
    for bad in ("1.sub_x.true", "1.sub_x.[1]", "1.sub_x.5"):
        await pages.page(f"/submissions?form={new_form['id']}&sort=answers.site&after={bad}", status=400)
    assert len(row_links(await pages.page(f"/submissions?form={new_form['id']}&sort=site"))) == 50
