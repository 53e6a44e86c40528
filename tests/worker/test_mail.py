"""Emails from their change to their end: sent once, late rather than never, with an outcome."""

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context, settings_for
from fixtures.server_process import Server, eventually
from fixtures.smtp_server import MailServer, mail_server, never

from formwright.context import AppContext
from formwright.core.db.interface import WriteTransaction
from formwright.core.net.email_message import Sender
from formwright.core.net.smtp import SmtpServer, SmtpTransport
from formwright.core.pagination import Window
from formwright.core.work_kinds import WorkKind
from formwright.domain.mail import queue, service
from formwright.domain.mail.models import Mail, MailNotFound, MailStatus, NewMail, OutcomeHandlers
from formwright.domain.mail.queue import MailResult
from formwright.domain.mail.templates import EmailContent
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.models import NewUser
from formwright.settings import Settings
from formwright.worker.mail_delivery import AT_ONCE, MailWorker

LETTER = EmailContent("Your task", ["Please do it."], ("Open it", "https://forms.test/t/secret-word"))
NEW = NewMail("invite", "inv_1", "ann@example.com", "Ann", "de", LETTER)


@pytest.fixture(scope="module", params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Settings:
    """Each of the two databases in turn, used by these tests only."""
    cluster = request.getfixturevalue("postgres_cluster") if request.param == "postgres" else None
    return settings_for(
        tmp_path_factory.mktemp("mail"), cluster.create_database(f"mail_{worker_id}") if cluster else ""
    )


@pytest.fixture
async def account(place: Settings) -> AsyncIterator[Tenant]:
    """A new account without emails of earlier tests."""
    async with open_migrated_context(place) as ctx:
        async with ctx.db.writing() as tx:
            await tx.execute("DELETE FROM mails")
        yield await create_tenant(ctx)


async def _ask(account: Tenant, new: NewMail = NEW) -> Mail:
    async with account.ctx.db.writing() as tx:
        return await service.enqueue(tx, service.MailSender(account.id, "Harbour", account.ctx.secret_box), new)


async def _mails(account: Tenant) -> list[Mail]:
    async with account.ctx.db.reading() as tx:
        return list((await service.page(tx, account.actor, Window(500))).items)


async def _ended(account: Tenant, count: int = 1) -> list[Mail]:
    async def look() -> list[Mail] | None:
        found = await _mails(account)
        return found if sum(mail.ended is not None for mail in found) >= count else None

    found: list[Mail] = await eventually(look)
    return found


def _by(ctx: AppContext, it: MailServer, outcomes: OutcomeHandlers | None = None, deadline_s: float = 5) -> AppContext:
    """Return the context with this mail server."""
    transport = SmtpTransport(SmtpServer.parse(it.url), Sender("", "forms@example.org"), deadline_s=deadline_s)
    return replace(ctx, mail_transport=transport, mail_outcome_handlers=outcomes or {})


@asynccontextmanager
async def _working(ctx: AppContext, *schedule: float) -> AsyncIterator[MailWorker]:
    mailer = MailWorker(ctx, schedule or (0, 0.01, 0.01, 0.01), poll_interval_s=0.02)
    job = asyncio.create_task(mailer.run())
    try:
        yield mailer
    finally:
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job


async def test_an_email_is_sent_once_and_its_content_is_deleted(account: Tenant) -> None:
    asked = await _ask(account)
    assert asked.status is MailStatus.WAITING
    async with account.ctx.db.reading() as tx:
        [body] = [row[0] for row in await tx.fetch("SELECT body FROM mails")]
    assert "secret-word" not in body
    async with mail_server() as it, _working(_by(account.ctx, it)):
        [sent] = await _ended(account)
    [mail] = it.mails
    part = mail.get_body(("plain",))
    assert part
    assert "https://forms.test/t/secret-word" in part.get_content()
    assert part.get_content().startswith("Guten Tag Ann,")
    assert mail["Message-ID"] == f"<{asked.id}@example.org>"
    assert (sent.status, sent.tries, sent.perhaps_twice, sent.due) == (MailStatus.SENT, 1, False, None)
    async with account.ctx.db.reading() as tx:
        assert [row[0] for row in await tx.fetch("SELECT body FROM mails")] == [None]


async def test_a_change_that_is_rolled_back_sends_nothing(account: Tenant) -> None:
    async def change() -> None:
        async with account.ctx.db.writing() as tx:
            await service.enqueue(tx, service.MailSender(account.id, "Harbour", account.ctx.secret_box), NEW)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await change()
    assert await _mails(account) == []


async def test_a_commit_wakes_only_the_loop_of_its_work(place: Settings) -> None:
    woken: list[Collection[WorkKind]] = []
    async with open_migrated_context(place, on_commit=woken.append) as ctx:
        account = await create_tenant(ctx)
        assert woken == []
        await _ask(account)
    assert woken == [{WorkKind.MAIL}]


async def test_the_outcome_handler_runs_in_the_same_transaction(account: Tenant) -> None:
    outcomes: list[tuple[str, str, str]] = []

    async def tell(tx: WriteTransaction, mail: Mail) -> None:
        outcomes.append((mail.subject_id, mail.status, mail.detail))
        await management.invite(tx, account.actor, NewUser("told@example.org", "Told"))

    it = MailServer(recipient="550 5.1.1 No such user")
    async with mail_server(it), _working(_by(account.ctx, it, {"invite": tell})):
        await _ask(account)
        await _ask(account, replace(NEW, purpose="other", subject_id="oth_1"))
        found = await _ended(account, 2)
    assert outcomes == [("inv_1", "FAILED", "The mail server responded 550 5.1.1 No such user")]
    assert [(mail.status, mail.tries) for mail in found] == [(MailStatus.FAILED, 1)] * 2
    async with account.ctx.db.reading() as tx:
        names = [user.name for user in (await people.page(tx, account.actor, Window(10))).items]
    assert names.count("Told") == 1


async def test_a_failing_outcome_handler_rolls_back_the_result(account: Tenant) -> None:
    async def tell(tx: WriteTransaction, mail: Mail) -> None:
        raise ZeroDivisionError

    async with mail_server() as it, _working(_by(account.ctx, it, {"invite": tell})):
        await _ask(account)
        await it.wait_for(1)
    [mail] = await _mails(account)
    # Its lease expires, and another worker sends it again.
    assert (mail.status, mail.ended) == (MailStatus.WAITING, None)


async def test_an_email_is_retried_after_a_temporary_error(account: Tenant) -> None:
    left = ["451 4.7.1 Come back", "451 4.7.1 Come back"]

    async def answer(_: MailServer, __: object) -> str:
        return left.pop() if left else "250 OK"

    it = MailServer(recipient=answer)
    async with mail_server(it), _working(_by(account.ctx, it)):
        await _ask(account)
        [sent] = await _ended(account)
    assert (sent.status, sent.tries, sent.perhaps_twice, len(it.taken)) == (MailStatus.SENT, 3, False, 1)


async def test_an_email_fails_after_repeated_temporary_errors(account: Tenant) -> None:
    it = MailServer(data="451 4.3.0 Not now")
    async with mail_server(it), _working(_by(account.ctx, it)):
        await _ask(account)
        [failed] = await _ended(account)
    assert (failed.status, failed.tries) == (MailStatus.FAILED, 4)
    assert failed.detail == "The mail server responded 451 4.3.0 Not now"


async def test_a_server_response_with_nul_characters_is_stored(account: Tenant) -> None:
    it = MailServer(recipient="550 No such\0user")
    async with mail_server(it), _working(_by(account.ctx, it)):
        await _ask(account)
        [failed] = await _ended(account)
    assert (failed.status, failed.detail) == (MailStatus.FAILED, "The mail server responded 550 No such user")


@pytest.mark.parametrize("trouble", ["drops", "hangs"])
async def test_an_email_that_may_have_arrived_is_sent_again_and_marked(account: Tenant, trouble: str) -> None:
    it = MailServer(drops=1) if trouble == "drops" else MailServer(data=never)
    async with mail_server(it), _working(_by(account.ctx, it, deadline_s=0.15), 0, 0.1, 0.1, 0.1, 0.1, 0.1):
        await _ask(account)

        async def put_off() -> bool:
            [mail] = await _mails(account)
            return bool(mail.detail)

        await eventually(put_off)
        it.data = "250 OK"
        [sent] = await _ended(account)
    assert (sent.status, sent.perhaps_twice, len(it.taken)) == (MailStatus.SENT, True, 1)


async def test_emails_wait_for_an_unreachable_server(account: Tenant) -> None:
    async with mail_server() as gone:
        pass
    async with _working(_by(account.ctx, gone), *[0.05] * 40):
        await _ask(account)

        async def put_off() -> bool:
            [mail] = await _mails(account)
            return mail.tries > 1

        await eventually(put_off)
        async with mail_server(port=gone.port) as back:
            [sent] = await _ended(account)
    assert (sent.status, sent.perhaps_twice, len(back.taken)) == (MailStatus.SENT, False, 1)


async def test_an_expired_email_is_not_sent(account: Tenant) -> None:
    async with mail_server() as it, _working(_by(account.ctx, it)):
        await _ask(account, replace(NEW, until=account.ctx.clock.now() - 1))
        [failed] = await _ended(account)
    assert (failed.status, it.taken) == (MailStatus.FAILED, [])
    assert "in time" in failed.detail


async def test_a_withdrawn_email_is_not_sent(account: Tenant) -> None:
    await _ask(account)
    kept = await _ask(account, replace(NEW, subject_id="inv_2"))
    async with account.ctx.db.writing() as tx:
        await service.withdraw(tx, account.id, purpose="invite", subject_id="inv_1")
    async with mail_server() as it, _working(_by(account.ctx, it)):
        found = await _ended(account, 2)
    assert {mail.status for mail in found} == {MailStatus.SENT, MailStatus.WITHDRAWN}
    assert [mail["Message-ID"] for mail in it.mails] == [f"<{kept.id}@example.org>"]


async def test_two_workers_send_each_email_once(account: Tenant, place: Settings) -> None:
    async with mail_server() as it, open_migrated_context(place) as other:
        for number in range(16):
            await _ask(account, replace(NEW, subject_id=f"inv_{number}"))
        async with _working(_by(account.ctx, it)), _working(_by(other, it)):
            found = await _ended(account, 16)
    assert len({mail["Message-ID"] for mail in it.mails}) == len(it.taken) == 16
    assert not any(mail.perhaps_twice for mail in found)


async def test_ten_thousand_emails_of_an_account_do_not_delay_others(account: Tenant) -> None:
    """The mail server hangs, so only the emails that are claimed first are attempted."""
    other = await create_tenant(account.ctx)
    for number in range(3 * AT_ONCE):
        asked = await _ask(account, replace(NEW, subject_id=f"inv_{number}"))
    urgent = await _ask(other)
    end = asyncio.Event()

    async def hang(it: MailServer, envelope: object) -> str:
        await end.wait()
        return "250 OK"

    async with mail_server(MailServer(data=hang)) as it, _working(_by(account.ctx, it)):
        await eventually(lambda: _tries(other, urgent))
        end.set()
    async with account.ctx.db.reading() as tx:
        with pytest.raises(MailNotFound):
            await service.get(tx, other.actor, mail_id=asked.id)


async def _tries(account: Tenant, mail: Mail) -> int:
    async with account.ctx.db.reading() as tx:
        return (await service.get(tx, account.actor, mail_id=mail.id)).tries


async def test_a_worker_that_has_lost_its_lease_changes_nothing(account: Tenant, place: Settings) -> None:
    await _ask(account)
    now = account.ctx.clock.now()
    async with account.ctx.db.writing() as tx:
        [stale] = await queue.claim(tx, account.id, now, 1)
        assert await queue.claim(tx, account.id, now + 1000, 1) == []
        [held] = await queue.claim(tx, account.id, now + queue.LEASE_MS + 1, 1)
        await queue.save_result(tx, MailResult(stale, "Too late", permanent=True), {}, now, (0,))
    [mail] = await _mails(account)
    assert (mail.status, mail.tries, mail.perhaps_twice) == (MailStatus.WAITING, 2, True)
    async with account.ctx.db.writing() as tx:
        await queue.save_result(tx, MailResult(held), {}, now, (0,))
    [mail] = await _mails(account)
    assert (mail.status, mail.perhaps_twice) == (MailStatus.SENT, True)


async def test_a_worker_killed_between_sending_and_saving_the_result(account: Tenant, place: Settings) -> None:
    """The process of `formwright worker` is killed when the server has received the email but not responded."""
    it = MailServer()

    async def take_and_hang(_: MailServer, envelope: object) -> str:
        it.taken.append(envelope)
        return await never(it, envelope)

    it.data = take_and_hang
    async with mail_server(it):
        worker = Server(place.data_dir, database_url=place.database_url, SMTP_URL=it.url, MAIL_FROM="f@example.org")
        await _ask(account)
        worker.spawn("worker")
        try:
            await it.wait_for(1)
        finally:
            worker.close()
        it.data = "250 OK"
        later = SetClock(account.ctx.clock.now() + queue.LEASE_MS + 1000)
        async with open_migrated_context(place, clock=later) as ctx, _working(_by(ctx, it)):
            [sent] = await _ended(account)
    assert (sent.status, sent.perhaps_twice, len(it.taken)) == (MailStatus.SENT, True, 2)
    assert len({mail["Message-ID"].partition("@")[0] for mail in it.mails}) == 1


async def test_without_a_server_emails_are_written_to_the_folder(account: Tenant) -> None:
    asked = await _ask(account)
    async with _working(account.ctx):
        await _ended(account)
    content = account.ctx.mail_transport.read_sent(asked.id)
    assert content
    assert b"secret-word" in content


async def test_old_emails_are_deleted(account: Tenant) -> None:
    await _ask(account)
    async with _working(account.ctx):
        [mail] = await _ended(account)
    assert mail.ended
    assert await service.delete_old(account.ctx.db, mail.ended + service.RETENTION_MS) == 0
    assert await service.delete_old(account.ctx.db, mail.ended + service.RETENTION_MS + 1) == 1
    assert await _mails(account) == []
