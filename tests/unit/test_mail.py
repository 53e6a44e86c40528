"""Composed emails: headers, parts and addresses, the settings for sending them, and the mail folder."""

import asyncio
import email
from dataclasses import replace
from email.message import EmailMessage
from email.policy import default
from pathlib import Path
from typing import cast

import pytest

from formwright.core.net.email_file_backend import MailFolder
from formwright.core.net.email_message import MailFailed, OutgoingMail, Sender, compose, is_address
from formwright.core.net.smtp import SmtpServer
from formwright.domain.mail.templates import EmailContent, choose_language, format_deadline, format_time, render_email

SENDER = Sender("Harbour, Ltd.", "forms@example.org")
MAIL = OutgoingMail(
    id="mail_01j",
    to_address="ann@example.com",
    to_name="Ann Berg",
    subject="Hello",
    text="Hello Ann,\n\nread this.\n",
    html="<p>Hello Ann</p>",
    language="en",
    date=1_700_000_000_000,
)


def _read(mail: OutgoingMail, sender: Sender = SENDER) -> EmailMessage:
    return cast(EmailMessage, email.message_from_bytes(compose(mail, sender).content, policy=default))


def test_an_email_has_all_required_headers() -> None:
    read = _read(MAIL)
    assert [read[name] for name in ("To", "Subject", "Auto-Submitted", "Message-ID", "Date", "Content-Language")] == [
        "Ann Berg <ann@example.com>",
        "Hello",
        "auto-generated",
        "<mail_01j@example.org>",
        "Tue, 14 Nov 2023 22:13:20 +0000",
        "en",
    ]
    assert read["From"].addresses[0].display_name == "Harbour, Ltd."
    text, html = (read.get_body((kind,)) for kind in ("plain", "html"))
    assert text
    assert html
    assert [part.get_content().split() for part in (text, html)] == [MAIL.text.split(), MAIL.html.split()]


@pytest.mark.parametrize(
    "typed",
    [
        "Ann\r\nBcc: all@example.com",
        "Ann\nX-Evil: 1\n\nbody",
        "\rBcc: all@example.com",
        "Ann\x0bBcc: x\x0c\x1c\x85\u2028y",
        'Ann" <evil@example.com>, "B',
        "Ann, <evil@example.com>",
        "=?utf-8?q?Ann=0D=0ABcc:_x?=",
        "Ünal 🎉 " * 60,
        "أحمد\u202e",
        "a" * 5000,
        "\0",
        "",
    ],
)
def test_names_and_subjects_cannot_inject_headers(typed: str) -> None:
    plain = {name.lower() for name in _read(MAIL)}
    content = compose(replace(MAIL, to_name=typed, subject=typed), SENDER).content
    read = cast(EmailMessage, email.message_from_bytes(content, policy=default))
    assert {name.lower() for name in read} == plain
    assert [one.addr_spec for one in read["To"].addresses] == ["ann@example.com"]
    assert all(len(line) <= 998 for line in content.split(b"\r\n"))
    assert b"\r" not in content.replace(b"\r\n", b"")


def test_non_ascii_characters_arrive() -> None:
    read = _read(replace(MAIL, to_name="Zoë 🎉", subject="Grüße – 你好"))
    assert (read["To"].addresses[0].display_name, str(read["Subject"])) == ("Zoë 🎉", "Grüße – 你好")


def test_non_ascii_domains_are_encoded_and_non_ascii_local_parts_use_utf8() -> None:
    domain = compose(replace(MAIL, to_address="ann@bücher.example.org"), SENDER)
    assert (domain.recipient, domain.utf8) == ("ann@xn--bcher-kva.example.org", False)
    name = compose(replace(MAIL, to_address="änn@example.org"), SENDER)
    assert (name.recipient, name.utf8) == ("änn@example.org", True)
    assert "änn@example.org".encode() in name.content


@pytest.mark.parametrize(
    "text", ["ann@example.org", "a.b+c@sub.example.org", "änn@bücher.example", "o'neil@example.org", "root@localhost"]
)
def test_addresses(text: str) -> None:
    assert is_address(text)


NO_ADDRESSES = (
    *("", "ann", "@example.org", "ann@", "a@b@c.org", "ann@-example.org", "ann@example..org", "ann@ex_ample"),
    *(".ann@example.org", "a..b@example.org", "<ann@example.org>", "ann,bob@example.org", "a" * 250 + "@example.org"),
    *("a b@example.org", "ann@ex ample.org", "ann@example.org\r\nBcc: x", "ann@example.org\0", "ann@\u202eorg"),
    "ann@" + "a" * 64 + ".org",
)


@pytest.mark.parametrize("text", NO_ADDRESSES)
def test_an_invalid_address_is_a_permanent_failure(text: str) -> None:
    assert not is_address(text)
    with pytest.raises(MailFailed) as failure:
        compose(replace(MAIL, to_address=text), SENDER)
    assert failure.value.permanent


def test_an_email_is_rendered_in_its_language_and_escapes_user_input() -> None:
    letter = EmailContent("Task", ["<b>Please</b>\nsoon"], ("Open", "https://forms.test/x?a=1&b=2"), ["Until Friday"])
    english = render_email(letter, name="{0} <i>Ann</i>", account="<Harbour>", language="en-GB")
    german = render_email(letter, name="", account="Hafen", language="de-AT")
    assert english.text.startswith(
        "Hello {0} <i>Ann</i>,\n\n<b>Please</b>\nsoon\n\nOpen:\nhttps://forms.test/x?a=1&b=2"
    )
    assert german.text.startswith("Guten Tag,\n")
    assert "<b>" not in english.html
    assert "<i>" not in english.html
    assert "&lt;b&gt;Please&lt;/b&gt;<br>soon" in english.html
    assert 'href="https://forms.test/x?a=1&amp;b=2"' in english.html
    assert render_email(letter, name="Ann", account="x", language="tlh").text.startswith("Hello Ann,")


# Settings


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("smtp://mail.example.org", SmtpServer("mail.example.org", 25)),
        ("smtps://mail.example.org", SmtpServer("mail.example.org", 465, implicit=True)),
        ("smtp://u%40x:p%3A%2F@h:587?tls=required", SmtpServer("h", 587, "u@x", "p:/", tls="required")),
        ("smtp://[::1]:2525?tls=none", SmtpServer("::1", 2525, tls="none")),
    ],
)
def test_valid_smtp_urls(url: str, server: SmtpServer) -> None:
    assert SmtpServer.parse(url) == server
    assert "p:/" not in repr(server)


NO_SERVERS = (
    *("", "mail.example.org", "http://x", "smtp://", "smtp://x:99999", "smtp://x:a", "smtp://x/y", "smtp://x#y"),
    *("smtp://x?tls=maybe", "smtp://user:secret@x?ttl=1"),
)


@pytest.mark.parametrize("url", NO_SERVERS)
def test_invalid_smtp_urls_are_rejected_without_revealing_the_password(url: str) -> None:
    with pytest.raises(ValueError, match=r"\w") as failure:
        SmtpServer.parse(url)
    assert "secret" not in str(failure.value)


def test_senders() -> None:
    assert Sender.parse("Forms <forms@example.org>") == Sender("Forms", "forms@example.org")
    assert Sender.parse("forms@bücher.example") == Sender("", "forms@xn--bcher-kva.example")
    for text in ("", "Forms", "Forms <>", "a@b@c", "Forms\n<forms@example.org>"):
        with pytest.raises(ValueError, match="must be an address"):
            Sender.parse(text)


# The folder


async def test_emails_in_a_folder_are_complete_and_private(tmp_path: Path) -> None:
    folder = MailFolder(tmp_path / "mail", SENDER)
    await folder.send(MAIL)
    assert folder.read_sent("mail_01j") == compose(MAIL, SENDER).content
    assert folder.read_sent("mail_02") is None
    [file] = (tmp_path / "mail").iterdir()
    assert (file.name, file.stat().st_mode & 0o77, file.parent.stat().st_mode & 0o77) == ("mail_01j.eml", 0, 0)
    folder.delete_before(0)
    assert folder.read_sent("mail_01j")
    folder.delete_before(2**53)
    assert folder.read_sent("mail_01j") is None


async def test_two_processes_clean_up_a_folder_concurrently(tmp_path: Path) -> None:
    folder = MailFolder(tmp_path, SENDER)
    for number in range(1000):
        (tmp_path / f"mail_{number}.eml").touch()
    await asyncio.gather(*(asyncio.to_thread(folder.delete_before, 2**53) for _ in range(4)))
    assert not any(folder.read_sent(f"mail_{number}") for number in range(1000))


async def test_a_folder_that_is_not_writable_is_reported(tmp_path: Path) -> None:
    (tmp_path / "mail").write_text("a file")
    with pytest.raises(MailFailed, match="not writable") as failure:
        await MailFolder(tmp_path / "mail", SENDER).send(MAIL)
    assert not failure.value.permanent


def test_an_id_with_a_path_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="not the id of an email"):
        MailFolder(tmp_path, SENDER).read_sent("../secret")


def test_times_are_formatted_in_the_language_of_the_email() -> None:
    ms = 1_798_066_800_000  # 2026-12-23T23:00:00Z
    assert format_deadline(ms, "Europe/Berlin", "de") == "Mittwoch, 23. Dezember 2026"
    assert format_deadline(ms, "Europe/Berlin", "en") == "Wednesday, 23 December 2026"
    assert format_deadline(ms, "UTC", "en") == "Wednesday, 23 December 2026, 23:00 (UTC)"
    assert format_time(ms, "Europe/Berlin", "de") == "Donnerstag, 24. Dezember 2026, 00:00 Uhr (Europe/Berlin)"


@pytest.mark.parametrize(
    ("tags", "language"), [(("fr", "de-CH"), "de"), (("en-GB", "de"), "en"), (("", "pl"), "en"), (("DE", "en"), "de")]
)
def test_emails_use_the_language_of_the_user_or_of_the_account(tags: tuple[str, ...], language: str) -> None:
    assert choose_language(*tags) == language
