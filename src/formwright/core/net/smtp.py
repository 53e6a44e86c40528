"""Mail transport over SMTP (RFC 5321), with a new connection for each email."""

import asyncio
import ipaddress
import socket
import ssl
from dataclasses import dataclass, field
from typing import Literal, cast, get_args
from urllib.parse import parse_qsl, unquote, urlsplit

from aiosmtplib import SMTP, SMTPException, SMTPResponseException

from formwright.core.net.email_message import ComposedMessage, MailFailed, OutgoingMail, Sender, compose

DEADLINE_S = 60.0
"""The timeout of an email, from connecting to the server's last response."""
_QUIT_TIMEOUT_S = 2.0
# Authentication is required, too weak, rejected, or needs encryption (RFC 4954). The operator can fix these.
_AUTHENTICATION_CODES = {530, 534, 535, 538}

Tls = Literal["auto", "required", "none"]


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """The address, credentials and encryption of a mail server.

    `tls` says whether to use STARTTLS: if offered, always, or never. `implicit` means TLS from the first byte (smtps).
    """

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    implicit: bool = False
    tls: Tls = "auto"

    @classmethod
    def parse(cls, url: str) -> "SmtpServer":
        """Parse a URL such as `smtp://user:password@mail.example.org:587?tls=required`.

        Raises `ValueError`. The message does not contain the URL, because that may contain a password.
        """
        try:
            parts, port = urlsplit(url), urlsplit(url).port
        except ValueError:
            # The original message may quote a part of the password.
            raise ValueError(
                "must be smtp://user:password@host:port, with special characters percent-encoded."
            ) from None
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        tls = query.pop("tls", "auto")
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/") or parts.fragment:
            raise ValueError("must be smtp://user:password@host:port or smtps://….")
        if query or tls not in get_args(Tls):
            raise ValueError("accepts ?tls=auto, ?tls=required or ?tls=none, and no other query parameters.")
        implicit = parts.scheme == "smtps"
        return cls(
            parts.hostname,
            port or (465 if implicit else 25),
            unquote(parts.username or ""),
            unquote(parts.password or ""),
            implicit,
            cast(Tls, tls),
        )

    @property
    def is_loopback(self) -> bool:
        """Whether the server is on this machine, so that the connection cannot be intercepted."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class SmtpTransport:
    """Sends emails through one server."""

    def __init__(
        self,
        server: SmtpServer,
        sender: Sender,
        *,
        trust: ssl.SSLContext | None = None,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._smtp_server, self._sender, self._deadline_s = server, sender, deadline_s
        self._trust = trust or ssl.create_default_context()
        self.server = server.host

    def read_sent(self, mail_id: str) -> bytes | None:
        """Return None, because sent emails are not stored."""
        del mail_id
        return None

    def delete_before(self, before_ms: int) -> None:
        """Do nothing, because sent emails are not stored."""

    async def send(self, mail: OutgoingMail) -> None:
        """Send an email. Raises `MailFailed`, which is permanent if the server rejects the email with a 5xx code."""
        message, session = compose(mail, self._sender), _SmtpSession(self._smtp_server, self._trust)
        try:
            async with asyncio.timeout(self._deadline_s):
                await session.send(message)
            await session.quit()
        except TimeoutError as error:
            detail = f"The mail server did not respond in time ({session.stage})."
            raise MailFailed(detail, maybe_sent=session.maybe_sent) from error
        except SMTPResponseException as error:
            raise session.to_failure(error) from error
        except (SMTPException, OSError, ssl.SSLError) as error:
            raise MailFailed(f"{_describe(error)} ({session.stage}).", maybe_sent=session.maybe_sent) from error
        finally:
            session.close()


class _SmtpSession:
    """A session with the server. `stage` is its current stage, for error messages."""

    def __init__(self, server: SmtpServer, trust: ssl.SSLContext) -> None:
        self._server, self._trust = server, trust
        self._smtp = SMTP(
            hostname=server.host,
            port=server.port,
            use_tls=server.implicit,
            start_tls=False,
            tls_context=trust,
            # Otherwise the library looks up the full name in DNS, which blocks.
            local_hostname=_local_hostname(),
            timeout=None,
        )
        self.stage, self.maybe_sent = "connecting", False

    async def send(self, mail: ComposedMessage) -> None:
        await self._smtp.connect()
        await self._start_tls()
        await self._log_in()
        self.stage = "sending"
        options = ["SMTPUTF8"] if mail.utf8 else []
        if mail.utf8 and not self._smtp.supports_extension("smtputf8"):
            raise MailFailed("The mail server does not support non-ASCII addresses.", permanent=True)
        encoding = "utf-8" if mail.utf8 else "ascii"
        await self._smtp.mail(mail.sender, options=options, encoding=encoding)
        await self._smtp.rcpt(mail.recipient, encoding=encoding)
        # From here on, the server may have accepted the email even if its response is lost.
        self.maybe_sent = True
        await self._smtp.data(mail.content)

    async def _start_tls(self) -> None:
        self.stage = "greeting"
        await self._smtp.ehlo()
        if self._server.implicit or self._server.tls == "none":
            return
        if self._smtp.supports_extension("starttls"):
            self.stage = "STARTTLS"
            await self._smtp.starttls(tls_context=self._trust)
            await self._smtp.ehlo()
        elif self._server.tls == "required" or (self._server.user and not self._server.is_loopback):
            raise MailFailed("The mail server does not support TLS. Set ?tls=none to send without encryption.")

    async def _log_in(self) -> None:
        if self._server.user:
            self.stage = "signing in"
            await self._smtp.login(self._server.user, self._server.password)

    def to_failure(self, error: SMTPResponseException) -> MailFailed:
        """Return the failure for an error response. Failed logins are temporary, because the operator can fix them."""
        permanent = self.stage == "sending" and 500 <= error.code < 600 and error.code not in _AUTHENTICATION_CODES
        if self.stage == "signing in":
            return MailFailed(f"The mail server rejected the user name or password: {error.code}.")
        return MailFailed(f"The mail server responded {error.code} {error.message}", permanent=permanent)

    async def quit(self) -> None:
        """End the session. Errors are ignored, because the email has been sent."""
        try:
            async with asyncio.timeout(_QUIT_TIMEOUT_S):
                await self._smtp.quit()
        except (TimeoutError, SMTPException, OSError):
            pass

    def close(self) -> None:
        self._smtp.close()


def _local_hostname() -> str:
    name = socket.gethostname()
    return name if name.isascii() and name.replace("-", "a").replace(".", "a").isalnum() else "localhost"


def _describe(error: BaseException) -> str:
    inner = error.__cause__ if isinstance(error, SMTPException) and error.__cause__ else error
    if isinstance(inner, ssl.SSLCertVerificationError):
        return f"The certificate of the mail server is not trusted: {inner.verify_message}"
    if isinstance(inner, ConnectionRefusedError):
        return "The mail server refused the connection"
    if isinstance(inner, socket.gaierror):
        return "The host name of the mail server does not exist"
    return f"The connection to the mail server failed: {type(inner).__name__}"
