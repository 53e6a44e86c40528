"""Single sign-on in a browser with npm's oidc-provider: keys change, sessions end, and claims are those of Entra ID."""

import asyncio
import json
import os
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from fixtures.accounts import Person
from fixtures.browser import DESKTOP, borrow_context
from fixtures.client_generators import MODULES
from fixtures.host_programs import Missing
from fixtures.node import node
from fixtures.ports import free_port
from fixtures.scim import USER
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.domain.identity_providers import domains, service
from formwright.domain.identity_providers.models import IdentityProvider, ProviderEdit
from formwright.domain.provisioning import tokens
from formwright.domain.users import groups
from formwright.domain.users.models import GroupEdit

pytestmark = pytest.mark.slow

SCRIPT = Path(__file__).parents[1] / "fixtures" / "oidc_server.mjs"
SECRET = "a secret that is long enough for HMAC"


@asynccontextmanager
async def running_provider(
    person: Person, provider: IdentityProvider, people: Mapping[str, Mapping[str, Any]] | None = None
) -> AsyncIterator[None]:
    """Run the provider, which trusts the certificate of our server. `people` are their claims, by login."""
    if not (MODULES / "oidc-provider").exists():
        raise Missing(f"The test needs oidc-provider in {MODULES}: make node_modules/.stamp brings it.")
    place = f"/sign-in/oidc/{provider.id}"
    variables = {
        "MODULES": str(MODULES),
        "ISSUER": provider.issuer,
        "PEOPLE": json.dumps(people or {}),
        "REDIRECT_URI": person.path(f"{place}/callback"),
        "LOGOUT_URI": person.path(f"{place}/back-channel-logout"),
        "SIGNED_OUT_URI": person.path("/sign-in"),
        "NODE_EXTRA_CA_CERTS": str(person.server.data / "tls" / "ca.pem"),
    }
    process = await asyncio.create_subprocess_exec(
        str(node()), str(SCRIPT), env=os.environ | variables, stdout=PIPE, stderr=DEVNULL
    )
    try:
        assert process.stdout
        assert await process.stdout.readline() == b"ready\n"
        yield
    finally:
        process.kill()
        await process.wait()


async def add_provider(person: Person, *, creates: bool = True) -> IdentityProvider:
    owner = actors.system(person.customer_id)
    ctx = person.factory.ctx
    async with ctx.db.writing() as tx:
        await domains.claim(tx, owner, "npm.example")
        crew = await groups.create(tx, owner, GroupEdit("Crew", grants=[]))
        new = ProviderEdit(
            "Npm",
            f"http://127.0.0.1:{free_port()}",
            "forms",
            SECRET,
            "openid email profile",
            True,
            not creates,
            creates,
            signs_out=True,
            group_claim="groups",
            claim_group_ids=[crew.id],
        )
        return await service.create(tx, owner, new, ctx.secret_box)


async def sign_in(page: Page, person: Person, provider: IdentityProvider, email: str) -> None:
    """Sign in at the provider, up to the page that follows."""
    await page.goto(person.path(f"/sign-in/oidc/{provider.id}?next=/settings/account"))
    await page.get_by_role("link", name="Continue with Npm").click()
    await page.get_by_placeholder("Enter any login").fill(email)
    await page.get_by_placeholder("and password").fill("any")
    await page.get_by_role("button", name="Sign-in").click()
    await page.get_by_role("button", name="Continue").click()
    await page.wait_for_url(f"{person.server.base_url}/**")


@asynccontextmanager
async def visitor(browser: Browser) -> AsyncIterator[Page]:
    async with borrow_context(browser, ignore_https_errors=True, **DESKTOP) as context:
        yield context.pages[0]


@pytest.mark.timeout(180)
async def test_keys_change_and_sessions_end_on_both_sides(browser: Browser, person: Person) -> None:
    provider = await add_provider(person)
    async with running_provider(person, provider), visitor(browser) as first, visitor(browser) as second:
        await sign_in(first, person, provider, "ann@npm.example")
        await expect(first.get_by_text("ann@npm.example").first).to_be_attached()
        async with person.client() as api:
            path = f"/api/v1.0/customers/{person.customer_id}"
            [ann] = (await api.get(f"{path}/users?email=ann@npm.example")).json()["items"]
            [crew] = (await api.get(f"{path}/groups")).json()["items"]
        assert (ann["name"], ann["groups"]) == ("ann", [crew["id"]])

        # Signing out here leads to the provider and back, and the provider knows by the hint who it is.
        async with first.expect_request(lambda request: "/session/end?" in request.url) as sent:
            await first.get_by_role("button", name="Sign out").click()
        assert "id_token_hint=eyJ" in (await sent.value).url
        await first.get_by_role("button", name="Yes, sign me out").click()
        await first.wait_for_url(f"{person.server.base_url}/sign-in*")

        async with httpx.AsyncClient() as http:
            await http.post(f"{provider.issuer}/rotate")
        # Keys are looked up again after at most 30 seconds.
        for _ in range(30):
            await sign_in(second, person, provider, "bo@npm.example")
            if second.url.endswith("/settings/account"):
                break
            await second.context.clear_cookies()
            await asyncio.sleep(2)
        await expect(second.get_by_text("bo@npm.example").first).to_be_attached()

        # Signing out at the provider ends the session here.
        await second.goto(f"{provider.issuer}/session/end")
        await second.get_by_role("button", name="Yes, sign me out").click()
        await second.wait_for_url(f"{provider.issuer}/**/success*")
        await second.goto(person.path("/settings/account"))
        await second.wait_for_url("**/sign-in?*")


UNSAID = {"email_verified": None}
PEOPLE: dict[str, dict[str, Any]] = {
    # As Entra ID describes people: without `email_verified`, and with a tenant.
    "mail@npm.example": UNSAID,
    "denied@npm.example": {"email_verified": "false"},
    "text@npm.example": {"email_verified": "true"},
    "edov@npm.example": UNSAID | {"xms_edov": "1"},
    "guest@npm.example": UNSAID | {"tid": "t-1", "idp": "https://sts.windows.net/t-2/"},
    "oid": UNSAID | {"email": None, "oid": "0f5b8a4e-oid"},
    "upn": UNSAID | {"email": None, "preferred_username": "Upn@npm.example"},
}


@pytest.mark.timeout(180)
async def test_provisioned_people_sign_in_without_a_verified_address(browser: Browser, person: Person) -> None:
    provider = await add_provider(person, creates=False)
    ids = await provision(person)
    async with running_provider(person, provider, PEOPLE):
        verified = {"text@npm.example", "edov@npm.example"}
        for login in PEOPLE:
            assert await enters(browser, person, provider, login) is (login in verified), login
        assert await list_active(person, ids) == verified
        await switch(browser, person, provider, "Trust its email addresses")
        assert await enters(browser, person, provider, "mail@npm.example")
        assert not await enters(browser, person, provider, "denied@npm.example")
        assert not await enters(browser, person, provider, "guest@npm.example")
        assert not await enters(browser, person, provider, "oid")
        await switch(browser, person, provider, "Link users created by provisioning")
        assert await enters(browser, person, provider, "oid")
        assert await enters(browser, person, provider, "upn")
        assert await list_active(person, ids) == verified | {"mail@npm.example", "oid", "upn"}


async def provision(person: Person) -> dict[str, str]:
    """Create the people with SCIM, and return their ids by login."""
    ctx = person.factory.ctx
    async with ctx.db.writing() as tx:
        _, secret = await tokens.enable(tx, actors.system(person.customer_id), name="Npm")
    ids = {}
    async with person.client() as http:
        for login in PEOPLE:
            email = login if "@" in login else f"{login}@npm.example"
            body = {"schemas": [USER], "userName": email, "displayName": login, "active": True}
            if "oid" in PEOPLE[login]:
                body["externalId"] = PEOPLE[login]["oid"]
            response = await http.post(
                person.path("/scim/v2/Users"), json=body, headers={"authorization": f"Bearer {secret}"}
            )
            assert response.status_code == 201, response.text
            ids[login] = response.json()["id"]
    return ids


async def enters(browser: Browser, person: Person, provider: IdentityProvider, login: str) -> bool:
    """Whether somebody gets in, as they see it."""
    async with visitor(browser) as page:
        await sign_in(page, person, provider, login)
        failed, account = page.get_by_role("heading", name="Sign-in failed"), page.locator("h1", has_text="Account")
        await expect(failed.or_(account)).to_be_visible()
        return await account.count() == 1


async def switch(browser: Browser, person: Person, provider: IdentityProvider, label: str) -> None:
    """Switch something on as the owner, on the page of the provider."""
    async with visitor(browser) as page:
        await person.sign_in_browser(page)
        await page.goto(person.path(f"/settings/sign-in/{provider.id}"))
        await page.get_by_label(label).check()
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".notice.good")).to_contain_text("Identity provider saved.")
        await expect(page.get_by_label(label)).to_be_checked()


async def list_active(person: Person, ids: Mapping[str, str]) -> set[str]:
    """Return the logins of those who are active. The others are still invited."""
    async with person.client() as api:
        path = f"/api/v1.0/customers/{person.customer_id}/users"
        found = {login: (await api.get(f"{path}/{user_id}")).json()["status"] for login, user_id in ids.items()}
    assert set(found.values()) <= {"ACTIVE", "INVITED"}
    return {login for login, status in found.items() if status == "ACTIVE"}
