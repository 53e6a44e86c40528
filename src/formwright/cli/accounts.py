"""`formwright account` and `formwright keys`."""

from typing import Annotated

import typer

from formwright.cli.options import AsJson, DatabaseUrl, DataDir, in_house, say, settings_of
from formwright.core.access import actor as actors
from formwright.core.kernel.clock import rfc3339
from formwright.domain.customers import service as customers
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import Key
from formwright.domain.people import service as people
from formwright.domain.people.passwords import MAX_LENGTH, MIN_LENGTH
from formwright.house import House
from formwright.settings import SettingsError

account = typer.Typer(no_args_is_help=True, help="Accounts.")
keys_app = typer.Typer(no_args_is_help=True, help="API keys of an account.")

_MAKER = "Command line"
Customer = Annotated[str, typer.Option(help="The account's id, cus_….")]


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
    chosen = password or typer.prompt("Password", hide_input=True, confirmation_prompt=True)
    _check(name, email, chosen)

    async def work(house: House) -> dict[str, object]:
        password_hash = await house.passwords.hash(chosen)
        async with house.db.writing() as tx:
            made, owner = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
        return {"customerId": made.id, "userId": owner.id, "email": owner.email}

    settings = settings_of(data_dir=data_dir, database_url=database_url)
    say(in_house(settings, work), as_json=as_json)


def _check(name: str, email: str, password: str) -> None:
    if not 1 <= len(name.strip()) <= 200:
        raise SettingsError("--name must have 1 to 200 characters.")
    local, at, domain = email.strip().rpartition("@")
    if not (local and at and "." in domain and email.isprintable() and " " not in email.strip()):
        raise SettingsError(f"--email must be an e-mail address, not {email!r}.")
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise SettingsError(f"The password must have {MIN_LENGTH} to {MAX_LENGTH} characters.")


@keys_app.command("create")
def create_key(
    customer: Customer,
    name: Annotated[str, typer.Option(help="What the key is for.")],
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Make a key and print it. It cannot be shown again."""

    async def work(house: House) -> dict[str, object]:
        actor = actors.system(customer)
        async with house.db.writing() as tx:
            await customers.get(tx, actor)
            key, text = await keys.add(tx, actor, name=name, maker_name=_MAKER)
        return {"id": key.id, "apiKey": text, "name": key.name, "customerId": key.customer_id}

    settings = settings_of(data_dir=data_dir, database_url=database_url)
    say(in_house(settings, work), as_json=as_json)


@keys_app.command("list")
def list_keys(customer: Customer, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """List an account's keys."""

    async def work(house: House) -> list[Key]:
        async with house.db.reading() as tx:
            await customers.get(tx, actors.system(customer))
            return await keys.live(tx, actors.system(customer))

    for key in in_house(settings_of(data_dir=data_dir, database_url=database_url), work):
        used = f"used {rfc3339(key.last_used)}" if key.last_used else "never used"
        typer.echo(f"{key.id}  {key.hint}…  {key.name}  (by {key.maker_name}, {rfc3339(key.created)}, {used})")


@keys_app.command("revoke")
def revoke_key(
    customer: Customer,
    key_id: Annotated[str, typer.Option("--id", help="The key's id, key_….")],
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Revoke a key: from now on it opens nothing."""

    async def work(house: House) -> Key:
        async with house.db.writing() as tx:
            return await keys.revoke(tx, actors.system(customer), key_id=key_id)

    key = in_house(settings_of(data_dir=data_dir, database_url=database_url), work)
    typer.echo(f"{key.name} ({key.id}) is revoked.")
