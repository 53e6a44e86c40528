"""The checks of scim2-tester, run against a server over HTTPS."""

import asyncio
import ssl

import httpx2
from fixtures.accounts import AccountFactory, Person

from formwright.core.auth import actor as actors
from formwright.domain.provisioning import tokens


async def test_all_checks_of_the_tester_pass(https_accounts: AccountFactory) -> None:
    person = await https_accounts.create_account()
    async with https_accounts.ctx.db.writing() as tx:
        _, secret = await tokens.enable(tx, actors.system(person.customer_id))
    results = await asyncio.to_thread(check, person, secret)
    failed = [one for one in results if not one.startswith("SUCCESS ")]
    assert not failed, "\n".join(failed)
    # The reference server of the tester runs 135: eight more for `password`, which users set here, and for removing
    # what users always have here: a name, an address, and whether they are active.
    assert len(results) >= 127, "some checks were not run"


def check(person: Person, secret: str) -> list[str]:
    """Return the status of each check, its name, the type of the resource, and the reason for a failure."""
    # Importing these takes seconds, in each process of a test run.
    from scim2_client.engines.httpx2 import SyncSCIMClient  # noqa: PLC0415
    from scim2_tester import check_server  # noqa: PLC0415

    trust = ssl.create_default_context(cafile=str(person.server.data / "tls" / "ca.pem"))
    headers = {"authorization": f"Bearer {secret}"}
    with httpx2.Client(base_url=person.path("/scim/v2"), headers=headers, verify=trust) as http:
        results = check_server(SyncSCIMClient(http))
    return [f"{one.status.name} {one.title} {one.resource_type} {one.reason}" for one in results]
