"""The page of a submission: answers, status changes, history and deletion."""

import html
import re
from typing import Any
from uuid import uuid4

from factories.datasources import datasource
from factories.files import FIELDS as FILE_FIELDS
from factories.files import uploaded
from factories.forms import form
from factories.requests import get
from factories.submissions import started, submission
from factories.tasks import send, task
from factories.users import user
from web.submissions.conftest import SubmissionPages, cells, words

PLACE = {"latitude": -33.85678, "longitude": 151.2153, "accuracy": 12.4}


async def _fetch_state(pages: SubmissionPages, one: dict[str, Any]) -> tuple[str, str | None, int]:
    now = await get(pages.account, f"/customers/{pages.account.id}/submissions/{one['id']}")
    return now["status"], now["note"], now["revision"]


async def test_answers_are_in_the_order_of_the_form_under_their_sections(pages: SubmissionPages) -> None:
    inner = [{"type": "text", "name": "what", "label": "What"}, {"type": "rating", "name": "bad", "label": "How bad"}]
    fields = [
        {"type": "boolean", "name": "safe", "label": "Safe"},
        {
            "type": "section",
            "name": "where",
            "label": "Where",
            "fields": [{"type": "location", "name": "spot", "label": "Spot"}],
        },
        {
            "type": "repeat",
            "name": "defects",
            "label": "Defects",
            "rowLabel": "{{what}}/**{{bad}}**/{{safe}}",
            "fields": inner,
        },
        {"type": "note", "name": "thanks", "label": "Thanks"},
        {"type": "textarea", "name": "more", "label": "More"},
    ]
    data = {"more": "a\nb <i>", "defects": [{"what": "Rope"}, {"bad": 5}], "spot": PLACE, "safe": False}
    new_form = await form(pages.account, fields=fields)
    one = await submission(pages.account, new_form, data=data, location={"latitude": 1, "longitude": 2})
    text = await pages.page(f"/submissions/{one['id']}")
    assert (
        "Safe No Where Spot 33.85678° S, 151.21530° E (± 12 m) · Open in maps Defects Rope/…/No What Rope …/5/No "
        "How bad 5 More a b <i>" in words(text)
    )
    assert 'href="geo:-33.856780,151.215300;u=12"' in text
    assert "Submitted from 1.00000° N, 2.00000° E" in words(text)
    assert "Thanks" not in text


async def test_an_answer_is_the_title_of_a_submission(pages: SubmissionPages) -> None:
    fields = [
        {"type": "text", "name": "note", "label": "Note"},
        {"type": "choice", "name": "kind", "label": "Kind", "options": [{"value": "a", "label": "Roof & wall"}]},
        {"type": "text", "name": "title", "label": "Title", "hidden": True, "calculate": "'No. ' + note"},
    ]
    for name, data, expected in (
        ("kind", {"kind": "a"}, "Roof &amp; wall"),
        ("title", {"note": "7"}, "No. 7"),
        ("title", {}, "Site visit"),
    ):
        new_form = await form(pages.account, fields=fields, name="Site visit", settings={"titleField": name})
        one = await submission(pages.account, new_form, data=data)
        text = await pages.page(f"/submissions/{one['id']}")
        assert f'<h1 dir="auto">{expected}</h1>' in text
        listed = await pages.page(f"/submissions?form={new_form['id']}")
        heads = re.findall(r"<th[^>]*>(.*?)</th>", listed, re.DOTALL)
        assert "Title" in heads[0] if name == "title" else "Kind" in heads[0]
    overall = words(await pages.page("/submissions"))
    assert "Title: No. 7 · Note: 7" in overall


async def test_labels_have_their_markup_and_answers_do_not(pages: SubmissionPages) -> None:
    inner = [{"type": "text", "name": "what", "label": "**What** {{what}} <script>x</script>"}]
    fields = [{"type": "section", "name": "part", "label": "*Part*", "fields": inner}]
    one = await submission(pages.account, await form(pages.account, fields=fields), data={"what": "**bold** <b>"})
    text = await pages.page(f"/submissions/{one['id']}")
    assert "<em>Part</em>" in text
    assert "<strong>What</strong> … &lt;script&gt;x&lt;/script&gt;" in text
    assert "**bold** &lt;b&gt;" in text
    assert "What … <script>x</script>" in words(await pages.page(f"/submissions?form={one['formId']}"))


async def test_a_looked_up_row_is_shown_as_the_person_saw_it(pages: SubmissionPages) -> None:
    rows = [{"number": "00000", "name": "Kunde 0", "city": "Berlin", "staff": 7}, {"number": "C-2", "name": "Kunde 2"}]
    client = {"type": "lookup", "label": "Client", "datasourceId": (await datasource(pages.account, rows=rows))["id"]}
    shown, plain = {"name": "client", "display": ["name", "city", "staff"]}, {"name": "plain", "label": "By key"}
    inner = [client | {"name": "other", "display": ["number", "name"]}]
    visits = {"type": "repeat", "name": "visits", "label": "Visits", "fields": inner}
    new_form = await form(pages.account, fields=[client | shown, client | plain, visits])
    data = {"client": "00000", "plain": "00000", "visits": [{"other": "C-2"}]}
    one = await submission(pages.account, new_form, data=data)
    later = f"/api/v1.0/customers/{pages.account.id}/datasources/{client['datasourceId']}/rows"
    assert (await pages.account.api.put(later, json={"rows": [rows[0] | {"name": "Other"}]})).status_code == 200
    seen = "Kunde 0 · Berlin · 7 (00000)"
    text = words(await pages.page(f"/submissions/{one['id']}"))
    assert f"Client {seen} By key 00000 Visits Client C-2 · Kunde 2 " in text
    [row] = cells(await pages.page(f"/submissions?form={new_form['id']}"))
    assert row[2:4] == [seen, "00000"]


async def test_files_are_links_that_open_them(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, fields=FILE_FIELDS)
    photo = await uploaded(pages.account, new_form)
    one = await submission(pages.account, new_form, data={"photos": [photo]})
    text = await pages.page(f"/submissions/{one['id']}")
    [(link, thumbnail)] = re.findall(r'<a href="([^"]+)"><img src="([^"]+)"', text)
    assert "img-src 'self'" in (await pages.http.get(f"/submissions/{one['id']}")).headers["content-security-policy"]
    async with pages.account.stage.client() as anybody:
        answers = [await anybody.get(html.unescape(url)) for url in (link, thumbnail)]
    types = [(response.status_code, response.headers["content-type"]) for response in answers]
    assert types == [(200, "image/png"), (200, "image/jpeg")]


async def test_drafts_may_contain_anything_and_cannot_be_reviewed(pages: SubmissionPages) -> None:
    kinds = ["text", "decimal", "boolean", "date", "datetime", "location", "photo", "signature", "choices", "repeat"]
    about = {
        "choices": {"options": [{"value": "a", "label": "A"}]},
        "repeat": {"fields": [{"type": "text", "name": "inner", "label": "Inner"}]},
    }
    fields = [{"type": kind, "name": f"f{n}", "label": kind} | about.get(kind, {}) for n, kind in enumerate(kinds)]
    new_form = await form(pages.account, fields=fields)
    odds: list[Any] = [None, 3, "x", [1, {}], {"latitude": "x"}, [[1]], {}, "2026-99-99"]
    odds += [10**309, {"latitude": 1, "longitude": 1, "accuracy": 10**309}]
    for number, odd in enumerate(odds):
        draft = await started(pages.account, new_form, f"c{number}", **{f"f{n}": odd for n in range(len(kinds))})
        assert "Approve" not in await pages.page(f"/submissions/{draft.id}")
    await pages.page(f"/submissions?form={new_form['id']}")
    for kind in ("csv", "xlsx"):
        assert (await pages.http.get(f"/submissions/download.{kind}?form={new_form['id']}")).status_code == 200


async def test_reject_with_a_note_and_undo(pages: SubmissionPages) -> None:
    one = await submission(pages.account, await form(pages.account))
    here = f"/submissions/{one['id']}"
    done = await pages.press(f"{here}/status", status="REJECTED", note=" Which <b>quay</b>?\r\nAgain ", revision=1)
    assert await _fetch_state(pages, one) == ("REJECTED", "Which <b>quay</b>?\nAgain", 2)
    text = await pages.page(done.headers["location"])
    assert ">Undo</button>" in text
    assert "Which <b>" not in text
    assert "Rejected by Owner" in words(text)
    assert ">Undo</button>" not in await pages.page(here)
    await pages.press(f"{here}/status", status="SUBMITTED", revision=2)
    assert await _fetch_state(pages, one) == ("SUBMITTED", None, 3)
    assert "No longer rejected by Owner" in words(await pages.page(here))


async def test_a_change_of_an_outdated_revision_is_rejected(pages: SubmissionPages) -> None:
    one = await submission(pages.account, await form(pages.account))
    here = f"/submissions/{one['id']}"
    address = f"/api/v1.0/customers/{pages.account.id}/submissions/{one['id']}"
    await pages.account.api.put(address, json={"data": {"site": "Quay 4"}})
    for what, form_ in (("status", {"status": "APPROVED", "note": "Well done"}), ("delete", {})):
        response = await pages.press(f"{here}/{what}", 409, revision=1, **form_)
        assert "Someone else changed this" in response.text
        assert "Quay 4" in response.text
    response = await pages.press(f"{here}/status", 409, revision="x", status="APPROVED", note="Well done")
    assert ">Well done</textarea>" in response.text, "the input is kept"
    too_long = await pages.press(f"{here}/status", 409, revision=2, status="REJECTED", note="x" * 2001)
    assert "at most 2,000" in too_long.text
    assert await _fetch_state(pages, one) == ("SUBMITTED", None, 2)


async def test_the_history_shows_what_changed_and_by_whom(pages: SubmissionPages) -> None:
    mate = await user(pages.account)
    one = await submission(pages.account, await form(pages.account), data={"site": "A", "people": 3})
    address = f"/api/v1.0/customers/{pages.account.id}/submissions/{one['id']}"
    await pages.account.api.put(address, json={"data": {"site": "B", "kind": "a"}, "userId": mate.id})
    history = words(await pages.page(f"/submissions/{one['id']}")).partition("History")[2]
    assert "Edited by API key “Test”" in history
    assert "Site : A → B" in history
    assert "People : 3 → empty" in history
    assert "Kind : → A" in history
    assert history.index("Edited") < history.index("Received")


async def test_deletion_needs_confirmation(pages: SubmissionPages) -> None:
    one = await submission(pages.account, await form(pages.account, name="Crane check"))
    here = f"/submissions/{one['id']}"
    assert "Delete this submission to “Crane check”?" in words(await pages.page(f"{here}?ask=delete"))
    for _ in range(2):
        done = await pages.press(f"{here}/delete", revision=1)
    assert "Submission deleted." in await pages.page(done.headers["location"])
    await pages.page(here, 404)


async def test_only_a_rejected_submission_can_be_reopened_and_only_by_its_own_link(pages: SubmissionPages) -> None:
    new_form, other, client_id = await form(pages.account), await form(pages.account), uuid4()
    body = {"versionId": new_form["publishedVersionId"], "data": {"site": "Quay 4711"}}
    sent = await pages.http.post(f"{new_form['fillPath']}/submissions/{client_id}", json=body)
    address = f"/api/v1.0/customers/{pages.account.id}/submissions/{sent.json()['id']}"
    link = f"?again={client_id}"
    assert "Quay 4711" not in await pages.page(new_form["fillPath"] + link, 409)
    await pages.account.api.put(address, json={"status": "REJECTED", "note": "Which crane?"})
    text = await pages.page(new_form["fillPath"] + link)
    assert "Quay 4711" in text
    assert "Which crane?" in text
    assert html.unescape(await pages.page(f"/submissions/{sent.json()['id']}")).count(new_form["fillPath"] + link) == 1
    for wrong in (
        other["fillPath"] + link,
        f"{new_form['fillPath']}?again={uuid4()}",
        f"{new_form['fillPath']}?again=x%00",
    ):
        assert "Quay 4711" not in await pages.page(wrong, 409)


async def test_a_correction_link_of_a_submission_that_is_not_rejected_says_so(pages: SubmissionPages) -> None:
    new_form = await form(pages.account, settings={"language": "de"})
    for wrong in (str(uuid4()), "%20", "tsk_1.usr_1"):
        text = words(await pages.page(f"{new_form['fillPath']}?again={wrong}", 409))
        assert "Hier gibt es nichts zu bearbeiten Die Antworten müssen nicht mehr geändert werden" in text
    assert '"prefill": {}' in await pages.page(f"{new_form['fillPath']}?again=")


async def test_submissions_of_tasks_have_no_correction_link(pages: SubmissionPages) -> None:
    new_form, mate = await form(pages.account), (await user(pages.account)).id
    given = await task(pages.account, new_form, recipients={"users": [mate]})
    await send(pages.account, given, mate, new_form["publishedVersionId"])
    [one] = (await get(pages.account, f"/customers/{pages.account.id}/submissions"))["items"]
    here = f"/submissions/{one['id']}"
    assert "share the link that appears" not in await pages.page(here)
    await pages.press(f"{here}/status", status="REJECTED", note="Which quay?", revision=one["revision"])
    text = await pages.page(here)
    assert "?again=" not in text
    assert f'belongs to <a href="/tasks/{given["id"]}">a task</a>' in text
    assert "or assign the task again" in text
