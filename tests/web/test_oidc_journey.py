"""Single sign-on in a browser, with a provider that others wrote."""

import threading
import warnings
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from actors import PASSWORD
from fixtures.accounts import Person, account_factory
from fixtures.browser import DESKTOP, borrow_context
from fixtures.server_process import Server
from playwright.async_api import Browser, Page, expect

from formwright.core.auth import actor as actors
from formwright.domain.identity_providers import domains

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # It still uses a module that Authlib has deprecated.
    import oidc_provider_mock  # type: ignore[import-untyped]
    from werkzeug.serving import make_server

# The provider calls functions that Authlib has deprecated.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


@pytest.fixture
def issuer() -> Iterator[str]:
    """The address of a running provider that knows three people."""
    people = [
        oidc_provider_mock.User(sub="ann", claims={"email": "ann@journey.example", "email_verified": True}),
        oidc_provider_mock.User(sub="eve", claims={"email": "eve@journey.example", "email_verified": False}),
    ]
    server = make_server("127.0.0.1", 0, oidc_provider_mock.app(user_claims=people), threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()


@asynccontextmanager
async def visitor(browser: Browser) -> AsyncIterator[Page]:
    """A page with empty storage, which may also open the provider's pages."""
    async with borrow_context(browser, ignore_https_errors=True, **DESKTOP) as context:
        yield context.pages[0]


async def test_an_owner_sets_up_single_sign_on_and_people_use_it(browser: Browser, person: Person, issuer: str) -> None:
    async with person.factory.ctx.db.writing() as tx:
        await domains.claim(tx, actors.system(person.customer_id), "journey.example")
    async with visitor(browser) as page:
        await person.sign_in_browser(page)
        await page.goto(f"{person.server.base_url}/settings")
        await page.get_by_role("link", name="Sign-in", exact=True).click()
        await page.get_by_role("link", name="Add identity provider").click()
        await page.get_by_label("Name").fill("Journey & Co")
        await page.get_by_label("Issuer").fill(issuer)
        await page.get_by_label("Client ID").fill("forms")
        await page.get_by_label("Client secret").fill("secret")
        await page.get_by_label("Create users at their first sign-in").check()
        await page.get_by_role("button", name="Save").click()
        await expect(page.locator(".notice.good")).to_contain_text("Identity provider saved.")
        await page.get_by_role("button", name="Check connection").click()
        await expect(page.locator(".notice.good")).to_contain_text("The provider responds")
        # The owner links themselves.
        await page.goto(f"{person.server.base_url}/settings/account")
        section = page.get_by_role("region", name="Single sign-on")
        await section.get_by_label("Current password").fill(PASSWORD)
        await section.get_by_role("button", name="Link").click()
        await page.get_by_role("link", name="Continue with Journey & Co").click()
        await page.get_by_placeholder("sub").fill("owner")
        await page.get_by_role("button", name="Authorize").click()
        await expect(page.locator(".notice.good")).to_contain_text("Single sign-on linked.")
    async with visitor(browser) as page:
        await page.goto(f"{person.server.base_url}/sign-in?next=/settings")
        await page.get_by_role("link", name="Use single sign-on").click()
        await page.get_by_label("Work email").fill("ann@journey.example")
        await page.get_by_role("button", name="Continue").click()
        await page.get_by_role("link", name="Continue with Journey & Co").click()
        await page.get_by_role("button", name="ann").click()
        await page.wait_for_url("**/settings")
        await expect(page.get_by_text("ann@journey.example").first).to_be_attached()
    async with visitor(browser) as page:
        await page.goto(f"{person.server.base_url}/sign-in/oidc")
        await page.get_by_label("Work email").fill("eve@journey.example")
        await page.keyboard.press("Enter")
        await page.get_by_role("link", name="Continue with Journey & Co").click()
        await page.get_by_role("button", name="eve").click()
        await expect(page.get_by_role("heading", name="Sign-in failed")).to_be_visible()
        await page.get_by_role("link", name="Try again").click()
        await page.get_by_role("link", name="Continue with Journey & Co").click()
        await page.get_by_role("button", name="Deny").click()
        await expect(page.get_by_role("heading", name="Sign-in failed")).to_be_visible()


@pytest.mark.slow
async def test_everybody_signs_in_with_the_provider_of_the_installation(
    browser: Browser, tmp_path: Path, issuer: str
) -> None:
    settings = {
        "OIDC_ISSUER": issuer,
        "OIDC_CLIENT_ID": "forms",
        "OIDC_CLIENT_SECRET": "s3cret-value",
        "OIDC_NAME": "Journey & Co",
        "OIDC_DOMAINS": "journey.example",
        "OIDC_SIGN_OUT": "1",
    }
    refused = Server(tmp_path, **settings | {"OIDC_DOMAINS": "journey"}).command("serve")
    assert refused.returncode != 0
    assert "FORMWRIGHT_OIDC_DOMAINS must be a list of domains such as example.org" in refused.stderr
    server = Server(tmp_path, WEBHOOK_ALLOW="127.0.0.0/8", **settings)
    try:
        await server.start()
        async with account_factory(server) as account:
            person = await account.create_account()
            async with person.client() as api:
                path = f"/api/v1.0/customers/{person.customer_id}/users"
                added = await api.post(path, json={"email": "ann@journey.example", "name": "Ann"})
                assert added.is_success, added.text
            async with visitor(browser) as page:
                await page.goto(f"{server.base_url}/sign-in?next=/settings")
                await page.get_by_role("link", name="Sign in with Journey & Co").click()
                await page.get_by_role("button", name="ann").click()
                await page.wait_for_url("**/settings")
                await expect(page.get_by_text("Ann").first).to_be_attached()
                # Signing out leads to the provider, which knows from the ID token who it is, and back.
                await page.get_by_role("button", name="Sign out").click()
                await expect(page.get_by_role("button", name="End session")).to_be_visible()
                await expect(page.get_by_text("Recommended parameter id_token_hint not set")).to_have_count(0)
                await page.get_by_role("button", name="End session").click()
                await page.wait_for_url(f"{server.base_url}/sign-in")
                await page.get_by_role("link", name="Sign in with Journey & Co").click()
                await page.get_by_role("button", name="eve").click()
                await expect(page.get_by_role("heading", name="Sign-in failed")).to_be_visible()
            async with visitor(browser) as page:
                await person.sign_in_browser(page)
                await page.goto(f"{server.base_url}/settings/sign-in")
                section = page.get_by_role("region", name="Provider of this server")
                await expect(section).to_contain_text(issuer)
                await expect(section.get_by_role("button")).to_have_count(0)
        assert "the provider says that their email address isn’t verified" in server.log()
        assert "s3cret-value" not in server.log() + server.command("settings").stdout
    finally:
        server.close()
