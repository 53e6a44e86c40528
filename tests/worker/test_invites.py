"""Invites: their emails, and the time-based steps, which happen once, late rather than never, with an event each."""

import asyncio
import re
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from factories.invites import rendered_emails
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.server_process import Server, eventually
from fixtures.smtp_server import MailServer, mail_server, never
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.context import AppContext
from formwright.core.errors import DomainError
from formwright.core.net.email_message import Sender
from formwright.core.net.smtp import SmtpServer, SmtpTransport
from formwright.core.pagination import Window
from formwright.core.work_kinds import WorkKind
from formwright.domain.invites import respond, scheduler, service, transitions
from formwright.domain.invites.models import (
    DAY_MS,
    OPEN_STATUSES,
    PROGRESS_ORDER,
    Invite,
    InviteFilter,
    InviteMailer,
    InviteStatus,
    NewInvite,
)
from formwright.domain.mail import queue
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import Mail, MailStatus
from formwright.domain.webhooks import event_log
from formwright.settings import Settings
from formwright.worker.mail_delivery import MailWorker
from formwright.worker.scheduler import Scheduler

S = InviteStatus
SCHEDULE = (0, 0.1, 0.1, 0.1, 0.1, 0.1)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Settings:
    """Each of the two databases in turn, used by these tests only."""
    cluster = request.getfixturevalue("postgres_cluster") if request.param == "postgres" else None
    url = cluster.create_database(f"invites_{worker_id}") if cluster else ""
    return settings_for(tmp_path_factory.mktemp("invites"), url)


@pytest.fixture
async def account(place: Settings) -> AsyncIterator[Tenant]:
    """A new account without due work of earlier tests. The test sets its clock."""
    async with (
        open_migrated_context(place) as now,
        open_migrated_context(place, clock=SetClock(now.clock.now())) as ctx,
    ):
        async with ctx.db.writing() as tx:
            await tx.execute("DELETE FROM mails")
            await tx.execute("UPDATE invites SET due = NULL")
        yield await create_tenant(ctx)


def _pass(account: Tenant, ms: int) -> None:
    clock: Any = account.ctx.clock
    clock.ms += ms


async def _ask(account: Tenant, **members: Any) -> Invite:
    new = NewInvite(account.form.id, email="ann@example.com", name="Ann", **members)
    async with account.ctx.db.writing() as tx:
        return await service.create(tx, account.actor, InviteMailer(account.ctx.secret_box, "https://forms.test"), new)


async def _now(account: Tenant, invite: Invite) -> Invite:
    async with account.ctx.db.reading() as tx:
        return await service.get(tx, account.actor, invite_id=invite.id)


async def _reached(account: Tenant, invite: Invite, status: S) -> Invite:
    async def look() -> Invite | None:
        found = await _now(account, invite)
        return found if found.status is status else None

    found: Invite = await eventually(look)
    return found


async def _events(account: Tenant, invite: Invite) -> list[tuple[str, str]]:
    """Return the types of an invite's events, each with the status."""
    async with account.ctx.db.reading() as tx:
        page = await event_log.page(tx, account.actor, Window(1000))
    events = [msgspec.json.decode(event.body) for event in page.items]
    return [(one["type"][7:], one["data"]["status"]) for one in events if one["data"]["id"] == invite.id]


async def _token(account: Tenant, invite: Invite) -> str:
    [email, *_] = await rendered_emails(account.ctx, account.id, invite.id)
    found = re.search(r"/fill/(\w+)", email.text)
    assert found
    return found[1]


async def _mails(account: Tenant, invite: Invite) -> list[Mail]:
    """Return the newest email and the newest reminder of the invite."""
    async with account.ctx.db.reading() as tx:
        found = [
            await mail.find_latest(tx, account.id, purpose=purpose, subject_id=invite.id)
            for purpose in (transitions.PURPOSE, transitions.REMINDER)
        ]
    return [one for one in found if one]


async def _send(account: Tenant, invite: Invite) -> None:
    """Let the mail server accept the email immediately."""
    async with account.ctx.db.writing() as tx:
        found = await mail.find_latest(tx, account.id, purpose="invite", subject_id=invite.id)
        assert found
        await service.handle_mail_result(tx, replace(found, status=MailStatus.SENT))


@asynccontextmanager
async def _mailing(ctx: AppContext, it: MailServer, deadline_s: float = 5) -> AsyncIterator[None]:
    """A worker that sends emails through this server."""
    transport = SmtpTransport(SmtpServer.parse(it.url), Sender("", "forms@example.org"), deadline_s=deadline_s)
    job = asyncio.create_task(MailWorker(replace(ctx, mail_transport=transport), SCHEDULE, poll_interval_s=0.02).run())
    try:
        yield
    finally:
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job


async def test_an_email_that_the_server_accepts(account: Tenant) -> None:
    async with mail_server() as it, _mailing(account.ctx, it):
        invite = await _ask(account, message="Dear *Ann*,\n\n<b>please</b>")
        sent = await _reached(account, invite, S.SENT)
    [arrived] = it.mails
    assert (str(arrived["To"]), arrived["Subject"]) == ("Ann <ann@example.com>", "Please fill in: Visit (Tenant)")
    text, html = (arrived.get_body((kind,)) for kind in ("plain", "html"))
    assert text
    assert html
    assert "<b>please</b>" in text.get_content()
    assert "&lt;b&gt;please&lt;/b&gt;" in html.get_content()
    [token] = set(re.findall(r"https://forms.test/fill/(\w+)", text.get_content() + html.get_content()))
    async with account.ctx.db.reading() as tx:
        assert (await respond.open_link(tx, token, account.ctx.clock.now()))[1] == sent
    assert await _events(account, invite) == [("created", "PENDING"), ("sent", "SENT")]


async def test_an_address_that_the_server_rejects(account: Tenant) -> None:
    it = MailServer(recipient="550 5.1.1 No such user")
    async with mail_server(it), _mailing(account.ctx, it):
        invite = await _ask(account)
        failed = await _reached(account, invite, S.FAILED)
    assert failed.reason == "The mail server responded 550 5.1.1 No such user"
    assert await _events(account, invite) == [("created", "PENDING"), ("failed", "FAILED")]


async def test_an_email_to_a_hanging_server_is_retried(account: Tenant) -> None:
    it = MailServer(data=never)
    async with mail_server(it), _mailing(account.ctx, it, deadline_s=0.15):
        invite = await _ask(account)

        async def put_off() -> bool:
            async with account.ctx.db.reading() as tx:
                found = await mail.find_latest(tx, account.id, purpose="invite", subject_id=invite.id)
            return bool(found and found.detail)

        # The clock of this context stands still, so a deferred email is due once the clock is moved.
        await eventually(put_off)
        it.data = "250 OK"
        _pass(account, 1000)
        await _reached(account, invite, S.SENT)
    assert len(it.taken) == 1
    assert await _events(account, invite) == [("created", "PENDING"), ("sent", "SENT")]


@pytest.mark.slow
async def test_a_worker_killed_at_a_due_time(account: Tenant, place: Settings) -> None:
    """The server has the email and the reminder, but the process that sent them was killed before the response.

    Both are sent again and marked, and no second reminder is created.
    """
    it = MailServer()

    async def take_and_hang(_: MailServer, envelope: object) -> str:
        it.taken.append(envelope)
        return await never(it, envelope)

    it.data = take_and_hang
    async with mail_server(it):
        worker = Server(place.data_dir, database_url=place.database_url, SMTP_URL=it.url, MAIL_FROM="f@example.org")
        invite = await _ask(account, remind=account.ctx.clock.now() + 50)
        await _send(account, invite)
        worker.spawn("worker")
        try:
            await it.wait_for(2)
        finally:
            worker.close()
        it.data = "250 OK"
        _pass(account, queue.LEASE_MS + 60_000)
        async with _mailing(account.ctx, it):
            await it.wait_for(4)

            async def ended() -> bool:
                found = await _mails(account, invite)
                return all(one.status is MailStatus.SENT for one in found)

            await eventually(ended)
    assert await Scheduler(account.ctx, WorkKind.INVITE).run_batch() == 0
    assert [found.perhaps_twice for found in await _mails(account, invite)] == [True, True]
    assert sorted(Counter(one["Message-ID"][:20] for one in it.mails).values()) == [2, 2]
    assert await _events(account, invite) == [("created", "PENDING"), ("sent", "SENT")]


async def test_two_workers_expire_an_invite_once_even_if_the_clock_is_set_back(
    account: Tenant, place: Settings
) -> None:
    invite = await _ask(account)
    token = await _token(account, invite)
    async with open_migrated_context(place, clock=account.ctx.clock) as other:
        workers = [Scheduler(account.ctx, WorkKind.INVITE), Scheduler(other, WorkKind.INVITE)]
        assert await asyncio.gather(*[one.run_batch() for one in workers]) == [0, 0]
        # Long after the invite expired, because no worker ran until now.
        _pass(account, 90 * DAY_MS)
        assert sum(await asyncio.gather(*[one.run_batch() for one in workers])) == 1
        _pass(account, -80 * DAY_MS)
        assert [await one.run_batch() for one in workers] == [0, 0]
    assert await _events(account, invite) == [("created", "PENDING"), ("expired", "EXPIRED")]
    async with account.ctx.db.reading() as tx:
        with pytest.raises(DomainError):
            await respond.open_link(tx, token, account.ctx.clock.now())


@pytest.mark.slow
async def test_a_failing_invite_does_not_delay_others(account: Tenant, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formwright.worker.scheduler._AT_ONCE", 2)
    *broken, _, _ = [await _ask(account) for _ in range(5)]
    async with account.ctx.db.writing() as tx:
        for one in broken:
            sql = "UPDATE invites SET status = 'BROKEN' WHERE customer_id = $1 AND id = $2"
            await tx.execute(sql, account.id, one.id)
    _pass(account, 90 * DAY_MS)
    clockwork = Scheduler(account.ctx, WorkKind.INVITE)
    assert [await clockwork.run_batch() for _ in range(4)] == [0, 1, 1, 0]
    async with account.ctx.db.writing() as tx:
        for one in broken:
            sql = "UPDATE invites SET status = 'PENDING' WHERE customer_id = $1 AND id = $2"
            await tx.execute(sql, account.id, one.id)
    assert await clockwork.run_batch() == 0, "what failed waits a minute"
    _pass(account, 60_000)
    assert sum([await clockwork.run_batch() for _ in range(2)]) == 3


async def test_recipients_who_have_not_started_are_reminded_once_with_a_new_link(account: Tenant) -> None:
    waits, began, late = [await _ask(account) for _ in range(3)]
    first = await _token(account, waits)
    for invite in (waits, began):
        await _send(account, invite)
    async with account.ctx.db.writing() as tx:
        version_id = account.form.published_version_id
        assert version_id
        await respond.save(tx, await _token(account, began), version_id=version_id, data={"site": "Quay"})
    _pass(account, 28 * DAY_MS + 1000)
    assert await Scheduler(account.ctx, WorkKind.INVITE).run_batch() == 1
    _pass(account, -DAY_MS)
    assert await Scheduler(account.ctx, WorkKind.INVITE).run_batch() == 0
    _pass(account, DAY_MS)
    assert await Scheduler(account.ctx, WorkKind.INVITE).run_batch() == 0
    reminder, once = await rendered_emails(account.ctx, account.id, waits.id)
    assert "still waiting for your response" in reminder.text
    assert [len(await rendered_emails(account.ctx, account.id, one.id)) for one in (began, late)] == [1, 1]
    assert once != reminder
    async with account.ctx.db.reading() as tx:
        for token in (first, await _token(account, waits)):
            assert await respond.open_link(tx, token, account.ctx.clock.now())


OPERATIONS = ["send", "fail", "open", "save", "submit", "decline", "resend", "revoke", "remind", "expire"]


async def _do(account: Tenant, invite: Invite, operation: str, token: str) -> None:
    ctx, version_id = account.ctx, account.form.published_version_id or ""
    data = {"site": "Quay"}
    async with ctx.db.writing() as tx:
        match operation:
            case "send" | "fail":
                found = await mail.find_latest(tx, account.id, purpose="invite", subject_id=invite.id)
                assert found
                status = MailStatus.SENT if operation == "send" else MailStatus.FAILED
                await service.handle_mail_result(tx, replace(found, status=status, detail="No"))
            case "open":
                await respond.mark_opened(tx, token)
            case "save":
                await respond.save(tx, token, version_id=version_id, data=data)
            case "submit":
                await respond.submit(tx, token, version_id=version_id, data=data)
            case "decline":
                await respond.decline(tx, token, "")
            case "resend":
                await service.resend(
                    tx, account.actor, InviteMailer(ctx.secret_box, "https://forms.test"), invite_id=invite.id
                )
            case "revoke":
                await service.revoke(tx, account.actor, invite_id=invite.id)
            case _:
                _pass(account, (28 if operation == "remind" else 31) * DAY_MS)
                await scheduler.run_due(tx, ctx.secret_box, account.id, invite.id)


def _after(status: S, operation: str) -> S:
    """Return the status after an operation; it is unchanged if the operation is not allowed."""
    is_open = status in OPEN_STATUSES
    reach = {"send": S.SENT, "open": S.OPENED, "save": S.STARTED, "submit": S.COMPLETED}
    if operation in reach and is_open and (operation != "send" or status is S.PENDING):
        return max(status, reach[operation], key=PROGRESS_ORDER.index)
    if operation == "fail" and status is S.PENDING:
        return S.FAILED
    if operation == "resend" and (is_open or status in (S.FAILED, S.EXPIRED)):
        return S.PENDING
    ends = {"decline": S.DECLINED, "revoke": S.REVOKED, "expire": S.EXPIRED}
    return ends[operation] if operation in ends and is_open else status


@pytest.mark.slow
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(operations=st.lists(st.sampled_from(OPERATIONS), min_size=4, max_size=12))
async def test_after_any_sequence_of_steps_status_and_events_match(account: Tenant, operations: list[str]) -> None:
    invite = await _ask(account)
    token, expected, since = await _token(account, invite), S.PENDING, 0
    for operation in operations:
        # Waiting for 28 days twice expires the invite.
        since += {"remind": 28, "expire": 31}.get(operation, 0)
        expected = _after(expected, "expire" if since >= 30 and operation == "remind" else operation)
        with suppress(DomainError):
            await _do(account, invite, operation, token)
        if operation == "resend" and (expected is S.PENDING):
            token, since = await _token(account, invite), 0
        found = await _now(account, invite)
        assert found.status is expected, operation
        events = await _events(account, invite)
        assert events[-1][1] == found.status
    states = [state for _, state in await _events(account, invite)]
    async with account.ctx.db.reading() as tx:
        _, steps, _ = await service.get_history(tx, account.actor, invite_id=invite.id)
        assert [step.status for step in steps] == states
        assert (await service.page(tx, account.actor, InviteFilter(statuses=[expected]), Window(1000))).items
    for before, after in pairwise(states):
        if after in PROGRESS_ORDER[1:]:
            # No intermediate status is skipped.
            assert before == PROGRESS_ORDER[PROGRESS_ORDER.index(S(after)) - 1]
