"""Links to set a password: they work once, expire, and can be neither guessed nor read from the database."""

import asyncio
import re
from dataclasses import replace

import msgspec
import pytest
from actors import Account

from formwright.core.crypto import new_secret
from formwright.domain.mail import service as mails
from formwright.domain.mail.templates import RenderedEmail
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.auth import emails, sessions
from formwright.domain.users.auth import password_links as link_service
from formwright.domain.users.auth.emails import AccountMailer
from formwright.domain.users.auth.models import ClientInfo, LinkExpired, LinkKind
from formwright.domain.users.models import NewUser, PasswordCredentials, User, UserDetails, UserEdit, UserStatus

HASH = "$argon2id$never"
ORIGIN = "https://forms.test"


def _mailer(account: Account) -> AccountMailer:
    return AccountMailer(account.ctx.secret_box, ORIGIN)


async def _invite(account: Account, language: str = "en") -> UserDetails:
    new = NewUser(f"new.{account.owner.email}", "New", language)
    async with account.ctx.db.writing() as tx:
        person = await management.invite(tx, account.actor, new)
        await emails.update_invitation(tx, _mailer(account), None, person)
    return person


async def _queued_mails(account: Account, user_id: str) -> list[tuple[str, str]]:
    """Return the purpose and text of each queued mail to a user."""
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch(
            "SELECT purpose, body FROM mails WHERE customer_id = $1 AND subject_id = $2 AND status = 'WAITING'",
            account.id,
            user_id,
        )
    opened = [(purpose, account.ctx.secret_box.open(body)) for purpose, body in rows]
    return [(purpose, msgspec.json.decode(text, type=RenderedEmail).text) for purpose, text in opened]


async def _token(account: Account, user_id: str) -> str:
    [text] = [text for purpose, text in await _queued_mails(account, user_id) if purpose != "user.changed"]
    found = re.search(rf"{ORIGIN}/set-password/(\w+)", text)
    assert found
    return found[1]


async def _use(account: Account, token: str, name: str | None = "Ann") -> PasswordCredentials:
    async with account.ctx.db.writing() as tx:
        return await link_service.use(tx, token, password_hash=HASH, name=name)


async def _user(account: Account, user_id: str) -> User:
    async with account.ctx.db.reading() as tx:
        return await people.get(tx, account.actor, user_id=user_id)


async def _reset(account: Account, email: str, origin: str = ORIGIN) -> None:
    async with account.ctx.db.writing() as tx:
        await emails.send_reset_links(tx, account.ctx.secret_box, email, lambda known: known or origin)


async def test_an_invited_user_sets_a_password_and_becomes_active(account: Account) -> None:
    person = await _invite(account, "de")
    [(purpose, text)] = await _queued_mails(account, person.id)
    assert (purpose, "Passwort festlegen" in text) == ("user.invitation", True)
    token = await _token(account, person.id)
    who = await _use(account, token)
    user = await _user(account, person.id)
    assert (who.user_id, user.name, user.status, user.revision) == (person.id, "Ann", UserStatus.ACTIVE, 2)
    async with account.ctx.db.reading() as tx:
        assert [found.password_hash for found in await people.find_credentials(tx, user.email)] == [HASH]
    events = (await account.api.get(f"/api/v1.0/webhooks/customer/{account.id}/events?type=user.updated")).json()
    assert [event["data"]["status"] for event in events["items"]] == ["ACTIVE"]
    with pytest.raises(LinkExpired):
        await _use(account, token)


async def test_the_database_does_not_contain_the_link(account: Account) -> None:
    person = await _invite(account)
    token = await _token(account, person.id)
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT * FROM password_links WHERE customer_id = $1", account.id)
        rows += await tx.fetch("SELECT * FROM mails WHERE customer_id = $1", account.id)
    assert token not in str(rows)


async def test_a_new_link_replaces_the_previous_one_and_its_mail(account: Account) -> None:
    person = await _invite(account)
    first = await _token(account, person.id)
    async with account.ctx.db.writing() as tx:
        await emails.send_invitation(tx, _mailer(account), person.user)
    second = await _token(account, person.id)
    with pytest.raises(LinkExpired):
        await _use(account, first)
    assert (await _use(account, second)).user_id == person.id


@pytest.mark.parametrize(("kind", "ms"), [(LinkKind.INVITATION, 604_800_000), (LinkKind.RESET, 3_600_000)])
async def test_a_link_expires(account: Account, kind: LinkKind, ms: int) -> None:
    user = (await _invite(account)).user if kind is LinkKind.INVITATION else account.owner
    async with account.ctx.db.writing() as tx:
        token, _ = await link_service.create(tx, user, kind)
        await tx.execute("UPDATE password_links SET ends = ends - $2 WHERE customer_id = $1", account.id, ms - 2000)
    async with account.ctx.db.reading() as tx:
        assert (await link_service.find(tx, token, account.ctx.clock.now())).kind is kind
        with pytest.raises(LinkExpired):
            await link_service.find(tx, token, account.ctx.clock.now() + 2000)


async def test_only_one_of_several_concurrent_uses_succeeds(account: Account) -> None:
    person = await _invite(account)
    token = await _token(account, person.id)
    results = await asyncio.gather(*(_use(account, token) for _ in range(4)), return_exceptions=True)
    assert [isinstance(result, LinkExpired) for result in results].count(False) == 1


@pytest.mark.parametrize(
    "token",
    ["", "x", "fwl_", new_secret("fwl_"), new_secret("fws_"), "🎉", "fwl_" + "0" * 42],
    ids=["empty", "a letter", "only the prefix", "unknown", "a session", "emoji", "zeros"],
)
async def test_an_invalid_token_is_rejected(account: Account, token: str) -> None:
    with pytest.raises(LinkExpired):
        await _use(account, token)


async def test_a_reset_ends_all_sessions_and_keeps_the_name(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        session = await sessions.create(tx, PasswordCredentials(account.id, account.owner.id, ""))
    await _reset(account, f" {account.owner.email.upper()} ")
    await _use(account, await _token(account, account.owner.id), None)
    async with account.ctx.db.reading() as tx:
        assert await sessions.find(tx, session, account.ctx.clock.now()) is None
    assert (await _user(account, account.owner.id)).name == account.owner.name


async def test_a_reset_sends_a_link_for_every_account_of_the_address(account: Account, stranger: Account) -> None:
    async with stranger.ctx.db.writing() as tx:
        new = NewUser(account.owner.email, "Another account")
        other = await management.create(tx, stranger.actor, new, password_hash=HASH)
    await _reset(account, account.owner.email)
    assert [purpose for purpose, _ in await _queued_mails(account, account.owner.id)] == ["user.reset"]
    assert [purpose for purpose, _ in await _queued_mails(stranger, other.id)] == ["user.reset"]
    await _use(stranger, await _token(stranger, other.id), None)
    async with account.ctx.db.reading() as tx:
        credentials = await people.find_credentials(tx, account.owner.email)
        hashes = {found.customer_id: found.password_hash for found in credentials}
    assert hashes[stranger.id] == HASH
    assert hashes[account.id] != HASH


async def test_an_invited_user_who_resets_the_password_gets_the_invitation_again(account: Account) -> None:
    person = await _invite(account)
    await _reset(account, person.user.email)
    assert [purpose for purpose, _ in await _queued_mails(account, person.id)] == ["user.invitation"]


async def test_no_mail_is_sent_without_a_trusted_origin(account: Account) -> None:
    await _reset(account, account.owner.email, origin="")
    assert await _queued_mails(account, account.owner.id) == []
    async with account.ctx.db.writing() as tx:
        credentials = PasswordCredentials(account.id, account.owner.id, "")
        await sessions.create(tx, credentials, replace(ClientInfo(), origin="https://known.test"))
    await _reset(account, account.owner.email, origin="")
    [(_, text)] = await _queued_mails(account, account.owner.id)
    assert "https://known.test/set-password/fwl_" in text


async def test_disabling_a_user_or_changing_their_address_ends_their_links(account: Account) -> None:
    person = await _invite(account)
    token = await _token(account, person.id)

    async def edit(changes: UserEdit) -> None:
        async with account.ctx.db.writing() as tx:
            before = await management.get(tx, account.actor, user_id=person.id)
            after = await management.edit(
                tx, account.actor, changes, user_id=person.id, secret_box=account.ctx.secret_box
            )
            await emails.update_invitation(tx, _mailer(account), before, after)

    await edit(UserEdit(name="Other"))
    assert await _token(account, person.id) == token
    await edit(UserEdit(email=f"other.{person.user.email}"))
    new_token = await _token(account, person.id)
    await edit(UserEdit(status=UserStatus.DISABLED))
    [(purpose, _)] = await _queued_mails(account, person.id)
    assert purpose == "user.changed", "that about the address"
    for expired in (token, new_token):
        with pytest.raises(LinkExpired):
            await _use(account, expired)
    await _reset(account, f"other.{person.user.email}")
    assert len(await _queued_mails(account, person.id)) == 1
    await edit(UserEdit(status=UserStatus.INVITED))
    assert (await _use(account, await _token(account, person.id))).user_id == person.id


async def test_a_user_is_notified_of_changes_to_their_sign_in(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        mail = await emails.send_change_notice(tx, account.ctx.secret_box, account.owner, "password")
    async with account.ctx.db.reading() as tx:
        found = await mails.find_latest(tx, account.id, purpose="user.changed", subject_id=account.owner.id)
    assert (found, mail.address) == (mail, account.owner.email)
