"""The second factor: codes of a phone, and recovery codes, each for one use."""

import asyncio

import pytest
from actors import Account
from factories.users import built_in, member, user

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.crypto import SecretBox
from formwright.core.errors import Denied
from formwright.domain.users import service as people
from formwright.domain.users.auth import two_factor
from formwright.domain.users.auth.models import TwoFactorEnabled, TwoFactorNotEnabled
from formwright.domain.users.models import Grant, UserNotFound


async def _owner(account: Account) -> Actor:
    async with account.ctx.db.reading() as tx:
        return await people.load_actor(tx, account.owner)


def _code(account: Account, secret: str, steps: int = 0) -> str:
    return crypto.totp_code(secret, account.ctx.clock.now() // 1000 // crypto.STEP_S + steps)


async def _on(account: Account, actor: Actor) -> tuple[str, list[str]]:
    async with account.ctx.db.writing() as tx:
        secret = await two_factor.start_setup(tx, actor, account.ctx.secret_box)
    async with account.ctx.db.writing() as tx:
        codes = await two_factor.confirm_setup(tx, actor, account.ctx.secret_box, _code(account, secret, -1))
    assert codes
    return secret, codes


async def _check(account: Account, actor: Actor, code: str, seal: SecretBox | None = None) -> bool:
    async with account.ctx.db.writing() as tx:
        return await two_factor.verify_code(tx, account.id, actor.id, seal or account.ctx.secret_box, code)


async def test_it_is_on_when_a_code_was_confirmed_and_not_before(account: Account) -> None:
    actor = await _owner(account)
    async with account.ctx.db.writing() as tx:
        secret = await two_factor.start_setup(tx, actor, account.ctx.secret_box)
        assert not await two_factor.is_enabled(tx, account.id, actor.id)
        assert await two_factor.confirm_setup(tx, actor, account.ctx.secret_box, "000000") is None
        assert await two_factor.find_pending_secret(tx, actor, account.ctx.secret_box) == secret
        [row] = await tx.fetch("SELECT secret FROM second_factors WHERE customer_id = $1", account.id)
        assert secret not in str(row[0])
    assert not await _check(account, actor, _code(account, secret))
    async with account.ctx.db.writing() as tx:
        codes = await two_factor.confirm_setup(tx, actor, account.ctx.secret_box, _code(account, secret))
        assert await two_factor.is_enabled(tx, account.id, actor.id)
        assert await two_factor.find_pending_secret(tx, actor, account.ctx.secret_box) is None
        with pytest.raises(TwoFactorEnabled):
            await two_factor.start_setup(tx, actor, account.ctx.secret_box)
    assert codes
    assert len(set(codes)) == 10


async def test_a_code_is_taken_once(account: Account) -> None:
    actor = await _owner(account)
    secret, _ = await _on(account, actor)
    # That with which it was switched on is used up too.
    assert not await _check(account, actor, _code(account, secret, -1))
    now = _code(account, secret)
    found = await asyncio.gather(*(_check(account, actor, f" {now[:3]} {now[3:]} ") for _ in range(4)))
    assert found.count(True) == 1
    assert not await _check(account, actor, now)
    assert await _check(account, actor, _code(account, secret, 1))
    # A later one was taken: an earlier one that somebody saw does not help.
    assert not await _check(account, actor, now)


async def test_a_recovery_code_lets_in_once(account: Account, stranger: Account) -> None:
    actor = await _owner(account)
    _, codes = await _on(account, actor)
    assert await _check(account, actor, codes[0].upper().replace("-", " "))
    assert not await _check(account, actor, codes[0])
    async with account.ctx.db.reading() as tx:
        assert (await two_factor.get_status(tx, actor)).recovery_codes == 9
        rows = await tx.fetch("SELECT code_hash FROM recovery_codes WHERE customer_id = $1", account.id)
    assert not {row[0] for row in rows} & {code.replace("-", "") for code in codes}
    async with stranger.ctx.db.writing() as tx:
        assert not await two_factor.verify_code(tx, stranger.id, stranger.owner.id, stranger.ctx.secret_box, codes[1])
    async with account.ctx.db.writing() as tx:
        others = await two_factor.renew_recovery_codes(tx, actor)
    assert not await _check(account, actor, codes[1])
    assert await _check(account, actor, others[1])


async def test_when_the_installations_secret_is_another_recovery_codes_are_left(account: Account) -> None:
    actor = await _owner(account)
    secret, codes = await _on(account, actor)
    assert not await _check(account, actor, _code(account, secret), SecretBox("other" * 8))
    assert await _check(account, actor, codes[0], SecretBox("other" * 8))


async def test_it_is_switched_off_with_all_its_codes(account: Account) -> None:
    actor = await _owner(account)
    secret, codes = await _on(account, actor)
    async with account.ctx.db.writing() as tx:
        await two_factor.disable(tx, actor)
        assert not await two_factor.is_enabled(tx, account.id, actor.id)
        with pytest.raises(TwoFactorNotEnabled):
            await two_factor.renew_recovery_codes(tx, actor)
    assert not await _check(account, actor, _code(account, secret))
    assert not await _check(account, actor, codes[0])


async def test_an_administrator_takes_it_off_for_a_member_but_not_for_an_owner(account: Account) -> None:
    owner, someone = await _owner(account), await user(account)
    administrator = await member(
        account, Grant(await built_in(account, "Administrator"), ResourceType.ACCOUNT, account.id)
    )
    her = actors.person(someone.id, account.id, ())
    await _on(account, owner)
    await _on(account, her)
    async with account.ctx.db.writing() as tx:
        await two_factor.disable_for_user(tx, administrator, user_id=her.id)
        assert not await two_factor.is_enabled(tx, account.id, her.id)
        with pytest.raises(TwoFactorNotEnabled):
            await two_factor.disable_for_user(tx, administrator, user_id=her.id)
        with pytest.raises(Denied):
            await two_factor.disable_for_user(tx, administrator, user_id=owner.id)
        with pytest.raises(Denied):
            await two_factor.disable_for_user(tx, her, user_id=owner.id)
        assert await two_factor.is_enabled(tx, account.id, owner.id)


async def test_nobody_reaches_into_another_account(account: Account, stranger: Account) -> None:
    owner = await _owner(account)
    await _on(account, owner)
    async with account.ctx.db.writing() as tx:
        with pytest.raises(UserNotFound):
            await two_factor.disable_for_user(tx, await _owner(stranger), user_id=owner.id)


async def test_a_key_has_none(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        with pytest.raises(Denied):
            await two_factor.start_setup(tx, actors.key("key_1", account.id), account.ctx.secret_box)
