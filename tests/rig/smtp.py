"""Real mail servers on loopback that take, refuse, put off, hang or drop, as a test says."""

import asyncio
import email
import ssl
import warnings
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

from rig.server import eventually

OK = "250 OK"
Answer = Callable[["Office", Envelope], Awaitable[str]]


@dataclass
class Office:
    """A mail server with what it took. `recipient` and `data` are its answers to RCPT and to the end of DATA."""

    recipient: str | Answer = OK
    data: str | Answer = OK
    drops: int = 0
    """How many connections are dropped in the middle of DATA before it behaves."""
    port: int = 0
    taken: list[Envelope] = field(default_factory=list)
    logins: list[tuple[str, str]] = field(default_factory=list)
    secure: list[bool] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    @property
    def mails(self) -> list[EmailMessage]:
        """What came in, read as a mail program reads it."""
        contents = [envelope.content for envelope in self.taken]
        return [email.message_from_bytes(one, policy=default) for one in contents if isinstance(one, bytes)]

    async def have(self, count: int) -> list[EmailMessage]:
        """So many mails, as soon as they are here."""

        async def look() -> bool:
            return len(self.taken) >= count

        await eventually(look)
        return self.mails

    async def handle_RCPT(  # noqa: N802
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        del server, session, options
        answer = self.recipient if isinstance(self.recipient, str) else await self.recipient(self, envelope)
        if answer.startswith("2"):
            envelope.rcpt_tos.append(address)
        return answer

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        answer = self.data if isinstance(self.data, str) else await self.data(self, envelope)
        if answer.startswith("2"):
            self.taken.append(envelope)
            self.secure.append(session.ssl is not None or _is_tls(server))
        return answer

    def login(self, server: SMTP, session: Session, envelope: Envelope, way: str, given: Any) -> AuthResult:
        del server, session, envelope, way
        assert isinstance(given, LoginPassword)
        self.logins.append((given.login.decode(), given.password.decode()))
        return AuthResult(success=given.password == b"right", handled=False)


class _Dropping(SMTP):
    """Says 354 and hangs up, as often as its office wants."""

    async def smtp_DATA(self, arg: str) -> None:  # noqa: N802
        office = self.event_handler
        if office.drops > 0:
            office.drops -= 1
            await self.push("354 End data with <CR><LF>.<CR><LF>")
            assert self.transport is not None
            self.transport.close()
            return
        await super().smtp_DATA(arg)


def _is_tls(server: SMTP) -> bool:
    return server.transport is not None and server.transport.get_extra_info("sslcontext") is not None


@asynccontextmanager
async def office(
    it: Office | None = None,
    *,
    starttls: ssl.SSLContext | None = None,
    tls: ssl.SSLContext | None = None,
    login: bool = False,
    port: int = 0,
) -> AsyncIterator[Office]:
    """A running mail server; `starttls` is offered, `tls` begins at once, `login` is insisted on."""
    it = it or Office()

    def serve() -> SMTP:
        with warnings.catch_warnings():
            # A login without TLS is what these tests want, on loopback.
            warnings.simplefilter("ignore")
            return _Dropping(
                it,
                hostname="mail.example.org",
                enable_SMTPUTF8=True,
                tls_context=starttls,
                auth_required=login,
                auth_require_tls=False,
                authenticator=it.login if login else None,
                loop=asyncio.get_running_loop(),
            )

    server = await asyncio.get_running_loop().create_server(serve, "127.0.0.1", port, ssl=tls)
    it.port = server.sockets[0].getsockname()[1]
    try:
        yield it
    finally:
        server.close()


async def never(_: Office, __: Envelope) -> str:
    """No answer at all."""
    await asyncio.Event().wait()
    return OK
