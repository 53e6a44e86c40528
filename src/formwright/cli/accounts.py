"""`formwright account`."""

import sys
from collections.abc import Sequence
from typing import Annotated

import msgspec
import typer

from formwright.cli.common import (
    AsJson,
    DatabaseUrl,
    DataDir,
    load_settings,
    print_result,
    with_context,
    with_migrated_context,
)
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.clock import rfc3339
from formwright.core.db import account_lock
from formwright.domain.customers import service as customers
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormFilter
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.users import service as people
from formwright.domain.users.password_hashing import MAX_LENGTH, MIN_LENGTH
from formwright.settings import SettingsError

account = typer.Typer(no_args_is_help=True, help="Accounts.")

_COUNTED = 1000
"""So many submissions are counted in an account: to count them all may take long."""


class _Line(msgspec.Struct, rename="camel"):
    customer_id: str
    name: str
    created: str
    people: int
    forms: int
    submissions: int
    more_submissions: bool


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

    async def work(ctx: AppContext) -> dict[str, object]:
        async with ctx.db.reading() as tx:
            beside = await people.list_password_hashes(tx, email)
        password_hash = await ctx.passwords.hash(chosen, beside)
        async with ctx.db.writing() as tx:
            made, owner = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
        return {"customerId": made.id, "userId": owner.id, "email": owner.email}

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    print_result(with_context(settings, work), as_json=as_json)


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


@account.command("list")
def list_accounts(as_json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """List all accounts, the oldest first, with what they hold: of submissions up to 1,000 are counted."""

    async def work(ctx: AppContext) -> list[_Line]:
        async with ctx.db.reading() as tx:
            found = await account_lock.list_accounts(tx)
        return [await _line(ctx, customer_id) for customer_id in found]

    found = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    typer.echo(msgspec.json.encode({"items": found}).decode() if as_json else _table(found))


async def _line(ctx: AppContext, customer_id: str) -> _Line:
    actor = actors.system(customer_id)
    async with ctx.db.reading() as tx:
        one = await customers.get(tx, actor)
        persons, drawn = await people.count(tx, actor), await forms.count(tx, actor, FormFilter())
        sent = await submissions.count(tx, actor, SubmissionFilter(), limit=_COUNTED + 1)
    return _Line(one.id, one.name, rfc3339(one.created), persons, drawn, min(sent, _COUNTED), sent > _COUNTED)


def _table(found: Sequence[_Line]) -> str:
    width = max((len(one.name) for one in found), default=4)
    head = f"{'Account':<30}  {'Name':<{width}}  {'Made':<24}  People  Forms  Submissions"
    return "\n".join([head, *(_in_a_table(one, width) for one in found)])


def _in_a_table(one: _Line, width: int) -> str:
    sent = f"{one.submissions:,}" + "+" * one.more_submissions
    return f"{one.customer_id:<30}  {one.name:<{width}}  {one.created:<24}  {one.people:>6}  {one.forms:>5}  {sent:>11}"
