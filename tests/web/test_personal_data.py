"""Personal data of one person: finding it, exporting it as a ZIP file, and erasing it everywhere."""

import io
import json
import zipfile
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from actors import Account
from factories.exports import run_download_worker
from factories.files import FIELDS, png, uploaded
from factories.forms import form
from factories.invites import CLIENT_ID, VISITOR, invite, link
from factories.requests import PREFIX, get, post
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.tasks import decline, task, work
from factories.users import built_in, member, user
from factories.web_client import Visit, visit
from structlog.testing import capture_logs

from formwright.core.auth.actor import ResourceType, Scope
from formwright.core.pagination import Window
from formwright.domain.audit import service as audit
from formwright.domain.audit.models import AuditFilter
from formwright.domain.files import service as files
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent
from formwright.domain.privacy import archive, erasure, subject_data
from formwright.domain.privacy.discovery import find
from formwright.domain.privacy.models import Subject
from formwright.domain.trash import purge
from formwright.domain.trash.models import RETENTION_MS
from formwright.domain.users import management
from formwright.domain.users.models import Grant, LastOwner, UserStatus

HERE = "/settings/personal-data"
SECRET = "Zq7 Ann lives here"


@pytest_asyncio.fixture
async def site(account: Account) -> AsyncIterator[Visit]:
    async with visit(account) as pages, run_download_worker(account):
        yield pages


async def everything(account: Account) -> str:
    """Return the contents of all tables for the account as one text."""
    async with account.ctx.db.reading() as tx:
        names = await tx.fetch(
            "/*sqlite SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'*/"
            "/*postgres SELECT tablename FROM pg_tables WHERE schemaname = current_schema()*/"
        )
        held = [
            str([tuple(row) for row in await tx.fetch(f"SELECT * FROM {name} WHERE customer_id = $1", account.id)])
            for (name,) in names
            if name not in ("alembic_version", "throttles", "first_owner_link")
        ]
    return "\n".join(held)


async def log(account: Account) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = (await get(account, f"/webhooks/customer/{account.id}/events?limit=1000"))["items"]
    return found


async def test_a_user_is_erased_from_every_table(account: Account, site: Visit) -> None:
    await subscriber(account)
    who, stays = await user(account, "Annabel"), await user(account, "Zoe")
    new_form = await form(account, fields=FIELDS)
    picture = await uploaded(account, new_form, content=png())
    data = {"site": SECRET, "photos": [picture]}
    gone = await submission(account, new_form, data=data, userId=who.id, externalId=SECRET)
    await account.api.put(f"{PREFIX}/customers/{account.id}/submissions/{gone['id']}", json={"data": {"site": SECRET}})
    kept = await submission(account, new_form, data={"site": "Other"}, userId=stays.id)
    await invite(account, new_form, userId=who.id, message=SECRET)
    await account.api.put(f"{PREFIX}/customers/{account.id}/users/{who.id}", json={"externalId": SECRET})
    before = await log(account)
    async with account.ctx.db.reading() as tx:
        place = (await files.find(tx, Scope(account.id), file_id=picture)).blob_key
    page = (await site.http.get(f"{HERE}?user={who.id}")).text
    assert "1 submission, with" in page
    assert "1 invite" in page
    response = await site.post(f"{HERE}/erase", {"user": who.id, "seen": "1"})
    assert "Erased, with 1 submission." in await wait_until_ended(site, response.headers["location"])

    left = await everything(account)
    for text in (SECRET, "Annabel", who.email, "annabel"):
        assert text not in left, text
    after = await log(account)
    assert [(e["id"], e["sequence"], e["type"]) for e in after[: len(before)]] == [
        (e["id"], e["sequence"], e["type"]) for e in before
    ], "the log has no gap"
    submitted = {event["data"]["id"]: event for event in after if event["type"] == "submission.submitted"}
    assert (submitted[gone["id"]]["data"], submitted[gone["id"]]["erased"]) == ({"id": gone["id"]}, True)
    assert submitted[kept["id"]]["data"] == kept
    [deleted] = [event for event in after if event["type"] == "submission.deleted"]
    assert (deleted["data"]["id"], deleted["data"]["data"], deleted["data"]["userId"]) == (gone["id"], {}, None)
    assert "user.disabled" in {event["type"] for event in after[len(before) :]}
    async with account.ctx.db.reading() as tx:
        person = await management.get(tx, account.actor, user_id=who.id)
        lines = (await audit.page(tx, account.actor, AuditFilter(action="user.erased"), Window(5))).items
    assert (person.user.status, person.user.name, person.grants) == (UserStatus.DISABLED, "Erased person", ())
    assert [(line.resource_id, line.resource_name) for line in lines] == [(who.id, "")]
    assert not await account.ctx.files.exists(place), "the content of the file is deleted, too"
    again = await site.post(f"{HERE}/erase", {"user": who.id, "seen": "0"})
    assert again.status_code == 303, "erasing again finds nothing more and does no harm"


async def wait_until_ended(site: Visit, path: str) -> str:
    """Wait until the job has ended and return its page."""
    for _ in range(1000):
        text = (await site.http.get(path)).text
        if "data-changes" not in text:
            return text
    raise AssertionError(text)


async def test_an_invited_person_is_erased_by_their_address(account: Account, site: Visit) -> None:
    new_form = await form(account)
    asked = await invite(account, new_form, name="Annabel", message=SECRET)
    path = await link(account, asked)
    response = await site.send(
        f"{path}/submissions/{CLIENT_ID}", {"versionId": new_form["publishedVersionId"], "data": {"site": SECRET}}
    )
    assert response.status_code in (200, 201), response.text
    other = await invite(account, new_form, email="zoe@example.com")
    assert "1 invite" in (await site.http.get(f"{HERE}?email={VISITOR.upper()}")).text
    await site.post(f"{HERE}/erase", {"email": VISITOR, "seen": "1"})
    left = await everything(account)
    for text in (SECRET, "Annabel", VISITOR):
        assert text not in left, text
    assert (await get(account, f"/customers/{account.id}/invites/{other['id']}"))["email"] == "zoe@example.com"


async def test_a_person_is_found_and_erased_by_an_answer(account: Account, site: Visit) -> None:
    new_form = await form(account)
    for site_name in (SECRET, SECRET + "!", "Other"):
        await submission(account, new_form, data={"site": site_name})
    named = {"form": new_form["id"], "field": "site", "value": SECRET}
    wrong = await site.post(f"{HERE}/erase", named | {"field": "site[ne]", "seen": "2"})
    assert "Enter the name of one field." in wrong.text
    stale = await site.post(f"{HERE}/erase", named | {"seen": "7"})
    assert "The number of submissions has changed." in stale.text
    await wait_until_ended(site, (await site.post(f"{HERE}/erase", named | {"seen": "1"})).headers["location"])
    listed = await get(account, f"/submissions?formId={new_form['id']}")
    assert [one["data"]["site"] for one in listed["items"]] == [SECRET + "!", "Other"]


async def test_stored_responses_with_personal_data_are_not_replayed(account: Account) -> None:
    new_form = await form(account)
    wanted = {"formId": new_form["id"], "email": VISITOR, "message": SECRET}
    here = f"{PREFIX}/customers/{account.id}/invites"
    first = (await account.api.post(here, json=[wanted], headers={"idempotency-key": "many"})).json()[0]
    await account.api.post(f"{here}/{first['id']}/revoke", headers={"idempotency-key": "revoke"})
    other = wanted | {"email": "zoe@example.com"}
    await account.api.post(here, json=other, headers={"idempotency-key": "other"})
    await erase(account, Subject(email=VISITOR))
    again = await account.api.post(f"{here}/{first['id']}/revoke", headers={"idempotency-key": "revoke"})
    assert (again.status_code, SECRET in again.text) == (409, False)
    listed = await account.api.post(here, json=[wanted | {"message": "Again"}], headers={"idempotency-key": "many"})
    assert (listed.status_code, SECRET in listed.text) == (201, False)
    kept = await account.api.post(here, json=other, headers={"idempotency-key": "other"})
    assert kept.headers["idempotent-replayed"] == "true", "the resource that it created still exists"


async def erase(account: Account, subject: Subject) -> erasure.Progress:
    """Erase a person's data like the command line does; returns the last progress."""
    ctx = account.ctx
    steps = [one async for one in erasure.erase(ctx.db, ctx.files, account.actor, subject, ctx.clock.now)]
    return steps[-1]


async def test_mails_about_tasks_and_webhooks_are_exported_and_erased(account: Account) -> None:
    who, stays = await user(account, "Annabel"), await user(account, "Zoe")
    given = await task(account, await form(account), recipients={"users": [who.id, stays.id]}, message=SECRET)
    await work(account, given)
    async with account.ctx.db.writing() as tx:
        sender = mail.MailSender(account.id, "Ark", account.ctx.secret_box)
        for one in (who, stays):
            new = NewMail("subscriber", "sub", one.email, one.name, "en", EmailContent("Nothing arrives", ["…"]))
            await mail.enqueue(tx, sender, new)
    async with account.ctx.db.reading() as tx:
        found = await find(tx, account.actor, Subject(user_id=who.id))
        about = await subject_data.collect(tx, account.actor, found)
    assert (found.mails, [one["address"] for one in about["mails"]]) == (2, [who.email] * 2)
    await erase(account, Subject(user_id=who.id))
    async with account.ctx.db.reading() as tx:
        mails = (await mail.page(tx, account.actor, Window(9))).items
    assert [one.address for one in mails] == [stays.email] * 2


async def test_reasons_for_declining_are_erased_and_those_of_others_kept(account: Account) -> None:
    who, stays = await user(account, "Annabel"), await user(account, "Zoe")
    new_form = await form(account)
    alone = await task(account, new_form, recipients={"users": [who.id]})
    await decline(account, alone, who.id, SECRET)
    shared = await task(account, new_form, recipients={"users": [who.id, stays.id]}, data={"site": "Quay"})
    await decline(account, shared, who.id, SECRET)
    await decline(account, shared, stays.id, "No time")
    before = await log(account)
    await erase(account, Subject(user_id=who.id))
    assert SECRET not in await everything(account)
    after = (await log(account))[: len(before)]
    assert [one for one in after if one["type"].startswith("task")] == [
        json.loads(json.dumps(one).replace(f'"{SECRET}"', "null")) for one in before if one["type"].startswith("task")
    ]
    for made_task, reason in ((alone, None), (shared, "No time")):
        now = await get(account, f"/customers/{account.id}/tasks/{made_task['id']}")
        assert (now["status"], now["reason"]) == ("DECLINED", reason)


async def deletion(account: Account, submission: dict[str, Any]) -> None:
    response = await account.api.delete(f"{PREFIX}/customers/{account.id}/submissions/{submission['id']}")
    assert response.status_code == 204, response.text


async def test_deleted_submissions_are_erased_from_the_event_log(account: Account, site: Visit) -> None:
    who, stays = await user(account, "Annabel"), await user(account, "Zoe")
    new_form = await form(account)
    path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"
    body = {"data": {"site": SECRET}, "userId": who.id}
    deleted = (await account.api.post(path, json=body, headers={"idempotency-key": "first"})).json()
    other = await submission(account, new_form, data={"site": "Other"}, userId=stays.id)
    for one in (deleted, other):
        await deletion(account, one)
    assert "1 deleted submission in the event log" in (await site.http.get(f"{HERE}?user={who.id}")).text
    await erase(account, Subject(user_id=who.id))
    assert SECRET not in await everything(account)
    events = {event["type"]: event for event in await log(account) if event["data"]["id"] == deleted["id"]}
    assert {kind: (event["data"], event["erased"]) for kind, event in events.items()} == {
        kind: ({"id": deleted["id"]}, True) for kind in ("submission.submitted", "submission.deleted")
    }
    again = await account.api.post(path, json={"data": {"site": "New"}}, headers={"idempotency-key": "first"})
    assert "idempotent-replayed" not in again.headers
    assert "Other" in [event["data"].get("data", {}).get("site") for event in await log(account)]


async def test_deleted_submissions_are_found_by_an_answer_and_by_an_invite(account: Account) -> None:
    fields = [
        {"type": "text", "name": "site", "label": "Site"},
        {"type": "decimal", "name": "size", "label": "Size"},
        {
            "type": "repeat",
            "name": "rows",
            "label": "Rows",
            "fields": [{"type": "text", "name": "who", "label": "Who"}],
        },
    ]
    new_form = await form(account, fields=fields)
    for data in ({"site": SECRET}, {"site": "Other"}, {"size": 0.5}, {"rows": [{"who": "Zoe"}, {"who": SECRET}]}):
        await deletion(account, await submission(account, new_form, data=data))
    for field, value in (("site", SECRET), ("size", "0.50"), ("who", SECRET)):
        subject = Subject(form_id=new_form["id"], field=field, value=value)
        async with account.ctx.db.reading() as tx:
            assert len((await find(tx, account.actor, subject)).deleted_submission_ids) == 1, field
        await erase(account, subject)
        async with account.ctx.db.reading() as tx:
            assert (await find(tx, account.actor, subject)).is_empty
    assert SECRET not in await everything(account)
    asked = await invite(account, new_form)
    filled = {"versionId": new_form["publishedVersionId"], "data": {"site": SECRET}}
    async with account.stage.client() as http:
        await http.post(f"{await link(account, asked)}/submissions/{CLIENT_ID}", json=filled)
    [one] = (await get(account, f"/submissions?formId={new_form['id']}"))["items"]
    await deletion(account, one)
    assert len((await erase(account, Subject(email=VISITOR))).data.deleted_submission_ids) == 1
    assert SECRET not in await everything(account)


async def test_an_answer_is_found_even_if_the_type_of_its_field_has_changed(account: Account) -> None:
    new_form = await form(account, fields=[{"type": "decimal", "name": "a", "label": "A"}, FIELD])
    for data in ({"a": 0.1}, {"a": 0.2}, {"b": SECRET}, {"b": "2"}):
        await submission(account, new_form, data=data)
    changed = [FIELD | {"name": "a"}, {"type": "integer", "name": "b", "label": "B"}]
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    version = await post(account, versions, {"fields": changed})
    await account.api.post(f"{PREFIX}{versions}/{version['id']}/publish")
    for field, value in (("a", "0.1"), ("b", SECRET), ("b", "2")):
        progress = await erase(account, Subject(form_id=new_form["id"], field=field, value=value))
        assert progress.submissions == 1, field
    [left] = (await get(account, f"/submissions?formId={new_form['id']}"))["items"]
    assert left["data"] == {"a": 0.2}


FIELD = {"type": "text", "name": "b", "label": "B"}


async def test_pending_deliveries_are_redacted(account: Account) -> None:
    await subscriber(account, types=["submission.submitted"])
    new_form = await form(account)
    await submission(account, new_form, data={"site": SECRET})
    await erase(account, Subject(form_id=new_form["id"], field="site", value=SECRET))
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch(
            "SELECT COALESCE(d.body, e.body) FROM deliveries d JOIN events e ON e.customer_id = d.customer_id"
            " AND e.sequence = d.sequence WHERE d.customer_id = $1",
            account.id,
        )
    assert [json.loads(row[0])["erased"] for row in rows] == [True]


async def test_the_next_erasure_finishes_an_interrupted_one(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(erasure, "_BATCH_SIZE", 1)
    new_form = await form(account)
    for _ in range(3):
        await submission(account, new_form, data={"site": SECRET})
    subject, ctx = Subject(form_id=new_form["id"], field="site", value=SECRET), account.ctx
    first: Any = erasure.erase(ctx.db, ctx.files, account.actor, subject, ctx.clock.now)
    async for done in first:
        if done.submissions:
            break
    await first.aclose()
    assert len((await get(account, f"/submissions?formId={new_form['id']}"))["items"]) == 2
    assert (await erase(account, subject)).submissions == 2
    assert SECRET not in await everything(account)


async def test_users_cannot_erase_themselves_or_the_last_owner(account: Account, site: Visit) -> None:
    own = await site.post(f"{HERE}/erase", {"user": account.owner.id, "seen": "0"})
    assert "You can’t erase your own data" in own.text
    ctx = account.ctx
    with pytest.raises(LastOwner):
        await erasure.check(ctx.db, account.actor, Subject(user_id=account.owner.id))


async def test_the_zip_contains_all_data_of_the_person_and_of_nobody_else(account: Account, site: Visit) -> None:
    who = await user(account, "Annabel")
    new_form = await form(account, fields=FIELDS)
    picture = await uploaded(account, new_form, content=png())
    await submission(account, new_form, data={"site": SECRET, "photos": [picture]}, userId=who.id)
    await submission(account, new_form, data={"site": "Other"})
    await account.api.put(f"{PREFIX}/customers/{account.id}/users/{who.id}", json={"externalId": "hr-7"})
    response = await site.post(f"{HERE}/export", {"user": who.id})
    path = response.headers["location"]
    assert "with 1 submission" in await wait_until_ended(site, path)
    content = zipfile.ZipFile(io.BytesIO((await site.http.get(f"{path}/file")).content))
    names = content.namelist()
    assert {"README.txt", "person.json", "submissions.ndjson", "revisions.ndjson"} <= set(names)
    [lines] = content.read("submissions.ndjson").splitlines()
    assert json.loads(lines)["data"]["site"] == SECRET
    person = json.loads(content.read("person.json"))["person"]
    assert (person["email"], person["externalId"]) == (who.email, "hr-7")
    [file] = [name for name in names if name.startswith("files/")]
    assert content.read(file) == png()
    async with account.stage.account("Neighbour") as other, visit(other) as stranger:
        assert (await stranger.http.get(f"{path}/file")).status_code == 404
        assert "There is no such" in (await stranger.http.get(f"{HERE}?user={who.id}")).text
    await wait_until_ended(site, (await site.post(f"{HERE}/erase", {"user": who.id, "seen": "1"})).headers["location"])
    assert (await site.http.get(f"{path}/file")).status_code == 404, "the export is deleted by the erasure"


async def test_the_zip_of_a_person_who_is_gone_by_then_says_so(
    account: Account, site: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    who, write_zip = await user(account, "Annabel"), archive.write_zip

    async def delete_and_write(*args: Any) -> None:
        assert (await account.api.delete(f"{PREFIX}/customers/{account.id}/users/{who.id}")).status_code == 200
        while await purge.purge_next(account.ctx.db, account.id, account.ctx.clock.now() + RETENTION_MS):
            pass
        await write_zip(*args)

    monkeypatch.setattr(archive, "write_zip", delete_and_write)
    with capture_logs() as logs:
        response = await site.post(f"{HERE}/export", {"user": who.id})
        page = await wait_until_ended(site, response.headers["location"])
    assert "This person was erased or permanently deleted before the file was complete." in page
    assert [entry for entry in logs if entry["log_level"] in ("error", "critical")] == []


async def test_erasure_deletes_the_exports_of_all_users_of_the_account(account: Account, site: Visit) -> None:
    new_form = await form(account)
    await submission(account, new_form, data={"site": SECRET})
    named = {"form": new_form["id"], "field": "site", "value": SECRET}
    path = (await site.post(f"{HERE}/export", named)).headers["location"]
    await wait_until_ended(site, path)
    other = await member(account, Grant(await built_in(account), ResourceType.ACCOUNT, account.id))
    async with (
        visit(account, other.user_id or "") as second,
        account.stage.account("Neighbour") as next_door,
        visit(next_door) as neighbour,
    ):
        theirs = await form(next_door)
        await submission(next_door, theirs, data={"site": SECRET})
        zipped = (await neighbour.post(f"{HERE}/export", named | {"form": theirs["id"]})).headers["location"]
        await wait_until_ended(neighbour, zipped)
        await wait_until_ended(second, (await second.post(f"{HERE}/erase", named | {"seen": "1"})).headers["location"])
        assert (await neighbour.http.get(f"{zipped}/file")).status_code == 200
    assert (await site.http.get(f"{path}/file")).status_code == 404


ODD = {
    "email=Ann": "Enter a valid email address.",
    "email=%00@x.org": "",
    "user=bogus": "There is no such user",
    "user=usr_01h455vb4pex5vsknk084sn02q": "There is no such user",
    "form=frm_01h455vb4pex5vsknk084sn02q&field=site&value=x": "There is no such form",
    "form=%F0%9F%8E%89&field=site&value=x": "There is no such form",
    "form={form}&field=colour&value=x": "None of these forms",
    "form={form}&field=site&value=%00": "",
    "form={form}&field=&value=x": "Enter the name of one field.",
    "form={form}&field=people&value=many": "No data found.",
    "form={form}&field=site&value=%3Cscript%3E%E2%80%AE": "No data found.",
}


async def test_invalid_searches_show_an_error(account: Account, site: Visit) -> None:
    fields = [{"type": "text", "name": "site", "label": "Site"}, {"type": "integer", "name": "people", "label": "P"}]
    new_form = await form(account, fields=fields)
    for query, said in ODD.items():
        response = await site.http.get(f"{HERE}?{query.format(form=new_form['id'])}")
        assert response.status_code < 500, query
        assert said in response.text, query
        assert "<script>\u202e" not in response.text
