"""Sending emails to a real SMTP server: encryption, authentication, and the meaning of its responses."""

import ssl
from dataclasses import replace
from pathlib import Path

import pytest
from fixtures.smtp_server import MailServer, mail_server, never
from unit.test_mail import MAIL, SENDER

from formwright.cli.tls import ensure_localhost_certificate
from formwright.core.net.email_message import MailFailed
from formwright.core.net.smtp import SmtpServer, SmtpTransport


async def _carry(it: MailServer, query: str = "", *, user: str = "", scheme: str = "smtp", **how: object) -> None:
    url = f"{scheme}://{user}127.0.0.1:{it.port}{query}"
    await SmtpTransport(SmtpServer.parse(url), SENDER, **how).send(MAIL)


async def _fails(it: MailServer, query: str = "", **how: object) -> MailFailed:
    with pytest.raises(MailFailed) as failure:
        await _carry(it, query, **how)
    return failure.value


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return the TLS context of a server, and of a client that trusts it."""
    certificate = ensure_localhost_certificate(tmp_path_factory.mktemp("tls"))
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate.cert, certificate.key)
    return server, ssl.create_default_context(cafile=certificate.ca)


async def test_a_server_accepts_an_email() -> None:
    async with mail_server() as it:
        await _carry(it)
        await SmtpTransport(SmtpServer.parse(it.url), SENDER).send(replace(MAIL, to_address="änn@example.org"))
    assert [(one.mail_from, one.rcpt_tos) for one in it.taken] == [
        ("forms@example.org", ["ann@example.com"]),
        ("forms@example.org", ["änn@example.org"]),
    ]
    assert it.mails[0]["Subject"] == "Hello"


@pytest.mark.parametrize(
    ("it", "final", "perhaps"),
    [
        (MailServer(recipient="550 5.1.1 No such user"), True, False),
        (MailServer(recipient="451 4.7.1 Greylisted"), False, False),
        (MailServer(data="554 5.7.1 Spam"), True, True),
        (MailServer(data="452 4.3.1 Full"), False, True),
        (MailServer(drops=1), False, True),
        (MailServer(recipient="530 5.7.0 Authentication required"), False, False),
    ],
    ids=["refuses", "puts off", "refuses it all", "is full", "drops", "wants a login"],
)
async def test_permanent_and_temporary_failures(it: MailServer, final: bool, perhaps: bool) -> None:
    async with mail_server(it):
        failure = await _fails(it)
    assert failure.permanent is final
    assert it.taken == []
    if it.drops == 0 and isinstance(it.recipient, str) and not it.recipient.startswith("250"):
        assert it.recipient[:9] in str(failure)
    assert failure.maybe_sent is (perhaps and it.data == "250 OK")


@pytest.mark.parametrize(("it", "perhaps"), [(MailServer(recipient=never), False), (MailServer(data=never), True)])
async def test_a_server_that_hangs_times_out(it: MailServer, perhaps: bool) -> None:
    async with mail_server(it):
        failure = await _fails(it, deadline_s=0.2)
    assert (failure.permanent, failure.maybe_sent) == (False, perhaps)
    assert "in time" in str(failure)


async def test_a_refused_connection() -> None:
    async with mail_server() as it:
        pass
    failure = await _fails(it)
    assert (failure.permanent, str(failure)) == (False, "The mail server refused the connection (connecting).")


async def test_starttls_is_used_if_offered_and_the_certificate_is_verified(
    tls: tuple[ssl.SSLContext, ssl.SSLContext],
) -> None:
    server, trust = tls
    async with mail_server(starttls=server) as it:
        await _carry(it, trust=trust)
        await _carry(it, "?tls=required", trust=trust)
        await _carry(it, "?tls=none")
        failure = await _fails(it)
    assert it.secure == [True, True, False]
    assert (failure.permanent, "is not trusted" in str(failure)) == (False, True)


async def test_implicit_tls(tls: tuple[ssl.SSLContext, ssl.SSLContext]) -> None:
    server, trust = tls
    async with mail_server(tls=server) as it:
        await _carry(it, scheme="smtps", trust=trust)
        failure = await _fails(it, scheme="smtps")
    assert it.secure == [True]
    assert "is not trusted" in str(failure)


async def test_required_tls_that_is_not_offered() -> None:
    async with mail_server() as it:
        failure = await _fails(it, "?tls=required")
    assert (it.taken, failure.permanent, "does not support TLS" in str(failure)) == ([], False, True)


async def test_a_password_is_not_sent_unencrypted_to_another_machine() -> None:
    async with mail_server(login=True) as it:
        # A notation of loopback that only a name lookup understands, so it counts as another machine.
        there = SmtpServer("127.1", it.port, "ann", "right")
        with pytest.raises(MailFailed, match="does not support TLS") as failure:
            await SmtpTransport(there, SENDER).send(MAIL)
        assert (it.logins, failure.value.permanent) == ([], False)
        await SmtpTransport(replace(there, tls="none"), SENDER).send(MAIL)
    assert it.logins == [("ann", "right")]


async def test_authentication(tmp_path: Path) -> None:
    async with mail_server(login=True) as it:
        await _carry(it, user="ann:right@")
        wrong = await _fails(it, user="ann:wrong@")
        without = await _fails(it)
    assert it.logins[:2] == [("ann", "right"), ("ann", "wrong")]
    assert len(it.taken) == 1
    # The operator can fix this, so the email waits.
    assert not wrong.permanent
    assert not without.permanent
    assert "wrong" not in str(wrong)
