"""A mail as it goes out: who, what, and the bytes of it (RFC 5322, with a text and an HTML part)."""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime, parseaddr
from typing import Protocol

MAX_ADDRESS_LENGTH = 254
_MAX_HEADER_LENGTH = 200


class MailFailed(Exception):
    """A mail did not go out; the text says why, in one line.

    `final`: another try would end the same. `perhaps`: it may have gone out all the same.
    """

    def __init__(self, detail: str, *, permanent: bool = False, maybe_sent: bool = False) -> None:
        text = detail.encode("utf-8", "replace").decode()
        # Servers answer with what they like, and not every database takes a NUL.
        text = "".join(letter if letter.isprintable() else " " for letter in text)
        super().__init__(" ".join(text.split())[:300] or "It failed.")
        self.permanent, self.maybe_sent = permanent, maybe_sent


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail to one person. `id` names it in its Message-ID, the same at every try; `date` in milliseconds."""

    id: str
    to_address: str
    to_name: str
    subject: str
    text: str = field(repr=False)
    html: str = field(repr=False)
    language: str
    date: int


class MailTransport(Protocol):
    """What takes mails away."""

    @property
    def server(self) -> str:
        """Where the mails go: the name of the server; empty where they are put into a folder."""

    async def send(self, mail: OutgoingMail) -> None:
        """Take one mail; `MailFailed` when that did not work."""

    def read_sent(self, mail_id: str) -> bytes | None:
        """The whole mail, where it can be read again."""

    def delete_before(self, before_ms: int) -> None:
        """Keep no mail that is older (milliseconds)."""


@dataclass(frozen=True, slots=True)
class Sender:
    """Who sends: the name is shown, the address gets what cannot be delivered."""

    name: str
    address: str

    @classmethod
    def parse(cls, text: str) -> "Sender":
        """From `Forms <forms@example.org>` or the bare address; ValueError when it is neither."""
        name, address = parseaddr(text) if text.isprintable() else ("", "")
        if not is_address(address):
            raise ValueError(f"must be an address such as Forms <forms@example.org>, not {text!r}.")
        return cls(name, _with_ascii_domain(address))


def is_address(text: str) -> bool:
    """Whether it can be a mail address: one `@`, a name before it, a domain of sane letters behind it."""
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
    """The mail in bytes. Whatever stands in its names and its subject stays in that header."""
    if not is_address(mail.to_address):
        raise MailFailed("The address is none that a mail can go to.", permanent=True)
    recipient = _with_ascii_domain(mail.to_address)
    utf8 = not (recipient + sender.address).isascii()
    message = EmailMessage(policy=SMTP.clone(utf8=utf8))
    message["From"] = _header_address(sender.name, sender.address)
    message["To"] = _header_address(mail.to_name, recipient)
    message["Subject"] = _to_header_line(mail.subject)
    message["Date"] = format_datetime(datetime.fromtimestamp(mail.date // 1000, UTC))
    message["Message-ID"] = f"<{mail.id}@{sender.address.rpartition('@')[2]}>"
    # RFC 3834: no absence note answers this.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(mail.text, cte="quoted-printable")
    message.add_alternative(mail.html, subtype="html", cte="quoted-printable")
    message["Content-Language"] = mail.language
    # Every try sends the same bytes. Quoted-printable text never has "=_".
    message.set_boundary(f"=_{mail.id}")
    return ComposedMessage(sender.address, recipient, utf8, message.as_bytes())


def _header_address(name: str, address: str) -> Address:
    local, _, domain = address.rpartition("@")
    return Address(_to_header_line(name), local, domain)


def _to_header_line(text: str) -> str:
    """One line of what can be printed: a line break in a name would begin another header.

    Also one that is written as an encoded word (RFC 2047), which the library decodes before it writes.
    """
    kept = "".join(letter if letter.isprintable() else " " for letter in text).replace("=?", "= ?")
    return " ".join(kept.encode("utf-8", "replace").decode().split())[:_MAX_HEADER_LENGTH]
