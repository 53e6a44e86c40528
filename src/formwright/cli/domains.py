"""`formwright domains`: claims email domains for an account, whose identity providers can then vouch for addresses."""

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
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.domain.customers import service as customers
from formwright.domain.identity_providers import domains

domains_app = typer.Typer(no_args_is_help=True, help="Claim email domains for single sign-on.")
Domain = Annotated[str, typer.Option(help="The domain after the @ of the addresses, such as example.org.")]


@domains_app.command("claim")
def claim_domain(
    customer: Customer,
    domain: Domain,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Claim a domain for an account. Claim only domains whose addresses belong to the owners of the account."""
    _change(customer, domain, as_json, data_dir, database_url, claims=True)


@domains_app.command("release")
def release_domain(
    customer: Customer,
    domain: Domain,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """End the claim of a domain. Users who are linked already stay linked."""
    _change(customer, domain, as_json, data_dir, database_url, claims=False)


@domains_app.command("list")
def list_domains(
    customer: Customer, as_json: AsJson = False, data_dir: DataDir = None, database_url: DatabaseUrl = None
) -> None:
    """List the domains of an account."""

    async def work(ctx: AppContext) -> list[str]:
        async with ctx.db.reading() as tx:
            await customers.get(tx, actors.system(customer))
            return await domains.list_all(tx, actors.system(customer))

    found = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    print_result({"customerId": customer, "domains": found}, as_json=as_json)


def _change(
    customer: str, domain: str, as_json: bool, data_dir: DataDir, database_url: DatabaseUrl, *, claims: bool
) -> None:
    async def work(ctx: AppContext) -> list[str]:
        actor = actors.system(customer)
        async with ctx.db.writing() as tx:
            await customers.get(tx, actor)
            await (domains.claim if claims else domains.release)(tx, actor, domain)
        async with ctx.db.reading() as tx:
            return await domains.list_all(tx, actor)

    found = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    print_result({"customerId": customer, "domains": found}, as_json=as_json)
