"""Mails to a server (RFC 5321), each on a connection of its own."""

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
"""How long one mail may take, from connecting to the server's last word."""
_QUIT_TIMEOUT_S = 2.0
_AUTHENTICATION_CODES = {530, 534, 535, 538}

Tls = Literal["auto", "required", "none"]


@dataclass(frozen=True, slots=True)
class SmtpServer:
    """Where to, and how. `tls`: taken when offered, insisted on, or left; `implicit`: from the first byte on."""

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    implicit: bool = False
    tls: Tls = "auto"

    @classmethod
    def parse(cls, url: str) -> "SmtpServer":
        """From `smtp://user:password@mail.example.org:587?tls=required`. ValueError says what is wrong, without it."""
        try:
            parts, port = urlsplit(url), urlsplit(url).port
        except ValueError:
            # What cannot be read there may be a part of the password.
            raise ValueError(
                "must be smtp://user:password@host:port, with % and two digits for what is special."
            ) from None
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        tls = query.pop("tls", "auto")
        if parts.scheme not in ("smtp", "smtps") or not parts.hostname or parts.path.strip("/") or parts.fragment:
            raise ValueError("must be smtp://user:password@host:port or smtps://….")
        if query or tls not in get_args(Tls):
            raise ValueError("takes ?tls=auto, ?tls=required or ?tls=none, and nothing else behind the question mark.")
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
    def is_here(self) -> bool:
        """Whether it is on this machine, so that nobody listens between."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"


class SmtpTransport:
    """Hands mails to one server."""

    def __init__(
        self,
        server: SmtpServer,
        sender: Sender,
        *,
        trust: ssl.SSLContext | None = None,
        deadline_s: float = DEADLINE_S,
    ) -> None:
        self._to, self._sender, self._deadline_s = server, sender, deadline_s
        self._trust = trust or ssl.create_default_context()
        self.server = server.host

    def read_sent(self, mail_id: str) -> bytes | None:
        """Nothing: what was handed over is not here any more."""
        del mail_id
        return None

    def delete_before(self, before_ms: int) -> None:
        """Nothing is kept."""

    async def send(self, mail: OutgoingMail) -> None:
        """Hand one mail over. What the server refuses for good (5xx) is final; all else may be tried again."""
        composed, talk = compose(mail, self._sender), _SmtpSession(self._to, self._trust)
        try:
            async with asyncio.timeout(self._deadline_s):
                await talk.hand_over(composed)
            await talk.end()
        except TimeoutError as error:
            words = f"The mail server did not answer in time ({talk.at})."
            raise MailFailed(words, maybe_sent=talk.maybe_sent) from error
        except SMTPResponseException as error:
            raise talk.refused(error) from error
        except (SMTPException, OSError, ssl.SSLError) as error:
            raise MailFailed(f"{_describe(error)} ({talk.at}).", maybe_sent=talk.maybe_sent) from error
        finally:
            talk.hang_up()


class _SmtpSession:
    """One conversation with the server; `at` says how far it is."""

    def __init__(self, to: SmtpServer, trust: ssl.SSLContext) -> None:
        self._to, self._trust = to, trust
        self._smtp = SMTP(
            hostname=to.host,
            port=to.port,
            use_tls=to.implicit,
            start_tls=False,
            tls_context=trust,
            # The library would ask the network for the full name, and wait for it.
            local_hostname=_local_hostname(),
            timeout=None,
        )
        self.at, self.maybe_sent = "connecting", False

    async def hand_over(self, mail: ComposedMessage) -> None:
        await self._smtp.connect()
        await self._secure()
        await self._log_in()
        self.at = "handing over"
        options = ["SMTPUTF8"] if mail.utf8 else []
        if mail.utf8 and not self._smtp.supports_extension("smtputf8"):
            raise MailFailed("The mail server takes no addresses with letters beyond ASCII.", permanent=True)
        encoding = "utf-8" if mail.utf8 else "ascii"
        await self._smtp.mail(mail.sender, options=options, encoding=encoding)
        await self._smtp.rcpt(mail.recipient, encoding=encoding)
        # From here on it may have been taken although we never hear of it.
        self.maybe_sent = True
        await self._smtp.data(mail.content)

    async def _secure(self) -> None:
        self.at = "greeting"
        await self._smtp.ehlo()
        if self._to.implicit or self._to.tls == "none":
            return
        if self._smtp.supports_extension("starttls"):
            self.at = "STARTTLS"
            await self._smtp.starttls(tls_context=self._trust)
            await self._smtp.ehlo()
        elif self._to.tls == "required" or (self._to.user and not self._to.is_here):
            raise MailFailed("The mail server offers no TLS, and without it nothing is sent (?tls=none allows it).")

    async def _log_in(self) -> None:
        if self._to.user:
            self.at = "signing in"
            await self._smtp.login(self._to.user, self._to.password)

    def refused(self, error: SMTPResponseException) -> MailFailed:
        """What the server answered. Only what it says of this mail is final; a login can be mended."""
        permanent = self.at == "handing over" and 500 <= error.code < 600 and error.code not in _AUTHENTICATION_CODES
        if self.at == "signing in":
            return MailFailed(f"The mail server does not take the user and the password: {error.code}.")
        return MailFailed(f"The mail server answered {error.code} {error.message}", permanent=permanent)

    async def end(self) -> None:
        """Say goodbye; what was handed over stays so, whatever comes of it."""
        try:
            async with asyncio.timeout(_QUIT_TIMEOUT_S):
                await self._smtp.quit()
        except (TimeoutError, SMTPException, OSError):
            pass

    def hang_up(self) -> None:
        self._smtp.close()


def _local_hostname() -> str:
    name = socket.gethostname()
    return name if name.isascii() and name.replace("-", "a").replace(".", "a").isalnum() else "localhost"


def _describe(error: BaseException) -> str:
    inner = error.__cause__ if isinstance(error, SMTPException) and error.__cause__ else error
    if isinstance(inner, ssl.SSLCertVerificationError):
        return f"The certificate of the mail server is not trusted: {inner.verify_message}"
    if isinstance(inner, ConnectionRefusedError):
        return "The mail server takes no connections"
    if isinstance(inner, socket.gaierror):
        return "The name of the mail server is not known"
    return f"The connection to the mail server failed: {type(inner).__name__}"
