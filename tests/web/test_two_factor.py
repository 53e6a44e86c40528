"""Two-factor authentication in the pages: codes from an app, and recovery codes."""

from actors import PASSWORD, Account
from factories.sign_in import HERE, NEW, after, code, factor, inside, mailed, mails, sign_in
from factories.web_client import send


async def test_the_password_is_not_enough_with_two_factor_authentication(account: Account) -> None:
    async with inside(account) as http:
        secret, codes = await factor(account, http)
        assert codes[0] not in (await http.get(f"{HERE}/second-factor")).text
    async with account.stage.client() as http:
        response = await sign_in(http, account.owner.email, next_="/settings")
        assert response.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        wrong = await send(http, "/sign-in/second", code="000000")
        assert (wrong.status_code, "This code is wrong" in wrong.text) == (422, True)
        response = await send(http, "/sign-in/second", code=code(account, secret))
        assert response.headers["location"] == "/settings"
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 422
        assert (await send(http, "/sign-in/second", code=codes[3])).status_code == 303
        assert "9 of 10 recovery codes" in (await http.get(HERE)).text


async def test_guessing_codes_is_throttled(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        attempts = [await send(http, "/sign-in/second", code="000000") for _ in range(6)]
        assert [response.status_code for response in attempts] == [422] * 5 + [429]
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 429
        await after(account, 5000)
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 303


async def test_changing_the_password_ends_a_sign_in_that_waits_for_the_code(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        async with account.ctx.db.writing() as tx:
            await tx.execute("UPDATE users SET password_hash = 'x' WHERE id = $1", account.owner.id)
        response = await send(http, "/sign-in/second", code=code(account, secret))
        assert response.headers["location"] == "/sign-in"


async def test_a_password_reset_does_not_bypass_two_factor_authentication(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        await send(http, "/sign-in/second", code=code(account, secret))
    async with account.stage.client() as http:
        await send(http, "/forgot-password", email=account.owner.email)
        response = await send(http, await mailed(account, account.owner.id), password=NEW, again=NEW)
        assert response.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        assert (await send(http, "/sign-in/second", code=code(account, secret, 1))).status_code == 303


async def test_turning_it_off_requires_the_password(account: Account) -> None:
    async with inside(account) as http:
        await factor(account, http)
        for path in ("off", "codes"):
            refused = await send(http, f"{HERE}/second-factor/{path}", password="wrong")
            assert (refused.status_code, "Wrong password" in refused.text) == (422, True)
        await send(http, f"{HERE}/second-factor/off", password=PASSWORD)
        assert ">Set up<" in (await http.get(f"{HERE}/second-factor")).text
        assert (await http.get(f"{HERE}/second-factor/qr.svg")).text.startswith("<svg")
    assert await mails(account, "user.changed") == 2
