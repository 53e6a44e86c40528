"""`formwright account`."""

import sys
from typing import Annotated

import typer

from formwright.cli.options import AsJson, DatabaseUrl, DataDir, in_house, say, settings_of
from formwright.domain.people import service as people
from formwright.domain.people.passwords import MAX_LENGTH, MIN_LENGTH
from formwright.house import House
from formwright.settings import SettingsError

account = typer.Typer(no_args_is_help=True, help="Accounts.")


@account.command("create")
def create_account(
    name: Annotated[str, typer.Option(help="Name of the account.")],
    email: Annotated[str, typer.Option(help="E-mail address of its owner.")],
    password: Annotated[
        str | None,
        typer.Option(envvar="FORMWRIGHT_PASSWORD", help="The owner's password; asked for where it is not given."),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Open an account with its owner and the built-in roles."""
    _check(name, email)
    chosen = password or _asked()
    if not MIN_LENGTH <= len(chosen) <= MAX_LENGTH:
        raise SettingsError(f"The password must have {MIN_LENGTH} to {MAX_LENGTH} characters.")

    async def work(house: House) -> dict[str, object]:
        password_hash = await house.passwords.hash(chosen)
        async with house.db.writing() as tx:
            made, owner = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
        return {"customerId": made.id, "userId": owner.id, "email": owner.email}

    settings = settings_of(data_dir=data_dir, database_url=database_url)
    say(in_house(settings, work), as_json=as_json)


def _asked() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    given = sys.stdin.readline().rstrip("\r\n")
    if not given:
        raise SettingsError("There is no terminal to ask for the password on: set FORMWRIGHT_PASSWORD.")
    return given


def _check(name: str, email: str) -> None:
    if not 1 <= len(name.strip()) <= 200:
        raise SettingsError("--name must have 1 to 200 characters.")
    local, at, domain = email.strip().rpartition("@")
    if not (local and at and "." in domain and email.isprintable() and " " not in email.strip()):
        raise SettingsError(f"--email must be an e-mail address, not {email!r}.")
