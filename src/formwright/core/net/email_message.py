"""Composing emails (RFC 5322) with a text and an HTML part, and the interface of mail transports."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Protocol

MAX_ADDRESS_LENGTH = 254
"""A path has at most 256 characters, including its angle brackets (RFC 5321, 4.5.3.1.3)."""
_MAX_HEADER_LENGTH = 200


class MailFailed(Exception):
    """An email was not sent. The message says why, in one line.

    `permanent`: retrying is pointless. `maybe_sent`: the email may have been sent nevertheless.
    """

    def __init__(self, detail: str, *, permanent: bool = False, maybe_sent: bool = False) -> None:
        text = detail.encode("utf-8", "replace").decode()
        # The text may come from a mail server, and PostgreSQL cannot store NUL characters.
        text = "".join(letter if letter.isprintable() else " " for letter in text)
        super().__init__(" ".join(text.split())[:300] or "It failed.")
        self.permanent, self.maybe_sent = permanent, maybe_sent


@dataclass(frozen=True, slots=True)
class Attachment:
    """A file in an email, with the two parts of its media type."""

    name: str
    main_type: str
    subtype: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """An email to one person. The `id` is part of its Message-ID, which is the same for every attempt.

    `date` is in milliseconds. `sender_name` is shown instead of the name of the `Sender`, if it is not empty.
    """

    id: str
    to_address: str
    to_name: str
    subject: str
    text: str = field(repr=False)
    html: str = field(repr=False)
    language: str
    date: int
    sender_name: str = ""
    attachment: Attachment | None = None


class MailTransport(Protocol):
    """Sends emails: `SmtpTransport` or `MailFolder`."""

    @property
    def server(self) -> str:
        """The name of the mail server; empty if emails are written to a folder."""

    async def send(self, mail: OutgoingMail) -> None:
        """Send an email. Raises `MailFailed`."""

    def read_sent(self, mail_id: str) -> bytes | None:
        """Return a sent email with its headers, or None if the transport does not store emails."""

    def delete_before(self, before_ms: int) -> None:
        """Delete stored emails that are older than a time (milliseconds)."""


@dataclass(frozen=True, slots=True)
class Sender:
    """The sender of emails: the displayed name, and the address, which also receives bounces."""

    name: str
    address: str

    @classmethod
    def parse(cls, text: str) -> "Sender":
        """Parse `Forms <forms@example.org>` or a bare address. Raises `ValueError`."""
        name, address = parseaddr(text) if text.isprintable() else ("", "")
        if not is_address(address):
            raise ValueError(f"must be an address such as Forms <forms@example.org>, not {text!r}.")
        return cls(name, _with_ascii_domain(address))


def is_address(text: str) -> bool:
    """Return whether the text is a plausible email address, with a valid host name as its domain."""
    local, _, domain = text.rpartition("@")
    if not local or len(text) > MAX_ADDRESS_LENGTH or any(c.isspace() or not c.isprintable() for c in text):
        return False
    if any(letter in local for letter in '@()<>[]:;,\\"') or local[0] == "." or local[-1] == "." or ".." in local:
        return False
    try:
        labels = domain.encode("idna").decode().split(".")
    except UnicodeError:
        return False
    return all(label.replace("-", "a").isalnum() and label[0] != "-" != label[-1] for label in labels)


def _with_ascii_domain(address: str) -> str:
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.encode('idna').decode()}"


@dataclass(frozen=True, slots=True)
class ComposedMessage:
    """The bytes of a mail, and the addresses of its envelope; `utf8` when these are beyond ASCII (RFC 6531)."""

    sender: str
    recipient: str
    utf8: bool
    content: bytes = field(repr=False)


def compose(mail: OutgoingMail, sender: Sender) -> ComposedMessage:
    """Return the message as bytes. Names and subject cannot inject headers. Raises `MailFailed` for a bad address."""
    if not is_address(mail.to_address):
        raise MailFailed("The address is not a valid email address.", permanent=True)
    recipient = _with_ascii_domain(mail.to_address)
    utf8 = not (recipient + sender.address).isascii()
    message = EmailMessage(policy=SMTP.clone(utf8=utf8))
    message["From"] = _header_address(mail.sender_name or sender.name, sender.address)
    message["To"] = _header_address(mail.to_name, recipient)
    message["Subject"] = _to_header_line(mail.subject)
    message["Date"] = format_datetime(datetime.fromtimestamp(mail.date // 1000, UTC))
    message["Message-ID"] = f"<{mail.id}@{sender.address.rpartition('@')[2]}>"
    # Suppresses out-of-office replies (RFC 3834).
    message["Auto-Submitted"] = "auto-generated"
    # Quoted-printable, because lines of HTML may be longer than the 998 characters of RFC 5322, 2.1.1.
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    message["Content-Language"] = mail.language
    # Fixed boundaries, so that every attempt sends the same bytes. Quoted-printable and base64 text never contain "=_".
    message.set_boundary(f"=_{mail.id}")
    if mail.attachment:
        file = mail.attachment
        name = _to_header_line(file.name)
        message.add_attachment(file.content, maintype=file.main_type, subtype=file.subtype, filename=name)
        message.set_boundary(f"=_{mail.id}_mixed")
    return ComposedMessage(sender.address, recipient, utf8, message.as_bytes())


def _header_address(name: str, address: str) -> Address:
    local, _, domain = address.rpartition("@")
    return Address(_to_header_line(name), local, domain)


def _to_header_line(text: str) -> str:
    """Return the printable characters as one line, because a line break in a name would begin another header.

    Encoded words (RFC 2047) are made invalid: the library would decode them, including line breaks.
    """
    printable = "".join(letter if letter.isprintable() else " " for letter in text).replace("=?", "= ?")
    return " ".join(printable.encode("utf-8", "replace").decode().split())[:_MAX_HEADER_LENGTH]
