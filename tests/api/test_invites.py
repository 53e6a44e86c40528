"""Invites, for integrators and for the invited person."""

import re
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio
from actors import Account
from factories.forms import FIELDS, form
from factories.invites import CLIENT_ID, VISITOR, invite, link, note, rendered_emails
from factories.mail_worker import mail_worker
from factories.requests import PREFIX, get
from factories.tasks import task, work
from factories.users import user
from factories.web_client import visit
from fixtures.server_process import eventually

from formwright.core.clock import rfc3339
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import NO_MAIL_SERVER
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import MailStatus

Json = dict[str, Any]


@pytest_asyncio.fixture
async def guest(account: Account) -> AsyncIterator[httpx.AsyncClient]:
    """The invited person: a client without an API key."""
    async with account.stage.client() as http:
        yield http


async def now_is(account: Account, invite: Json) -> Json:
    found: Json = await get(account, f"/customers/{account.id}/invites/{invite['id']}")
    return found


async def act(account: Account, invite: Json, verb: str) -> httpx.Response:
    return await account.api.post(f"{PREFIX}/customers/{account.id}/invites/{invite['id']}/{verb}")


async def list_events(account: Account, invite: Json) -> list[tuple[str, str]]:
    """Return the event types of an invite, each with the status in its data."""
    events = (await get(account, f"/webhooks/customer/{account.id}/events"))["items"]
    return [
        (event["type"].removeprefix("invite."), event["data"]["status"])
        for event in events
        if event["data"].get("id") == invite["id"]
    ]


async def send(http: httpx.AsyncClient, path: str, form: Json, *, save: bool = False, **data: Any) -> httpx.Response:
    """Save or submit the answers like the page."""
    body = {"versionId": form["publishedVersionId"], "data": data}
    return await http.request("PUT" if save else "POST", f"{path}/submissions/{CLIENT_ID}", json=body)


def later(days: float) -> str:
    return (datetime.now(UTC) + timedelta(days=days)).isoformat()


async def test_an_invite_passes_every_state(account: Account, guest: httpx.AsyncClient) -> None:
    asked = await form(account, name="Visit <b>")
    new_invite = await invite(
        account, asked, name="Ann", message="Dear *Ann* <i>", data={"site": "Pier 2"}, externalId="crm-1"
    )
    assert (new_invite["status"], new_invite["email"], new_invite["data"]) == ("PENDING", VISITOR, {"site": "Pier 2"})
    [email] = await rendered_emails(account.ctx, account.id, new_invite["id"])
    assert "Dear *Ann* <i>" in email.text
    assert "&lt;i&gt;" in email.html
    assert "<i>" not in email.html
    await note(account, new_invite)
    path = await link(account, new_invite)
    for look in ("GET", "HEAD"):
        await guest.request(look, path, headers={"purpose": "prefetch"})
    assert (await now_is(account, new_invite))["status"] == "SENT"
    page = await guest.get(path)
    assert (page.status_code, '"prefill": {"site": "Pier 2"}' in page.text) == (200, True)
    assert "Dear *Ann* &lt;i&gt;" in page.text
    for _ in range(2):
        assert (await guest.post(f"{path}/opened")).status_code == 204
    assert (await send(guest, path, asked, save=True, site="Quay")).status_code == 200
    # Another device shows the saved answers.
    assert '"prefill": {"site": "Quay"}' in (await guest.get(path)).text
    first, again = [await send(guest, path, asked, site="Quay 9") for _ in range(2)]
    assert (first.status_code, again.status_code, first.json()["id"]) == (201, 200, again.json()["id"])
    done = await now_is(account, new_invite)
    assert (done["status"], done["submissionId"]) == ("COMPLETED", first.json()["id"])
    assert all(done[name] for name in ("sentAt", "openedAt", "startedAt", "completedAt"))
    filled = await get(account, f"/customers/{account.id}/submissions/{done['submissionId']}")
    assert (filled["inviteId"], filled["data"]) == (new_invite["id"], {"site": "Quay 9"})
    [found] = (await get(account, "/submissions", inviteId=new_invite["id"]))["items"]
    assert found["id"] == filled["id"]
    states = ["SENT", "OPENED", "STARTED", "COMPLETED"]
    assert await list_events(account, new_invite) == [
        ("created", "PENDING"),
        *((state.lower(), state) for state in states),
    ]


async def test_only_the_hash_of_the_link_is_stored(account: Account) -> None:
    new_invite = await invite(account, await form(account))
    token = (await link(account, new_invite)).removeprefix("/fill/")
    tables = ["invites", "invite_links", "invite_steps", "mails", "events", "audit_log"]
    async with account.ctx.db.reading() as tx:
        for table in tables:
            rows = await tx.fetch(f"SELECT * FROM {table} WHERE customer_id = $1", account.id)
            assert rows
            assert token not in str([tuple(row) for row in rows])


async def test_no_state_is_skipped_by_opening_early_or_submitting_at_once(
    account: Account, guest: httpx.AsyncClient
) -> None:
    asked = await form(account)
    new_invite = await invite(account, asked)
    await send(guest, await link(account, new_invite), asked, site="Quay")
    await note(account, new_invite)
    await note(account, new_invite, MailStatus.FAILED, "550 No such user")
    assert [state for _, state in await list_events(account, new_invite)] == [
        "PENDING",
        "SENT",
        "OPENED",
        "STARTED",
        "COMPLETED",
    ]


async def test_a_rejected_address_fails_and_can_be_resent(account: Account, guest: httpx.AsyncClient) -> None:
    new_invite = await invite(account, await form(account))
    old = await link(account, new_invite)
    await note(account, new_invite, MailStatus.FAILED, "The mail server responded 550")
    failed = await now_is(account, new_invite)
    assert (failed["status"], failed["reason"]) == ("FAILED", "The mail server responded 550")
    assert (await guest.get(old)).status_code == 410
    again = await act(account, new_invite, "resend")
    assert (again.status_code, again.json()["status"], again.json()["reason"]) == (200, "PENDING", NO_MAIL_SERVER)
    assert await list_events(account, new_invite) == [
        ("created", "PENDING"),
        ("failed", "FAILED"),
        ("resent", "PENDING"),
    ]
    assert (await guest.get(await link(account, new_invite))).status_code == 200


async def test_without_a_mail_server_an_invite_is_not_sent_until_its_link_is_used(
    account: Account, guest: httpx.AsyncClient
) -> None:
    asked = await form(account)
    new_invite = await invite(account, asked)
    assert (new_invite["status"], new_invite["reason"]) == ("PENDING", NO_MAIL_SERVER)
    async with mail_worker(account.stage):

        async def is_saved() -> bool:
            async with account.ctx.db.reading() as tx:
                found = await mail.find_latest(tx, account.id, purpose="invite", subject_id=new_invite["id"])
            return found is not None and found.status is MailStatus.NOT_SENT

        await eventually(is_saved)
    assert (await now_is(account, new_invite))["status"] == "PENDING"
    async with account.ctx.db.writing() as tx:
        links = await invites.create_links(tx, account.actor, "", invite_ids=[new_invite["id"]])
    await send(guest, links[0][1], asked, site="Quay 9")
    assert (await now_is(account, new_invite))["reason"] is None
    async with account.ctx.db.reading() as tx:
        _, steps, _ = await invites.get_history(tx, account.actor, invite_id=new_invite["id"])
    assert [(step.status, step.detail) for step in steps][:3] == [
        ("PENDING", NO_MAIL_SERVER),
        ("SENT", "Somebody passed on the link."),
        ("OPENED", ""),
    ]


async def test_an_invite_without_end_can_be_resent(account: Account) -> None:
    last = "9999-12-31T23:59:59.999Z"
    new_invite = await invite(account, await form(account), expiresAt=last)
    again = await act(account, new_invite, "resend")
    assert (again.status_code, again.json()["expiresAt"]) == (200, last)


async def test_resending_ends_the_old_link_and_keeps_saved_answers(account: Account, guest: httpx.AsyncClient) -> None:
    asked = await form(account, settings={"language": "de"})
    new_invite = await invite(account, asked)
    old = await link(account, new_invite)
    await send(guest, old, asked, save=True, site="Quay")
    assert (await act(account, new_invite, "resend")).json()["status"] == "PENDING"
    ended = await guest.get(old)
    assert (ended.status_code, "Es gibt einen neueren Link" in ended.text) == (410, True)
    refused = await send(guest, old, asked, site="Quay 9")
    assert (refused.status_code, refused.json()["code"]) == (409, "invite.link_ended")
    new = await link(account, new_invite)
    assert '"prefill": {"site": "Quay"}' in (await guest.get(new)).text
    assert (await send(guest, new, asked, site="Quay 9")).status_code == 201
    [only] = (await get(account, "/submissions", formId=asked["id"]))["items"]
    assert only["status"] == "SUBMITTED"
    over = await act(account, new_invite, "resend")
    assert (over.status_code, over.json()["code"]) == (409, "invite.ended")
    assert "COMPLETED" in over.json()["detail"]


async def test_the_link_of_a_revoked_invite_does_not_work(account: Account, guest: httpx.AsyncClient) -> None:
    asked = await form(account)
    new_invite = await invite(account, asked)
    path = await link(account, new_invite)
    assert (await act(account, new_invite, "revoke")).json()["status"] == "REVOKED"
    assert "This invitation was withdrawn" in (await guest.get(path)).text
    for response in (await guest.post(f"{path}/opened"), await send(guest, path, asked, save=True, site="Quay")):
        assert (response.status_code, response.json()["code"]) == (409, "invite.link_ended")
    assert [await rendered_emails(account.ctx, account.id, new_invite["id"])] == [[]]
    assert (await act(account, new_invite, "revoke")).status_code == 409


async def test_a_person_can_decline_with_a_reason(account: Account, guest: httpx.AsyncClient) -> None:
    new_invite = await invite(account, await form(account))
    path = await link(account, new_invite)
    response = await guest.post(f"{path}/decline", data={"reason": "  On holiday\r\n🏖 "})
    assert (response.status_code, response.headers["location"]) == (303, path)
    assert "You’ve declined" in (await guest.get(path)).text
    assert (await guest.post(f"{path}/decline", data={"reason": "x"})).status_code == 303
    declined = await now_is(account, new_invite)
    assert (declined["status"], declined["reason"]) == ("DECLINED", "On holiday\n🏖")


async def test_a_user_is_invited_in_their_language_and_owns_the_submission(
    account: Account, guest: httpx.AsyncClient
) -> None:
    asked, mate = await form(account), await user(account)
    language = "UPDATE users SET language = 'de-AT' WHERE customer_id = $1 AND id = $2"
    async with account.ctx.db.writing() as tx:
        await tx.execute(language, account.id, mate.id)
    new_invite = await invite(account, asked, userId=mate.id, expiresAt="2126-12-24T00:00:00Z")
    assert (new_invite["email"], new_invite["name"], new_invite["userId"]) == (mate.email, mate.name, mate.id)
    [email] = await rendered_emails(account.ctx, account.id, new_invite["id"])
    assert "bittet Sie, das Formular „Visit“ auszufüllen." in email.text
    assert "Der Link gilt bis Montag, 23. Dezember 2126." in email.text
    sent = (await send(guest, await link(account, new_invite), asked, site="Quay")).json()
    filled = await get(account, f"/customers/{account.id}/submissions/{sent['id']}")
    assert filled["userId"] == mate.id


async def test_an_unsupported_language_falls_back_to_that_of_the_account(account: Account) -> None:
    asked, mate = await form(account), await user(account)
    async with account.ctx.db.writing() as tx:
        await tx.execute("UPDATE customers SET locale = 'de' WHERE customer_id = $1", account.id)
        await tx.execute("UPDATE users SET language = 'fr' WHERE customer_id = $1 AND id = $2", account.id, mate.id)
    new_invite = await invite(account, asked, userId=mate.id)
    given = await task(account, asked, recipients={"users": [mate.id]})
    await work(account, given)
    for subject, words in ((new_invite, "bittet Sie"), (given, "Sie haben eine neue Aufgabe")):
        [email] = await rendered_emails(account.ctx, account.id, subject["id"])
        assert email.text.startswith(f"Guten Tag {mate.name},")
        assert words in email.text


async def test_the_same_external_id_returns_the_same_invite(account: Account) -> None:
    asked = await form(account)
    first, again = [await invite(account, asked, externalId="crm-7") for _ in range(2)]
    assert first == again
    assert len(await rendered_emails(account.ctx, account.id, first["id"])) == 1
    body = {"formId": asked["id"], "email": "bob@example.com", "externalId": "crm-7"}
    other = await account.api.post(f"{PREFIX}/customers/{account.id}/invites", json=body)
    assert (other.status_code, other.json()["code"]) == (409, "invite.external_id_taken")


@pytest.mark.parametrize(
    ("members", "faults"),
    [
        ({"email": None}, [("", "invite.whom")]),
        ({"userId": "usr_01h455vb4pex5vsknk084sn02q"}, [("", "invite.whom")]),
        ({"email": None, "userId": "usr_01h455vb4pex5vsknk084sn02q"}, [("/userId", "user.not_found")]),
        ({"email": "ann@example"}, [("/email", "value.format")]),
        ({"email": "ann@example.com\r\nBcc: x@example.com"}, [("/email", "value.format")]),
        ({"email": "Ann <ann@example.com>"}, [("/email", "value.format")]),
        ({"name": "Ann\r\nBcc: x@example.com"}, [("/name", "value.format")]),
        ({"expiresAt": "2020-01-01T00:00:00Z"}, [("/expiresAt", "value.past")]),
        ({"remindAt": "2020-01-01T00:00:00Z"}, [("/remindAt", "value.past")]),
        ({"remindAt": "2150-01-01T00:00:00Z"}, [("/remindAt", "invite.remind")]),
        ({"formId": "frm_01h455vb4pex5vsknk084sn02q"}, [("/formId", "form.not_found")]),
        (
            {"data": {"nobody": 1, "people": "x"}, "email": "no"},
            [("/data/nobody", "value.unknown"), ("/data/people", "value.type"), ("/email", "value.format")],
        ),
        ({"message": "x" * 5001}, [("/message", "value.too_long")]),
    ],
)
async def test_invalid_invites_are_rejected_with_a_pointer(
    account: Account, members: Json, faults: list[tuple[str, str]]
) -> None:
    asked = await form(account)
    before = await get(account, f"/webhooks/customer/{account.id}/events")
    body = {"formId": asked["id"], "email": VISITOR} | members
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/invites", json=body)
    assert response.status_code == 422, response.text
    assert sorted((fault["pointer"], fault["code"]) for fault in response.json()["errors"]) == faults
    assert await get(account, f"/webhooks/customer/{account.id}/events") == before


async def test_a_form_that_cannot_be_filled_in_is_rejected(account: Account, stranger: Account) -> None:
    draft, put_away, foreign = await form(account, publish=False), await form(account), await form(stranger)
    path = f"{PREFIX}/forms/customer/{account.id}/forms/{put_away['id']}"
    assert (await account.api.put(path, json={"status": "ARCHIVED"})).status_code == 200
    found = []
    for asked in (draft, put_away, foreign):
        body = {"formId": asked["id"], "email": VISITOR}
        response = await account.api.post(f"{PREFIX}/customers/{account.id}/invites", json=body)
        found += [(response.status_code, fault["pointer"], fault["code"]) for fault in response.json()["errors"]]
    codes = ["form.not_published", "form.archived", "form.not_found"]
    assert found == [(422, "/formId", code) for code in codes]


async def test_a_disabled_user_cannot_be_invited(account: Account) -> None:
    asked, mate = await form(account), await user(account)
    async with account.ctx.db.writing() as tx:
        sql = "UPDATE users SET status = 'DISABLED' WHERE customer_id = $1 AND id = $2"
        await tx.execute(sql, account.id, mate.id)
    body = {"formId": asked["id"], "userId": mate.id}
    response = await account.api.post(f"{PREFIX}/customers/{account.id}/invites", json=body)
    assert [(fault["pointer"], fault["code"]) for fault in response.json()["errors"]] == [("/userId", "user.disabled")]


async def test_names_cannot_inject_headers(account: Account) -> None:
    new_invite = await invite(account, await form(account, name="Visit\r\nBcc: x@example.com"))
    async with account.ctx.db.reading() as tx:
        row = await tx.fetch_one("SELECT subject FROM mails WHERE subject_id = $1", new_invite["id"])
    assert row
    assert row[0] == "Please fill in: Visit Bcc: x@example.com (Owner)"


async def test_the_list_can_be_filtered_and_paged(account: Account) -> None:
    one, other, mate = await form(account), await form(account), await user(account)
    created = [await invite(account, one, email=f"p{number}@example.com") for number in range(3)]
    created += [await invite(account, other, userId=mate.id, externalId="crm-9")]
    await act(account, created[1], "revoke")
    path = f"/customers/{account.id}/invites"

    async def found(**query: Any) -> list[int]:
        items = (await get(account, path, **query))["items"]
        return [created.index(next(one for one in created if one["id"] == item["id"])) for item in items]

    assert await found() == [0, 1, 2, 3]
    assert await found(formId=one["id"]) == [0, 1, 2]
    assert await found(status=["REVOKED", "SENT"]) == [1]
    assert await found(email="P2@example.com") == [2]
    assert await found(userId=mate.id) == await found(externalId="crm-9") == [3]
    assert await found(**{"from": created[1]["created"], "to": created[3]["created"]}) == [1, 2]
    page = await get(account, path, limit=2)
    rest = (await account.api.get(page["next"])).json()
    assert [item["id"] for item in page["items"] + rest["items"]] == [one["id"] for one in created]


async def test_a_reminder_is_due_two_days_before_expiry_or_as_set(account: Account) -> None:
    asked = await form(account)
    end = later(10)
    usual = await invite(account, asked, expiresAt=end)
    assert usual["remindAt"] == rfc3339(int((datetime.fromisoformat(end) - timedelta(days=2)).timestamp() * 1000))
    assert (await invite(account, asked, expiresAt=end, remindAt=None))["remindAt"] is None
    assert (await invite(account, asked, expiresAt=later(3)))["remindAt"] is None
    assert (await invite(account, asked, remindAt=later(1)))["remindAt"]


async def test_a_lookup_row_fills_in_mapped_fields(account: Account, guest: httpx.AsyncClient) -> None:
    rows = [{"number": "1", "town": "Kiel"}]
    body = {"name": "Sites", "keyColumn": "number", "rows": rows}
    source = (await account.api.post(f"{PREFIX}/customers/{account.id}/datasources", json=body)).json()
    look_up = {
        "type": "lookup",
        "name": "client",
        "label": "Client",
        "datasourceId": source["id"],
        "mapping": {"town": "site"},
    }
    asked = await form(account, fields=[*FIELDS, look_up])
    new_invite = await invite(account, asked, data={"client": "1"})
    assert new_invite["data"] == {"client": "1", "site": "Kiel"}
    path = await link(account, new_invite)
    rows_there = await guest.get(f"{path}/lookup/client", params={"key": "1"})
    assert [item["key"] for item in rows_there.json()["items"]] == ["1"]
    await act(account, new_invite, "revoke")
    assert (await guest.get(f"{path}/lookup/client")).status_code == 409


async def test_after_deleting_a_started_submission_the_form_can_be_started_again(
    account: Account, guest: httpx.AsyncClient
) -> None:
    asked = await form(account)
    new_invite = await invite(account, asked)
    path = await link(account, new_invite)
    await send(guest, path, asked, save=True, site="Quay")
    first = (await now_is(account, new_invite))["submissionId"]
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM submissions WHERE customer_id = $1 AND id = $2", account.id, first)
    assert '"prefill": {}' in (await guest.get(path)).text
    await send(guest, path, asked, save=True, site="Quay 9")
    second = (await now_is(account, new_invite))["submissionId"]
    assert second != first
    assert (await send(guest, path, asked, site="Quay 9")).json()["id"] == second


async def test_a_rejected_submission_is_corrected_in_place(account: Account, guest: httpx.AsyncClient) -> None:
    asked = await form(account)
    new_invite = await invite(account, asked)
    path = await link(account, new_invite)
    sent = (await send(guest, path, asked, site="Quay")).json()
    where = f"{PREFIX}/customers/{account.id}/submissions/{sent['id']}"
    assert (await account.api.put(where, json={"status": "REJECTED", "note": "Which one?"})).status_code == 200
    assert (await send(guest, path, asked, site="Quay 9")).json()["code"] == "invite.link_ended"
    async with visit(account) as site:
        page = (await site.http.get(f"/submissions/{sent['id']}")).text
    found = re.search(r"(/fill/\w+)\?again=([0-9a-f-]{36})", page)
    assert found
    opened = (await guest.get(found[0])).text
    assert '"prefill": {"site": "Quay"}' in opened
    body = {"versionId": asked["publishedVersionId"], "data": {"site": "Quay 9"}}
    again = await guest.post(f"{found[1]}/submissions/{found[2]}", json=body)
    assert (again.status_code, again.json()["id"]) == (201, sent["id"])
    assert (await get(account, f"/customers/{account.id}/submissions/{sent['id']}"))["inviteId"] == new_invite["id"]
    assert (await now_is(account, new_invite))["status"] == "COMPLETED"


async def test_many_are_created_all_or_nothing(account: Account) -> None:
    asked, path = await form(account), f"{PREFIX}/customers/{account.id}/invites"
    right = [{"formId": asked["id"], "email": f"p{number}@example.com"} for number in range(3)]
    wrong = [right[0], right[1] | {"email": "no", "expiresAt": "2020-01-01T00:00:00Z"}, right[2] | {"data": {"x": 1}}]
    refused = await account.api.post(path, json=wrong)
    assert [(fault["pointer"], fault["code"]) for fault in refused.json()["errors"]] == [
        ("/1/email", "value.format"),
        ("/1/expiresAt", "value.past"),
        ("/2/data/x", "value.unknown"),
    ]
    assert (await get(account, f"/customers/{account.id}/invites"))["items"] == []
    new_response = await account.api.post(path, json=right)
    assert (new_response.status_code, [one["email"] for one in new_response.json()]) == (
        201,
        [one["email"] for one in right],
    )
    assert "location" not in new_response.headers
    for one in new_response.json():
        assert len(await rendered_emails(account.ctx, account.id, one["id"])) == 1
    for many in ([], right * 334):
        response = await account.api.post(path, json=many)
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (422, "")
