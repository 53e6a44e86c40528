"""`formwright scim`: lets an identity provider manage the users and groups of an account."""

from typing import Annotated

import typer

from formwright.cli.common import (
    AsJson,
    Customer,
    DatabaseUrl,
    DataDir,
    load_settings,
    print_result,
    with_migrated_context,
)
from formwright.cli.server_record import running_base_url
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.domain.customers import service as customers
from formwright.domain.provisioning import tokens
from formwright.settings import Settings

ROOT = "/scim/v2"
scim_app = typer.Typer(no_args_is_help=True, help="Let an identity provider manage users and groups with SCIM 2.0.")
Name = Annotated[str, typer.Option(help="The name of the identity provider, which the audit log shows.")]


@scim_app.command("enable")
def enable_scim(
    customer: Customer,
    name: Name = tokens.DEFAULT_NAME,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Switch provisioning on for an account, or replace its token, and print the token. It is not shown again."""

    async def work(ctx: AppContext) -> str:
        actor = actors.system(customer)
        async with ctx.db.writing() as tx:
            await customers.get(tx, actor)
            return (await tokens.enable(tx, actor, name=name))[1]

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    secret = with_migrated_context(settings, work)
    print_result({"baseUrl": f"{_find_origin(settings)}{ROOT}", "token": secret}, as_json=as_json)


@scim_app.command("disable")
def disable_scim(
    customer: Customer, as_json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None
) -> None:
    """Switch provisioning off for an account. Its token stops working; users and groups stay."""

    async def work(ctx: AppContext) -> None:
        actor = actors.system(customer)
        async with ctx.db.writing() as tx:
            await customers.get(tx, actor)
            await tokens.disable(tx, actor)

    with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    print_result({"customerId": customer, "enabled": False}, as_json=as_json)


def _find_origin(settings: Settings) -> str:
    """Return the address of the server: the configured one, that of the running server, or the default."""
    return settings.base_url or running_base_url(settings.data_dir) or "https://localhost:8443"
