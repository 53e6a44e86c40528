"""The worker that sends the mails of an application."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace

from actors import Stage
from fixtures.smtp_server import MailServer

from formwright.context import AppContext
from formwright.core.net.email_message import Sender
from formwright.core.net.smtp import SmtpServer, SmtpTransport
from formwright.worker.mail_delivery import MailWorker


@asynccontextmanager
async def mail_worker(stage: Stage, server: MailServer | None = None) -> AsyncIterator[AppContext]:
    """Run the application's worker, with this mail server or without one."""
    before = stage.ctx
    ctx = (
        replace(before, mail_transport=SmtpTransport(SmtpServer.parse(server.url), Sender("", "f@example.org")))
        if server
        else before
    )
    stage.entrance.app.state.ctx = ctx
    job = asyncio.create_task(MailWorker(ctx, (0,), poll_interval_s=0.02).run())
    try:
        yield ctx
    finally:
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job
        stage.entrance.app.state.ctx = before
