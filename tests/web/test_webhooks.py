"""Settings, Connections, Webhooks: everything an integrator does, with a real receiver, and rejected input."""

import html
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest_asyncio
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.users import member, role
from factories.web_client import Visit, visit
from fixtures.app_contexts import run_delivery_worker
from fixtures.server_process import eventually
from fixtures.webhook_receiver import OK, Receiver, in_turn
from standardwebhooks import Webhook

from formwright.core.auth.actor import ResourceType
from formwright.core.clock import rfc3339
from formwright.domain.users.models import Grant

HERE = "/settings/connections/webhooks"
NAME = "<b>CRM</b> & “co” 🚢"


@pytest_asyncio.fixture
async def site(account: Account) -> AsyncIterator[Visit]:
    async with visit(account) as pages:
        yield pages


async def follow_redirect(site: Visit, response: httpx.Response) -> tuple[str, str]:
    """Return the address to which the response redirects, and the page there."""
    assert response.status_code == 303, response.text
    page = await site.http.get(response.headers["location"])
    assert page.status_code == 200, page.text
    return response.headers["location"], page.text


async def wait_for_text(site: Visit, where: str, words: str) -> str:
    """Reload the page until it contains the text, and return it."""

    async def look() -> str:
        text = (await site.http.get(where)).text
        return text if words in text else ""

    found: str = await eventually(look)
    return found


async def test_a_webhook_is_added_and_a_failed_delivery_is_retried(account: Account, site: Visit) -> None:
    assert "No webhooks yet" in (await site.http.get(HERE)).text
    receiver = Receiver(in_turn((500, {}, "<i>kaputt</i> ß".encode()), OK))
    async with receiver, run_delivery_worker(account.ctx, 0, 9999):
        form_ = await form(account, name="Visit <u>")
        chosen = {"events": "some", "type": ["submission.*", "submission.started", "task.created", "no.such"]}
        sent = {"name": NAME, "url": receiver.url, "which": "some", "form": form_["id"]} | chosen
        here, page = await follow_redirect(site, await site.post(HERE, sent))
        [secret] = re.findall(r'value="(whsec_[^"]+)"', page)
        assert secret not in (await site.http.get(here)).text
        for words in ("&lt;b&gt;CRM&lt;/b&gt; &amp; “co” 🚢", "submission.*, task.created", "Visit &lt;u&gt;"):
            assert words in page

        delivery, _ = await follow_redirect(site, await site.post(f"{here}/test"))
        failed = await wait_for_text(site, delivery, "Rejected by the receiver.")
        assert "&lt;i&gt;kaputt&lt;/i&gt; ß" in failed
        assert "Nothing happened." in failed
        again, _ = await follow_redirect(site, await site.post(f"{delivery}/retry"))
        assert again == delivery
        await wait_for_text(site, delivery, "Accepted by the receiver.")

        await submission(account, form_)
        page = await wait_for_text(site, f"{here}?status=SUCCEEDED", "submission.submitted")
        assert "No matching deliveries" in (await site.http.get(f"{here}?status=FAILED")).text
    for arrival in receiver.arrivals:
        Webhook(secret).verify(arrival.body, arrival.headers)
    assert len(receiver.arrivals) == 3


async def test_errors_are_next_to_their_field_and_input_is_kept(account: Account, site: Visit) -> None:
    own, foreign = await form(account), "frm_00000000000000000000000000"
    sent = {"name": " ", "url": "ftp://x/<b>", "events": "some", "which": "some", "form": [own["id"], foreign]}
    response = await site.post(HERE, sent)
    assert response.status_code == 422
    for words in ("Enter a name", "Select at least one event", "There is no such form"):
        assert words in response.text
    assert "ftp://x/&lt;b&gt;" in response.text
    assert re.search(rf'value="{own["id"]}" checked', response.text)
    response = await site.post(HERE, {"name": "A", "url": "ftp://x/"})
    assert "delivered to this URL" in response.text
    assert (await get(account, f"/webhooks/customer/{account.id}/subscribers"))["items"] == []


async def test_a_webhook_is_changed_disabled_enabled_and_deleted(account: Account, site: Visit) -> None:
    new_subscriber = await subscriber(account, types=["task.*", "form.created"], name="Old")
    here = f"{HERE}/{new_subscriber['id']}"
    edit = (await site.http.get(f"{here}/edit")).text
    assert re.findall(r'name="type" value="([^"]+)" checked', edit) == ["form.created", "task.*"]
    _, page = await follow_redirect(
        site, await site.post(here, {"name": "New", "url": new_subscriber["url"], "events": "all"})
    )
    assert "All events" in page
    _, page = await follow_redirect(site, await site.post(f"{here}/disable"))
    assert "Events are queued" in page
    refused = await site.post(f"{here}/test")
    assert (refused.status_code, "Enable it first" in refused.text) == (409, True)
    _, page = await follow_redirect(site, await site.post(f"{here}/enable"))
    assert "Send test event" in page
    _, page = await follow_redirect(site, await site.post(f"{here}/delete"))
    assert "No webhooks yet" in page
    assert (await site.http.get(here)).status_code == 404


async def test_events_are_replayed_and_the_secret_is_rotated(account: Account, site: Visit) -> None:
    receiver = Receiver()
    async with receiver, run_delivery_worker(account.ctx, 0):
        new_subscriber = await subscriber(account, url=receiver.url, types=["form.created"])
        here = f"{HERE}/{new_subscriber['id']}"
        await form(account)
        await wait_for_text(site, here, "Delivered")
        for sent, words in (
            ({"by": "day", "day": "soon"}, "Choose a date."),
            ({"by": "event", "after": "-1"}, "Enter an event number"),
        ):
            refused = await site.post(f"{here}/replay", sent)
            assert (refused.status_code, words in refused.text) == (422, True)
        done = await site.post(f"{here}/replay", {"by": "day", "day": "2000-01-01"})
        assert "1 event queued for delivery" in done.text
        _, page = await follow_redirect(site, await site.post(f"{here}/secret", {"overlap": "0"}))
        [secret] = re.findall(r'value="(whsec_[^"]+)"', page)
        await site.post(f"{here}/replay", {"by": "event", "after": "1"})
        await eventually(lambda: _enough(receiver, 3))
    assert len({arrival.headers["webhook-id"] for arrival in receiver.arrivals}) == 1
    Webhook(secret).verify(receiver.arrivals[-1].body, receiver.arrivals[-1].headers)


async def test_a_replay_from_before_the_log_says_where_it_starts(account: Account, site: Visit) -> None:
    new_subscriber = await subscriber(account)
    for _ in range(2):
        await form(account)
    async with account.ctx.db.writing() as tx:
        await tx.execute("DELETE FROM events WHERE customer_id = $1 AND sequence < 3", account.id)
    for sent in ({"by": "day", "day": "2000-01-01"}, {"by": "event", "after": "1"}):
        refused = await site.post(f"{HERE}/{new_subscriber['id']}/replay", sent)
        assert (refused.status_code, "afterSequence" in refused.text) == (422, False)
        assert "Older events have expired. Replay from event 3 or later." in refused.text
    done = await site.post(f"{HERE}/{new_subscriber['id']}/replay", {"by": "event", "after": "3"})
    assert "events queued for delivery" in done.text


async def _enough(receiver: Receiver, count: int) -> bool:
    return len(receiver.arrivals) >= count


async def test_users_without_access_to_forms_can_manage_webhooks(account: Account) -> None:
    form_, keeper = await form(account), await role(account, "webhooks:read", "webhooks:manage")
    new_subscriber = await subscriber(account, formIds=[form_["id"]])
    who = await member(account, Grant(keeper["id"], ResourceType.ACCOUNT, account.id))
    async with visit(account, who.id) as site:
        assert "No forms available" in (await site.http.get(f"{HERE}/new")).text
        await follow_redirect(site, await site.post(HERE, {"name": "Mine", "url": new_subscriber["url"]}))
        edit = (await site.http.get(f"{HERE}/{new_subscriber['id']}/edit")).text
        assert re.search(rf'value="{form_["id"]}" checked', edit)
        kept = {"which": "some", "form": form_["id"]}
        _, page = await follow_redirect(
            site,
            await site.post(f"{HERE}/{new_subscriber['id']}", {"name": "New", "url": new_subscriber["url"]} | kept),
        )
    assert f"<bdi>{form_['id']}</bdi>" in page


async def test_selecting_too_many_forms_is_reported(account: Account, site: Visit) -> None:
    chosen = [f"frm_{number:026}" for number in range(501)]
    sent = {"name": "A", "url": "https://crm.example.org", "which": "some", "form": chosen}
    assert "Select at most 500 forms, or all." in (await site.post(HERE, sent)).text
    assert "Select at most" not in (await site.post(HERE, sent | {"form": chosen[:500]})).text


async def test_pending_deliveries_can_be_cancelled(account: Account, site: Visit) -> None:
    new_subscriber = await subscriber(account)
    await form(account)
    here = f"{HERE}/{new_subscriber['id']}"
    [delivery, *_] = re.findall(r'href="([^"]+/deliveries/inv_\w+)"', (await site.http.get(here)).text)
    _, page = await follow_redirect(site, await site.post(f"{delivery}/cancel"))
    assert "Cancelled" in page
    again = await site.post(f"{delivery}/cancel")
    assert (again.status_code, "is not pending" in again.text) == (409, True)


async def test_webhooks_of_another_account_cannot_be_read_or_changed(account: Account, stranger: Account) -> None:
    new_subscriber = await subscriber(stranger, name="Strictly theirs")
    await form(stranger)
    here = f"{HERE}/{new_subscriber['id']}"
    async with visit(stranger) as theirs:
        [delivery, *_] = re.findall(r'href="([^"]+/deliveries/inv_\w+)"', (await theirs.http.get(here)).text)
    state = await get(stranger, f"/webhooks/customer/{stranger.id}/subscribers/{new_subscriber['id']}/invocations")
    async with visit(account) as site:
        assert "Strictly theirs" not in (await site.http.get(HERE)).text
        for path in (here, f"{here}/edit", delivery, f"{HERE}/%00", f"{here}/deliveries/%00"):
            assert (await site.http.get(path)).status_code == 404, path
        for path in ("", "/test", "/disable", "/enable", "/delete"):
            assert (await site.post(here + path, {"name": "A", "url": "https://x.example.org"})).status_code == 404
        for path in ("/retry", "/cancel"):
            assert (await site.post(delivery + path)).status_code == 404
    assert (
        await get(stranger, f"/webhooks/customer/{stranger.id}/subscribers/{new_subscriber['id']}/invocations") == state
    )
    assert (await stranger.api.get(f"{PREFIX}/webhooks/customer/{stranger.id}/subscribers")).json()["items"][0][
        "name"
    ] == "Strictly theirs"


async def test_pending_deliveries_of_a_paused_or_disabled_webhook_are_labelled_so(
    account: Account, site: Visit
) -> None:
    new_subscriber = await subscriber(account)
    await form(account)
    here = f"{HERE}/{new_subscriber['id']}"
    [delivery, *_] = re.findall(r'href="([^"]+/deliveries/inv_\w+)"', (await site.http.get(here)).text)
    under_way = (await site.http.get(delivery)).text
    assert "Sending now." in under_way
    assert "Retry now" not in under_way
    async with account.ctx.db.writing() as tx:
        at = tx.now() + 3_600_000
        await tx.execute("UPDATE subscribers SET held = $2 WHERE customer_id = $1", account.id, at)
    held = (await site.http.get(delivery)).text
    assert "Deliveries to this webhook are paused" in held
    await follow_redirect(site, await site.post(f"{delivery}/retry"))
    assert "Sending now." in (await site.http.get(delivery)).text
    await follow_redirect(site, await site.post(f"{here}/disable"))
    assert "Queued. It will be sent when the webhook is enabled." in (await site.http.get(delivery)).text
    assert "data-changes" not in (await site.http.get(here)).text


async def test_the_health_of_a_webhook_is_shown_in_the_list_and_on_its_page(site: Visit, account: Account) -> None:
    now = account.ctx.clock.now()
    failing, held = now - 3_600_000, now + 600_000
    since, until = (f'datetime="{rfc3339(at)}"' for at in (failing, held))
    shown: dict[str, tuple[str, ...]] = {}
    for name, look, columns, words in (
        ("Works", "active", "failing = NULL", ()),
        ("Fails", "failing", f"failing = {failing}", (since,)),
        ("Waits", "failing", f"failing = {failing}, held = {held}", (since, until)),
        ("Probes", "failing", f"failing = {failing}, held = {now - 1}", (since,)),
        ("Rests", "disabled", f"status = 'DISABLED', failing = {failing}, held = {held}", ()),
    ):
        new_subscriber = await subscriber(account, name=name)
        async with account.ctx.db.writing() as tx:
            await tx.execute(
                f"UPDATE subscribers SET {columns} WHERE customer_id = $1 AND id = $2", account.id, new_subscriber["id"]
            )
        page = (await site.http.get(f"{HERE}/{new_subscriber['id']}")).text
        shown[name] = (f'class="status {look}"', *words)
        assert all(text in page for text in shown[name]), name
        assert ("Deliveries have been failing since" in page) == (look == "failing")
        assert ("Paused; next attempt at" in page) == (name == "Waits")
    rows = re.findall(r'<tr class="row-link">.*?</tr>', (await site.http.get(HERE)).text, re.DOTALL)
    for row, words in zip(rows, shown.values(), strict=True):
        assert all(text in row for text in words), row


async def test_a_receiver_that_failed_for_half_an_hour_is_never_active(site: Visit, account: Account) -> None:
    clock = account.ctx.clock
    new_subscriber = await subscriber(account, name="Slow")
    await submission(account, await form(account))
    assert 'class="status active"' in (await site.http.get(HERE)).text
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE deliveries SET created = $2 WHERE customer_id = $1", account.id, clock.now() - 30 * 60_000
        )
    for path in (HERE, f"{HERE}/{new_subscriber['id']}"):
        text = (await site.http.get(path)).text
        assert 'class="status waiting">Delayed<' in text
        assert 'class="status active"' not in text


async def test_figures_of_a_day_and_retrying_all_that_failed(account: Account, site: Visit) -> None:
    made_form = await form(account)
    receiver = Receiver(in_turn((410 + 12, {}, b"no"), (503, {}, b"later"), OK))
    async with receiver, run_delivery_worker(account.ctx, 0, 9999):
        new_subscriber = await subscriber(account, name="ERP", url=receiver.url, headers={"X-Token": "s3cr3t"})
        here = f"{HERE}/{new_subscriber['id']}"
        for _ in range(2):
            await submission(account, made_form)
        page = await wait_for_text(site, here, ">503<")
        assert ">422<" in page
        assert "Retry all failed" in page
        retry = f"{PREFIX}/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}/retry-failed"
        for _ in range(2):
            assert (await account.api.post(f"{retry}?dryRun=true")).json() == {"count": 2, "more": False}
        _, page = await follow_redirect(site, await site.post(f"{here}/retry-failed"))
        assert "2 deliveries are sent again now." in page
        page = await wait_for_text(site, here, "50 % of attempts succeeded")
    assert "Retry all failed" not in page
    row = re.findall(r'<tr class="row-link">.*?</tr>', (await site.http.get(HERE)).text, re.DOTALL)[0]
    assert 'data-label="Backlog" class="number">0<' in row
    assert 'class="number">50 %<' in row
    delivery = re.findall(r'class="open" href="([^"]+)"', page)[0]
    command = html.unescape(
        (await site.http.get(delivery)).text.partition('<code id="curl">')[2].partition("</code>")[0]
    )
    assert command.startswith("curl -X POST")
    assert "-h 'x-token: value'" in command.lower()
    assert "s3cr3t" not in command
    assert "signature" not in command
    assert "No failed deliveries to retry." in (await follow_redirect(site, await site.post(f"{here}/retry-failed")))[1]
    retried = await account.api.post(retry)
    assert (retried.status_code, retried.json()) == (202, {"count": 0, "more": False})


async def test_failed_deliveries_are_retried_by_the_api(account: Account) -> None:
    receiver = Receiver(in_turn((422, {}, b"no"), OK))
    subscribers = f"/webhooks/customer/{account.id}/subscribers"
    async with receiver, run_delivery_worker(account.ctx, 0):
        new_subscriber = await subscriber(account, url=receiver.url, types=["submission.submitted"])
        await submission(account, await form(account))
        await _wait_for_delivery(account, new_subscriber["id"], "FAILED")
        retried = await account.api.post(f"{PREFIX}{subscribers}/{new_subscriber['id']}/retry-failed")
        assert (retried.status_code, retried.json()) == (202, {"count": 1, "more": False})
        await _wait_for_delivery(account, new_subscriber["id"], "SUCCEEDED")
    await account.api.put(f"{PREFIX}{subscribers}/{new_subscriber['id']}", json={"status": "DISABLED"})
    for subscriber_id, problem in (
        (new_subscriber["id"], (409, "subscriber.is_disabled")),
        ("hook_01h455vb4pex5vsknk084sn02q", (404, "subscriber.not_found")),
    ):
        response = await account.api.post(f"{PREFIX}{subscribers}/{subscriber_id}/retry-failed")
        assert (response.status_code, response.json()["code"]) == problem


async def _wait_for_delivery(account: Account, subscriber_id: str, status: str) -> None:
    path = f"/webhooks/customer/{account.id}/subscribers/{subscriber_id}/invocations"

    async def find() -> list[Any]:
        return list((await get(account, path, status=status))["items"])

    await eventually(find)


# --- Custom headers ---

KEY = {"Authorization": "Bearer s3cr3t"}


def form_data(form: dict[str, Any], *rows: tuple[str, str], **more: str) -> dict[str, Any]:
    """Return the form data of a subscriber as a browser sends it, with these rows of headers."""
    names, values = [name for name, _ in rows], [value for _, value in rows]
    return {"name": form["name"], "url": form["url"], "header": names, "value": values} | more


def errors_by_field(page: str) -> dict[str, str]:
    """Return the error messages by the label or name of their field."""
    texts = dict(re.findall(r'class="field-error" id="([^"]+)-fault"[^>]*>([^<]+)<', page))
    return {field: html.unescape(words) for field, words in texts.items()}


def header_rows(page: str) -> list[tuple[str, ...]]:
    """Return the name, the value and the placeholder of the value of each row."""
    listed = page.partition('id="headers"')[2].partition("<template")[0]
    each = r'name="header" value="([^"]*)".*?name="value" value="([^"]*)" placeholder="([^"]*)"'
    return [tuple(map(html.unescape, one)) for one in re.findall(each, listed, re.DOTALL)]


async def test_headers_are_added_kept_replaced_and_removed_without_showing_values(
    account: Account, site: Visit
) -> None:
    receiver = Receiver()
    async with receiver, run_delivery_worker(account.ctx, 0):
        new = {"name": "CRM", "url": receiver.url}
        more = await site.post(HERE, form_data(new, ("Authorization", "Bearer s3cr3t"), row="add"))
        assert (more.status_code, header_rows(more.text)) == (
            200,
            [("Authorization", "Bearer s3cr3t", "Value"), ("", "", "Value")],
        )
        [focused] = re.findall(r"<input[^>]* autofocus>", more.text)
        assert 'aria-label="Name of header 2"' in focused
        here, page = await follow_redirect(
            site, await site.post(HERE, form_data(new, *KEY.items(), ("", ""), ("X-Key", "1")))
        )
        created, edit = {"id": here.rpartition("/")[2]} | new, (await site.http.get(f"{here}/edit")).text
        assert "<code>Authorization</code>, <code>X-Key</code>" in page
        assert header_rows(edit) == [(name, "", "Leave empty to keep") for name in ("Authorization", "X-Key")]
        assert "s3cr3t" not in page + edit
        fewer = await site.post(here, form_data(created, ("Authorization", ""), ("X-Key", ""), row="remove-1"))
        assert [row[0] for row in header_rows(fewer.text)] == ["X-Key"]
        await site.post(f"{here}/test")
        await eventually(lambda: _enough(receiver, 1))
        await follow_redirect(site, await site.post(here, form_data(created, ("Authorization", ""), ("X-Key", "2"))))
        await site.post(f"{here}/test")
        await eventually(lambda: _enough(receiver, 2))
        await follow_redirect(site, await site.post(here, form_data(created)))
        await site.post(f"{here}/test")
        await eventually(lambda: _enough(receiver, 3))
    came = [(one.headers.get("authorization"), one.headers.get("x-key")) for one in receiver.arrivals]
    assert came == [("Bearer s3cr3t", "1"), ("Bearer s3cr3t", "2"), (None, None)]


async def test_errors_of_a_header_are_shown_in_its_row(account: Account, site: Visit) -> None:
    wrong = (("Host", "a"), ("X <b>", "ü"), ("X-A", "1"), ("x-a", "2"), ("X-New", ""))
    response = await site.post(HERE, form_data({"name": "CRM", "url": "https://crm.example.org"}, *wrong))
    assert response.status_code == 422
    assert errors_by_field(response.text) == {
        "header-1": "This header is reserved and is set by the server.",
        "header-2": "This is not a valid header name.",
        "header-4": "This header is listed more than once.",
        "header-5": "Enter a value for this header, or remove it.",
    }
    assert [row[:2] for row in header_rows(response.text)] == list(wrong)
    assert "X &lt;b&gt;" in response.text
    half = (("", "Bearer s3cr3t"), ("X-A", "1"), ("X-A", "2"))
    response = await site.post(HERE, form_data({"name": "", "url": "https://crm.example.org"}, *half))
    assert errors_by_field(response.text) == {
        "name": "Enter a name (up to 200 characters).",
        "header-1": "Enter a name for this header, or remove it.",
        "header-3": "This header is listed twice. Remove one of them.",
    }
    many = [(f"X-{number}", "1") for number in range(21)]
    response = await site.post(HERE, form_data({"name": "CRM", "url": "https://crm.example.org"}, *many))
    assert errors_by_field(response.text) == {"headers": "At most 20 headers are allowed."}


async def test_headers_are_sent_to_another_server_only_if_typed_again(account: Account, site: Visit) -> None:
    new_subscriber = await subscriber(account, headers=KEY | {"X-Key": "1"})
    here, path = f"{HERE}/{new_subscriber['id']}", f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}"
    kept = (("Authorization", ""), ("X-Key", ""))
    elsewhere = new_subscriber | {"url": "https://other.example.org/hook"}
    refused = await site.post(here, form_data(elsewhere, *kept))
    assert refused.status_code == 422
    assert "This URL is on a different server." in errors_by_field(refused.text)["url"]
    assert errors_by_field(refused.text)["header-2"] == "Enter the value of this header again, or remove it."
    assert "Remove these headers and save" in refused.text
    assert header_rows(refused.text) == [("Authorization", "", "Value"), ("X-Key", "", "Value")]
    assert (await get(account, path))["url"] == new_subscriber["url"]

    again = await site.post(here, form_data(elsewhere, ("Authorization", "Bearer new"), ("X-Key", ""), row="drop"))
    _, page = await follow_redirect(site, again)
    assert "<code>Authorization</code>" in page
    assert "X-Key" not in page
    assert (await get(account, path))["url"] == elsewhere["url"]
    # Nothing changed, so the subscriber and its revision stay the same.
    revision = (await get(account, path))["revision"]
    await follow_redirect(site, await site.post(here, form_data(elsewhere, ("Authorization", ""), events="all")))
    assert (await get(account, path))["revision"] == revision


async def test_a_webhook_for_submissions_only_is_one_choice(account: Account, site: Visit) -> None:
    sent = {"name": "CRM", "url": "https://crm.example.org/hook", "events": "submission.*", "which": "all"}
    here, page = await follow_redirect(site, await site.post(HERE, sent))
    assert "submission.*" in page
    edited = (await site.http.get(f"{here}/edit")).text
    assert 'value="submission.*" checked> Submissions only' in edited
    assert "<legend>Question blocks</legend>" in edited
    assert not re.search(r"<legend>[^<]*_", edited)
