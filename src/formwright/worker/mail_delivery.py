"""Sends email: claim due emails, pass them to the transport, and store the result.

Claiming and storing are short transactions. No transaction is open during network calls.
"""

import asyncio
from collections.abc import Sequence

import msgspec
import structlog
from cryptography.fernet import InvalidToken

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.errors import Unavailable
from formwright.core.net.email_message import MailFailed, OutgoingMail
from formwright.core.work_kinds import WorkKind
from formwright.domain.mail import queue
from formwright.domain.mail.models import FinishedEmail
from formwright.domain.mail.queue import SCHEDULE_S, ClaimedMail, MailResult
from formwright.domain.mail.templates import RenderedEmail
from formwright.worker.due_accounts import TaskWorker

AT_ONCE = 8
_POLL_INTERVAL_S = 1.0
_STOP_TIMEOUT_S = 5.0

log = structlog.get_logger()


class MailWorker(TaskWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(
        self, ctx: AppContext, schedule_s: Sequence[float] = SCHEDULE_S, *, poll_interval_s: float = _POLL_INTERVAL_S
    ) -> None:
        super().__init__(ctx, WorkKind.MAIL, AT_ONCE, poll_interval_s=poll_interval_s, fill_at_once=True)
        self._schedule_s = schedule_s

    async def _work(self, customer_id: str, share: int) -> bool:
        """Claim due emails of an account and start sending them."""
        async with self._ctx.db.writing() as tx:
            now = self._ctx.clock.now()
            mails = await queue.claim(tx, customer_id, now, share)
            await due_work.settle(tx, WorkKind.MAIL, customer_id, now, queue.DUE.find_next_due)
        for mail in mails:
            self._start(self._send(mail))
        return bool(mails)

    async def _end_tasks(self) -> None:
        """Give emails that are being sent five seconds to finish; another worker retries the rest."""
        if self._running:
            _, left = await asyncio.wait(self._running, timeout=_STOP_TIMEOUT_S)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _send(self, mail: ClaimedMail) -> None:
        result = await self._transport(mail)
        try:
            async with self._ctx.db.writing() as tx:
                now = self._ctx.clock.now()
                status = await queue.save_result(tx, result, self._ctx.mail_outcome_handlers, now, self._schedule_s)
        except Unavailable as error:
            # The lease expires and the email is sent again: better twice than never.
            log.warning("email result not stored: database unavailable", mail=mail.id, detail=str(error))
        except Exception:
            log.exception("email result could not be stored", mail=mail.id)
        else:
            self._ctx.metrics.record_mail(status.lower())
            log.info("mail", mail=mail.id, purpose=mail.purpose, status=status, tries=mail.tries, detail=result.error)

    async def _transport(self, mail: ClaimedMail) -> MailResult:
        if mail.is_expired:
            return MailResult(mail, "The email could not be sent in time.", permanent=True)
        try:
            await self._ctx.mail_transport.send(await self._outgoing(mail))
        except MailFailed as error:
            return MailResult(mail, str(error), error.permanent, error.maybe_sent)
        except InvalidToken:
            return MailResult(mail, "The email cannot be decrypted, because FORMWRIGHT_SECRET_KEY has changed.")
        except Exception as error:
            # An unexpected error counts as a failed attempt and must not stop the loop.
            log.exception("email failed unexpectedly", mail=mail.id)
            return MailResult(mail, f"An internal error occurred: {type(error).__name__}.", maybe_sent=True)
        return MailResult(mail, only_saved=not self._ctx.mail_transport.server)

    async def _outgoing(self, mail: ClaimedMail) -> OutgoingMail:
        rendered = msgspec.json.decode(self._ctx.secret_box.open(mail.body), type=RenderedEmail)
        finish = self._ctx.email_finishers.get(mail.purpose)
        finished = await finish(self._ctx.db, self._ctx.files, mail) if finish else FinishedEmail()
        rendered = finished.rendered or rendered
        return OutgoingMail(
            mail.id,
            mail.address,
            mail.name,
            mail.subject,
            rendered.text,
            rendered.html,
            mail.language,
            mail.created,
            rendered.sender_name,
            finished.attachment,
        )
