"""Sends email: claim due emails, pass them to the transport, and store the result.

Claiming and storing are short transactions. No transaction is open during network calls.
"""

import asyncio
from collections.abc import Sequence

import msgspec
import structlog
from cryptography.fernet import InvalidToken

from formwright.context import AppContext
from formwright.core.errors import Unavailable
from formwright.core.net.email_message import MailFailed, OutgoingMail
from formwright.domain.mail import queue
from formwright.domain.mail.queue import SCHEDULE_S, Result, Taken
from formwright.domain.mail.templates import Written

AT_ONCE = 8
_LOOK_S = 1.0
_STOP_WITHIN_S = 5.0

log = structlog.get_logger()


class Mailer:
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, schedule_s: Sequence[float] = SCHEDULE_S, *, look_s: float = _LOOK_S) -> None:
        self._ctx, self._schedule_s, self._look_s = ctx, schedule_s, look_s
        self._wake = asyncio.Event()
        self._under_way: set[asyncio.Task[None]] = set()

    def wake(self) -> None:
        """Check for due work now, because a transaction created some."""
        self._wake.set()

    async def run(self) -> None:
        """Send until cancelled. Emails being sent then get five seconds to finish; another worker retries the rest."""
        try:
            while True:
                await self._round()
                await self._rest()
        finally:
            await self._stop()

    async def _round(self) -> None:
        try:
            taken = await self._take()
        except Unavailable as error:
            log.warning("emails delayed: database unavailable", detail=str(error))
        except Exception:
            log.exception("email loop failed and continues")
        else:
            for mail in taken:
                task = asyncio.create_task(self._send(mail))
                self._under_way.add(task)
                task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._under_way.discard(task)
        self._wake.set()  # a slot is free

    async def _take(self) -> list[Taken]:
        free, now = AT_ONCE - len(self._under_way), self._ctx.clock.now()
        async with self._ctx.db.reading() as tx:
            if free <= 0 or not await queue.anything_due(tx, now):
                return []
        async with self._ctx.db.writing() as tx:
            return await queue.take(tx, now, free)

    async def _rest(self) -> None:
        try:
            async with asyncio.timeout(self._look_s):
                await self._wake.wait()
        except TimeoutError:
            pass
        self._wake.clear()

    async def _stop(self) -> None:
        if self._under_way:
            _, left = await asyncio.wait(self._under_way, timeout=_STOP_WITHIN_S)
            for task in left:
                task.cancel()
            await asyncio.gather(*left, return_exceptions=True)

    async def _send(self, mail: Taken) -> None:
        result = await self._carry(mail)
        try:
            async with self._ctx.db.writing() as tx:
                now = self._ctx.clock.now()
                status = await queue.note(tx, result, self._ctx.mail_outcomes, now, self._schedule_s)
        except Unavailable as error:
            # The lease expires and the email is sent again: better twice than never.
            log.warning("email result not stored: database unavailable", mail=mail.id, detail=str(error))
        except Exception:
            log.exception("email result could not be stored", mail=mail.id)
        else:
            self._ctx.metrics.mail(status.lower())
            log.info("mail", mail=mail.id, purpose=mail.purpose, status=status, tries=mail.tries, detail=result.error)

    async def _carry(self, mail: Taken) -> Result:
        if mail.late:
            return Result(mail, "It could not be sent in time, and is of no use any more.", final=True)
        try:
            await self._ctx.mail_transport.carry(self._outgoing(mail))
        except MailFailed as error:
            return Result(mail, str(error), error.final, error.perhaps)
        except InvalidToken:
            words = "It cannot be read: FORMWRIGHT_SECRET_KEY is not the one with which it was stored."
            return Result(mail, words)
        except Exception as error:
            # An unexpected error counts as a failed attempt and must not stop the loop.
            log.exception("email failed unexpectedly", mail=mail.id)
            return Result(mail, f"It failed in a way that nobody foresaw: {type(error).__name__}.", perhaps=True)
        return Result(mail)

    def _outgoing(self, mail: Taken) -> OutgoingMail:
        written = msgspec.json.decode(self._ctx.secret_box.open(mail.body), type=Written)
        return OutgoingMail(
            mail.id,
            mail.address,
            mail.name,
            mail.subject,
            written.text,
            written.html,
            mail.language,
            mail.created,
        )
