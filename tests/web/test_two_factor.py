"""The second factor: a code from an app, or a recovery code, beside the password."""

from actors import PASSWORD, Account
from factories.sign_in import HERE, NEW, after, code, factor, inside, mailed, mails, sign_in
from factories.web_client import send


async def test_with_a_second_factor_the_password_is_not_enough(account: Account) -> None:
    async with inside(account) as http:
        secret, codes = await factor(account, http)
        assert codes[0] not in (await http.get(f"{HERE}/second-factor")).text
    async with account.stage.client() as http:
        asked = await sign_in(http, account.owner.email, next_="/settings")
        assert asked.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        wrong = await send(http, "/sign-in/second", code="000000")
        assert (wrong.status_code, "This code is wrong" in wrong.text) == (422, True)
        came = await send(http, "/sign-in/second", code=code(account, secret))
        assert came.headers["location"] == "/settings"
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 422
        assert (await send(http, "/sign-in/second", code=codes[3])).status_code == 303
        assert "9 of 10 recovery codes" in (await http.get(HERE)).text


async def test_guessing_codes_is_slowed(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        tries = [await send(http, "/sign-in/second", code="000000") for _ in range(6)]
        assert [answer.status_code for answer in tries] == [422] * 5 + [429]
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 429
        await after(account, 5000)
        assert (await send(http, "/sign-in/second", code=code(account, secret))).status_code == 303


async def test_another_password_ends_what_was_half_way_in(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        async with account.ctx.db.writing() as tx:
            await tx.execute("UPDATE users SET password_hash = 'x' WHERE id = $1", account.owner.id)
        came = await send(http, "/sign-in/second", code=code(account, secret))
        assert came.headers["location"] == "/sign-in"


async def test_a_reset_does_not_go_around_the_second_factor(account: Account) -> None:
    async with inside(account) as http:
        secret, _ = await factor(account, http)
    async with account.stage.client() as http:
        await sign_in(http, account.owner.email)
        await send(http, "/sign-in/second", code=code(account, secret))
    async with account.stage.client() as http:
        await send(http, "/forgot-password", email=account.owner.email)
        came = await send(http, await mailed(account, account.owner.id), password=NEW, again=NEW)
        assert came.headers["location"] == "/sign-in/second"
        assert (await http.get("/forms")).status_code == 303
        assert (await send(http, "/sign-in/second", code=code(account, secret, 1))).status_code == 303


async def test_switching_off_asks_for_the_password(account: Account) -> None:
    async with inside(account) as http:
        await factor(account, http)
        for path in ("off", "codes"):
            refused = await send(http, f"{HERE}/second-factor/{path}", password="wrong")
            assert (refused.status_code, "Wrong password" in refused.text) == (422, True)
        await send(http, f"{HERE}/second-factor/off", password=PASSWORD)
        assert ">Set up<" in (await http.get(f"{HERE}/second-factor")).text
        assert (await http.get(f"{HERE}/second-factor/qr.svg")).text.startswith("<svg")
    assert await mails(account, "user.changed") == 2
