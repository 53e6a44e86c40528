"""Sign-in and sign-out, CSRF protection, and redirects."""

import html
import re

import httpx
import pytest
from actors import Stage
from factories.web_client import Visit
from fixtures.accounts import PASSWORD, Person, csrf
from fixtures.browser import WatchedPage
from playwright.async_api import expect

from formwright.domain.users import password_hashing
from formwright.domain.users import service as people

PAGES = ["/sign-in", "/forms", "/submissions", "/settings", "/settings/connections/api-keys", "/nowhere"]


async def test_sign_in_with_a_wrong_and_the_right_password(desktop_page: WatchedPage, person: Person) -> None:
    page = desktop_page.page
    await page.goto(person.path("/submissions"))
    await page.get_by_label("Email").fill(person.email)
    await page.get_by_label("Password").fill("correct horse batter")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_contain_text("Wrong email address or password")
    await expect(page.get_by_label("Email")).to_have_value(person.email)
    password = page.get_by_label("Password")
    await password.fill(PASSWORD)
    await page.get_by_role("button", name="Show").click()
    await expect(password).to_have_attribute("type", "text")
    await page.get_by_role("button", name="Hide").click()
    await expect(password).to_have_attribute("type", "password")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Submissions", exact=True)).to_be_visible()
    await expect(page.get_by_text("<i>Owner</i>").first).to_be_visible()
    # The browser logs the rejected sign-in itself. There must be no other errors.
    assert [error for error in desktop_page.errors if "422" not in error] == []


async def test_signing_out_ends_the_session_everywhere(http: httpx.AsyncClient, person: Person) -> None:
    assert (await person.sign_in(http)).headers["location"] == "/overview"
    forms = await http.get("/forms")
    assert forms.status_code == 200
    cookie = http.cookies["__Host-formwright"]
    assert (await http.post("/sign-out", data={"_csrf_token": csrf(forms)})).status_code == 303
    assert (await http.get("/forms")).headers["location"] == "/sign-in?next=%2Fforms"
    stolen = await http.get("/forms", headers={"cookie": f"__Host-formwright={cookie}"})
    assert stolen.status_code == 303


async def test_the_cookie_is_restricted_to_this_host_https_and_http_only(
    http: httpx.AsyncClient, person: Person
) -> None:
    response = await person.sign_in(http)
    [cookie] = [one for one in response.headers.get_list("set-cookie") if one.startswith("__Host-formwright=")]
    flags = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "secure", "samesite=lax", "path=/"} <= flags
    assert not [flag for flag in flags if flag.startswith("domain")]


async def test_requests_without_the_csrf_token_are_rejected(http: httpx.AsyncClient, person: Person) -> None:
    await person.sign_in(http)
    here = "/settings/connections/api-keys"
    for path in ("/sign-in", "/sign-out", f"{here}/new", f"{here}/key_x/revoke"):
        for token in ("", "0" * 128):
            refused = await http.post(path, data={"_csrf_token": token, "name": "Stolen"})
            assert refused.status_code == 403, path
            assert "Your session expired" in refused.text
    kept = await http.get(here)
    assert kept.status_code == 200
    assert "Stolen" not in kept.text
    large = await http.post("/sign-in", data={"_csrf_token": "", "email": "a" * 20_000})
    assert (large.status_code, "Request too large" in large.text) == (413, True)


@pytest.mark.parametrize(
    "wanted",
    [
        "https://evil.example",
        "//evil.example",
        "/\\evil.example",
        "javascript:alert(1)",
        "/\n/evil.example",
        "\t//e.example",
    ],
)
async def test_sign_in_does_not_redirect_to_other_hosts(http: httpx.AsyncClient, person: Person, wanted: str) -> None:
    assert (await person.sign_in(http, next_=wanted)).headers["location"] == "/overview"


async def test_sign_in_redirects_to_the_requested_page(http: httpx.AsyncClient, person: Person) -> None:
    response = await person.sign_in(http, next_="/submissions?form=frm_1")
    assert response.headers["location"] == "/submissions?form=frm_1"


async def test_a_form_posted_after_the_session_ended_reports_that_nothing_was_saved(
    http: httpx.AsyncClient, person: Person
) -> None:
    sent = {"_csrf_token": csrf(await http.get("/sign-in")), "name": "New"}
    for page, wanted in [(person.path("/forms?folder=fol_1"), "/forms?folder=fol_1"), ("", ""), ("http://[", "")]:
        refused = await http.post("/folders", data=sent, headers={"referer": page})
        response = await http.get(refused.headers["location"])
        assert "Your changes weren’t saved" in response.text
        assert f'name="next" value="{wanted}"' in response.text


async def test_a_form_posted_without_cookies_redirects_to_sign_in_and_back(
    http: httpx.AsyncClient, person: Person
) -> None:
    page = person.path("/settings/account")
    sent = {"_csrf_token": csrf(await http.get("/sign-in")), "name": "New"}
    http.cookies.clear()
    refused = await http.post("/settings/account", data=sent, headers={"referer": page})
    assert refused.headers["location"] == "/sign-in?unsaved=1&next=%2Fsettings%2Faccount"
    assert "Your changes weren’t saved" in (await http.get(refused.headers["location"])).text
    http.cookies.clear()
    scripted = await http.post("/forms/frm_1/design/draft", json={}, headers={"x-csrftoken": sent["_csrf_token"]})
    assert scripted.headers["location"].startswith("/sign-in?unsaved=1")
    sign_in = {"referer": person.path("/sign-in?next=%2Fsubmissions")}
    expired = await http.post("/sign-in", data=sent, headers=sign_in)
    assert expired.headers["location"] == "/sign-in?expired=1&next=%2Fsubmissions"
    assert "Your session expired" in (await http.get(expired.headers["location"])).text
    for public in ("/forgot-password", "/set-password/some-token", "/first-owner/some-token"):
        http.cookies.clear()
        reloaded = await http.post(public, data=sent, headers={"referer": person.path(public)})
        assert (reloaded.status_code, reloaded.headers["location"]) == (303, public)
    http.cookies.clear()
    # Requests from other sites also arrive without cookies; they are still rejected.
    for foreign in ({"sec-fetch-site": "cross-site"}, {"origin": "https://evil.example"}, {"origin": "null"}):
        assert (await http.post("/settings/account", data=sent, headers=foreign)).status_code == 403


@pytest.mark.parametrize("referer", ["https://evil.example//evil.example/x", "https://evil.example/\\evil.example"])
async def test_an_ended_session_does_not_redirect_to_other_hosts(
    http: httpx.AsyncClient, person: Person, referer: str
) -> None:
    refused = await http.post("/settings/account", data={}, headers={"referer": referer})
    token = csrf(shown := await http.get(refused.headers["location"]))
    wanted = html.unescape(re.findall(r'name="next" value="([^"]*)"', shown.text)[0])
    form = {"_csrf_token": token, "email": person.email, "password": PASSWORD, "next": wanted}
    assert (await http.post("/sign-in", data=form)).headers["location"] == "/overview"


async def test_a_form_in_a_browser_that_lost_its_cookies_redirects_to_sign_in_and_back(
    desktop_page: WatchedPage, person: Person
) -> None:
    page = desktop_page.page
    await person.sign_in_browser(page)
    await page.goto(person.path("/settings/account"))
    await page.context.clear_cookies()
    await page.get_by_label("Name", exact=True).fill("New")
    await page.get_by_role("button", name="Save").first.click()
    await expect(page.get_by_role("alert")).to_contain_text("Your changes weren’t saved")
    await page.get_by_label("Email").fill(person.email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page).to_have_url(person.path("/settings/account"))


@pytest.mark.parametrize("email", ["", "nobody@example.org", "a\0b", "x" * 2000, "\ud7ff@example.org"])
async def test_an_unknown_user_is_rejected_like_a_wrong_password(
    http: httpx.AsyncClient, person: Person, email: str
) -> None:
    form = {"_csrf_token": csrf(await http.get("/sign-in")), "email": email, "password": "x" * 3000}
    refused = await http.post("/sign-in", data=form)
    assert refused.status_code == 422
    assert "Wrong email address or password." in refused.text


async def test_every_page_has_a_strict_content_security_policy(http: httpx.AsyncClient, person: Person) -> None:
    await person.sign_in(http)
    for path in PAGES:
        response = await http.get(path)
        policy = response.headers["content-security-policy"]
        for rule in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'self'"):
            assert rule in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["cache-control"] == "no-store"
        assert " style=" not in response.text
        assert "<style" not in response.text


@pytest.mark.parametrize("path", ["/nowhere", "/submissions/sub_x", "/submissions/%00", "/static/x/app.js", "/%ff"])
async def test_unknown_paths_return_a_not_found_page(http: httpx.AsyncClient, person: Person, path: str) -> None:
    anonymous = await http.get(path, follow_redirects=True)
    assert '<nav class="main-nav"' not in anonymous.text
    await person.sign_in(http)
    response = await http.get(path)
    assert response.status_code == 404
    assert "Page not found" in response.text
    assert '<nav class="main-nav"' in response.text
    assert response.headers["x-request-id"] in response.text


async def test_an_unknown_fill_link_shows_a_message(phone_page: WatchedPage, person: Person) -> None:
    await phone_page.page.goto(person.path("/fill/nothing"))
    await expect(phone_page.page.get_by_role("heading", name="This form isn’t available")).to_be_visible()


@pytest.mark.parametrize("aligned", [True, False], ids=["one salt", "a salt each"])
async def test_an_attempt_computes_one_hash_however_many_accounts_the_address_has(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, aligned: bool
) -> None:
    """Each account has its own password. Signing in replaces hashes with different salts by ones with the same salt."""
    computed: list[str] = []
    real = password_hashing._hash_with_prefix
    monkeypatch.setattr(password_hashing, "_hash_with_prefix", lambda *given: computed.append(given[1]) or real(*given))

    async def attempt(email: str, password: str) -> tuple[int, int]:
        computed.clear()
        async with stage.client() as http:
            response = await Visit(http).sign_in(email, password)
        return response.status_code, len(computed)

    assert await attempt(f"nobody-{aligned}@example.org", "password number 0") == (422, 1)
    email, hashes = f"several-{aligned}-{stage.ctx.clock.now()}@example.org", list[str]()
    for number in range(3):
        hashes.append(await stage.ctx.passwords.hash(f"password number {number}", hashes if aligned else []))
        async with stage.ctx.db.writing() as tx:
            await people.open_account(tx, name=f"Account {number}", email=email, password_hash=hashes[-1])
    for number in range(3):
        assert await attempt(email, f"password number {number}") == (303, 1 if aligned else 3 - max(number - 1, 0))
    for typed, status in (("password number 2", 303), ("password number 9", 422)):
        assert await attempt(email, typed) == (status, 1)
