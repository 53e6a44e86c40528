"""`formwright account`: creates and lists accounts."""

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

account = typer.Typer(no_args_is_help=True, help="Create and list accounts.")

_COUNTED = 1000
"""Submissions are counted up to this number per account, because counting all of them may take long."""


class _AccountRow(msgspec.Struct, rename="camel"):
    customer_id: str
    name: str
    created: str
    people: int
    forms: int
    submissions: int
    more_submissions: bool


@account.command("create")
def create_account(
    name: Annotated[str, typer.Option(help="The name of the account.")],
    email: Annotated[str, typer.Option(help="The email address of its owner.")],
    password: Annotated[
        str | None,
        typer.Option(envvar="FORMWRIGHT_PASSWORD", help="The owner's password. [default: asked for]"),
    ] = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Create an account with an owner and the built-in roles."""
    _check(name, email)
    password = password or _ask_password()
    if not MIN_LENGTH <= len(password) <= MAX_LENGTH:
        raise SettingsError(f"The password must have {MIN_LENGTH} to {MAX_LENGTH} characters.")

    async def work(ctx: AppContext) -> dict[str, object]:
        async with ctx.db.reading() as tx:
            beside = await people.list_password_hashes(tx, email)
        password_hash = await ctx.passwords.hash(password, beside)
        async with ctx.db.writing() as tx:
            made, owner = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
        return {"customerId": made.id, "userId": owner.id, "email": owner.email}

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    print_result(with_context(settings, work), as_json=as_json)


def _ask_password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    password = sys.stdin.readline().rstrip("\r\n")
    if not password:
        raise SettingsError("There is no terminal to ask for the password: set FORMWRIGHT_PASSWORD.")
    return password


def _check(name: str, email: str) -> None:
    if not 1 <= len(name.strip()) <= 200:
        raise SettingsError("--name must have 1 to 200 characters.")
    local, at, domain = email.strip().rpartition("@")
    if not (local and at and "." in domain and email.isprintable() and " " not in email.strip()):
        raise SettingsError(f"--email must be an email address, not {email!r}.")


@account.command("list")
def list_accounts(as_json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """List all accounts, oldest first, with the number of people, forms and submissions (counted up to 1,000)."""

    async def work(ctx: AppContext) -> list[_AccountRow]:
        async with ctx.db.reading() as tx:
            found = await account_lock.list_accounts(tx)
        return [await _account_row(ctx, customer_id) for customer_id in found]

    found = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    typer.echo(msgspec.json.encode({"items": found}).decode() if as_json else _render_table(found))


async def _account_row(ctx: AppContext, customer_id: str) -> _AccountRow:
    actor = actors.system(customer_id)
    async with ctx.db.reading() as tx:
        customer = await customers.get(tx, actor)
        user_count, form_count = await people.count(tx, actor), await forms.count(tx, actor, FormFilter())
        submission_count = await submissions.count(tx, actor, SubmissionFilter(), limit=_COUNTED + 1)
    return _AccountRow(
        customer.id,
        customer.name,
        rfc3339(customer.created),
        user_count,
        form_count,
        min(submission_count, _COUNTED),
        submission_count > _COUNTED,
    )


def _render_table(rows: Sequence[_AccountRow]) -> str:
    width = max((len(row.name) for row in rows), default=4)
    head = f"{'Account':<30}  {'Name':<{width}}  {'Created':<24}  People  Forms  Submissions"
    return "\n".join([head, *(_render_row(row, width) for row in rows)])


def _render_row(row: _AccountRow, width: int) -> str:
    submissions = f"{row.submissions:,}" + "+" * row.more_submissions
    name = f"{row.customer_id:<30}  {row.name:<{width}}"
    return f"{name}  {row.created:<24}  {row.people:>6}  {row.forms:>5}  {submissions:>11}"
