"""Two-factor authentication: TOTP codes and recovery codes, each of which works once."""

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


async def _enable(account: Account, actor: Actor) -> tuple[str, list[str]]:
    async with account.ctx.db.writing() as tx:
        secret = await two_factor.start_setup(tx, actor, account.ctx.secret_box)
    async with account.ctx.db.writing() as tx:
        codes = await two_factor.confirm_setup(tx, actor, account.ctx.secret_box, _code(account, secret, -1))
    assert codes
    return secret, codes


async def _check(account: Account, actor: Actor, code: str, seal: SecretBox | None = None) -> bool:
    async with account.ctx.db.writing() as tx:
        return await two_factor.verify_code(tx, account.id, actor.id, seal or account.ctx.secret_box, code)


async def test_it_is_only_enabled_after_confirming_a_code(account: Account) -> None:
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


async def test_a_code_works_once(account: Account) -> None:
    actor = await _owner(account)
    secret, _ = await _enable(account, actor)
    # The code that confirmed the setup is used up, too.
    assert not await _check(account, actor, _code(account, secret, -1))
    code = _code(account, secret)
    results = await asyncio.gather(*(_check(account, actor, f" {code[:3]} {code[3:]} ") for _ in range(4)))
    assert results.count(True) == 1
    assert not await _check(account, actor, code)
    assert await _check(account, actor, _code(account, secret, 1))
    # After a later code was used, earlier ones that somebody may have seen do not work.
    assert not await _check(account, actor, code)


async def test_a_recovery_code_works_once(account: Account, stranger: Account) -> None:
    actor = await _owner(account)
    _, codes = await _enable(account, actor)
    assert await _check(account, actor, codes[0].upper().replace("-", " "))
    assert not await _check(account, actor, codes[0])
    async with account.ctx.db.reading() as tx:
        assert (await two_factor.get_status(tx, actor)).recovery_codes == 9
        rows = await tx.fetch("SELECT code_hash FROM recovery_codes WHERE customer_id = $1", account.id)
    assert not {row[0] for row in rows} & {code.replace("-", "") for code in codes}
    async with stranger.ctx.db.writing() as tx:
        assert not await two_factor.verify_code(tx, stranger.id, stranger.owner.id, stranger.ctx.secret_box, codes[1])
    async with account.ctx.db.writing() as tx:
        new_codes = await two_factor.renew_recovery_codes(tx, actor)
    assert not await _check(account, actor, codes[1])
    assert await _check(account, actor, new_codes[1])


async def test_recovery_codes_still_work_after_the_secret_key_changed(account: Account) -> None:
    actor = await _owner(account)
    secret, codes = await _enable(account, actor)
    assert not await _check(account, actor, _code(account, secret), SecretBox("other" * 8))
    assert await _check(account, actor, codes[0], SecretBox("other" * 8))


async def test_disabling_it_invalidates_all_codes(account: Account) -> None:
    actor = await _owner(account)
    secret, codes = await _enable(account, actor)
    async with account.ctx.db.writing() as tx:
        await two_factor.disable(tx, actor)
        assert not await two_factor.is_enabled(tx, account.id, actor.id)
        with pytest.raises(TwoFactorNotEnabled):
            await two_factor.renew_recovery_codes(tx, actor)
    assert not await _check(account, actor, _code(account, secret))
    assert not await _check(account, actor, codes[0])


async def test_an_administrator_can_disable_it_for_a_member_but_not_for_an_owner(account: Account) -> None:
    owner, created = await _owner(account), await user(account)
    administrator = await member(
        account, Grant(await built_in(account, "Administrator"), ResourceType.ACCOUNT, account.id)
    )
    member_actor = actors.person(created.id, account.id, ())
    await _enable(account, owner)
    await _enable(account, member_actor)
    async with account.ctx.db.writing() as tx:
        await two_factor.disable_for_user(tx, administrator, user_id=member_actor.id)
        assert not await two_factor.is_enabled(tx, account.id, member_actor.id)
        with pytest.raises(TwoFactorNotEnabled):
            await two_factor.disable_for_user(tx, administrator, user_id=member_actor.id)
        with pytest.raises(Denied):
            await two_factor.disable_for_user(tx, administrator, user_id=owner.id)
        with pytest.raises(Denied):
            await two_factor.disable_for_user(tx, member_actor, user_id=owner.id)
        assert await two_factor.is_enabled(tx, account.id, owner.id)


async def test_users_of_other_accounts_are_not_found(account: Account, stranger: Account) -> None:
    owner = await _owner(account)
    await _enable(account, owner)
    async with account.ctx.db.writing() as tx:
        with pytest.raises(UserNotFound):
            await two_factor.disable_for_user(tx, await _owner(stranger), user_id=owner.id)


async def test_api_keys_have_no_two_factor_authentication(account: Account) -> None:
    async with account.ctx.db.writing() as tx:
        with pytest.raises(Denied):
            await two_factor.start_setup(tx, actors.key("key_1", account.id), account.ctx.secret_box)
