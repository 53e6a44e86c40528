"""Every page of the platform, found by following links over HTTP from an account that holds one of everything.

The routes come from the router. A new page that no link leads to fails every test that uses the site map.
"""

import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from html.parser import HTMLParser
from typing import Any
from urllib.parse import parse_qsl, urljoin, urlsplit

import httpx
from actors import Account
from fixtures.accounts import Person, csrf
from litestar import Router

from factories import realistic
from factories.row_files import xlsx_file
from factories.sample_account import world
from formwright.core.auth import actor as actors
from formwright.domain.bulk_changes import service as bulk_changes
from formwright.domain.bulk_changes.models import BulkAction, NewChange, Target
from formwright.domain.customers import service as customers
from formwright.domain.exports import downloads
from formwright.domain.exports.models import PERSONAL_DATA_ZIP, Download
from formwright.domain.identity_providers import service as identity_providers
from formwright.domain.identity_providers.models import DEFAULT_SCOPES, ProviderEdit
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.service import MailSender
from formwright.domain.mail.templates import EmailContent
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.auth import password_links
from formwright.domain.users.auth.models import LinkKind
from formwright.domain.users.models import NewUser
from formwright.web import urls

_PROVIDER = ProviderEdit(
    "Wasserwirtschaftsverband Nordwest, Mitarbeiteranmeldung",
    "https://login.wasserwirtschaftsverband-nordwest.example/realms/mitarbeiterinnen-und-mitarbeiter",
    "formwright",
    "secret",
    DEFAULT_SCOPES,
    True,
    True,
    True,
)
NO_PAGE = {
    "/": "leads to the overview",
    "/forms/{form_id:str}": "leads to the first tab of the form",
    "/forms/{form_id:str}/versions/{version_id:str}/excel": "a file",
    "/forms/{form_id:str}/bundle": "a file",
    "/forms/{form_id:str}/media.zip": "a file",
    "/forms/{form_id:str}/translations.xlsx": "a file",
    "/settings/mail/{mail_id:str}/file": "a file",
    "/submissions/download.csv": "a file",
    "/submissions/download.ndjson": "a file",
    "/submissions/download.parquet": "a file",
    "/submissions/download.pdf.zip": "leads to the page of an export",
    "/submissions/download.xlsx": "a file",
    "/submissions/{submission_id:str}/report.pdf": "a file",
    "/forms/{form_id:str}/imports/{import_id:str}/errors.csv": "a file",
    "/forms/{form_id:str}/imports/{import_id:str}/state": "JSON",
    "/settings/personal-data/jobs/{export_id:str}/file": "a file",
    "/submissions/exports/{export_id:str}/file": "a file",
    "/forms/{form_id:str}/share/qr.png": "a picture",
    "/forms/{form_id:str}/share/qr.svg": "a picture",
    "/settings/account/second-factor/qr.svg": "a picture",
    "/sign-in/oidc/{provider_id:str}/start": "leads to the identity provider",
    "/sign-in/oidc/{provider_id:str}/callback": "the identity provider leads to it",
    "/settings/sign-in/{provider_id:str}/try": "leads to the identity provider",
    "/sign-in/accounts": "only for who is on the way in: tests/web/test_oidc_installation.py looks at it",
    "/sign-in/second": "only for who is on the way in: tests/web/test_onboarding.py looks at it",
    "/first-owner/{token:str}": "only in an empty installation: tests/web/test_first_owner.py looks at it",
    "/forms/question-library/choices": "JSON",
    "/forms/question-library/{block_id:str}/versions": "JSON",
    "/forms/{form_id:str}/design/changes": "a part of the designer that its module asks for",
    "/basemap.pmtiles": "a file",
    "/fill/{token:str}/basemap.pmtiles": "a file",
    "/fill/branding/{color:str}": "a stylesheet",
    "/fill/branding/{customer_id:str}/{name:str}": "a picture",
    "/go-to/results": "a part of a page that a script asks for",
    "/fill/{token:str}/challenge": "JSON",
    "/fill/{token:str}/qr.svg": "a picture",
    "/fill/{token:str}/devices/{device:str}": "JSON",
    "/datasources/uploads/{upload_id:str}/state": "JSON",
    "/forms/{form_id:str}/map/points": "JSON",
    "/forms/{form_id:str}/map/submissions": "JSON",
    "/fill/sw.js": "a script",
    "/invites/new/choices": "JSON",
    "/people/groups/choices": "JSON",
    "/submissions/choices": "JSON",
    "/tasks/new/choices": "JSON",
    "/fill/{token:str}/lookup/{name:str}": "JSON",
    "/fill/{token:str}/lookup/{name:str}/rows": "JSON",
}
"""Routes that respond to a GET with something other than a page."""


@dataclass(frozen=True, slots=True, order=True)
class PageAddress:
    """One page: its route, the names in its query (which open dialogs and filters), and an address to load it from."""

    route: str
    query: tuple[str, ...]
    state: str
    """What this page shows, where several addresses of a route are wanted."""
    url: str
    signed_in: bool

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """What distinguishes one page from another."""
        return self.route, self.query, self.state

    @property
    def name(self) -> str:
        """The page's name in a failed test."""
        query = f"?{'&'.join(self.query)}" if self.query else ""
        return f"{self.route}{query}{f' ({self.state})' if self.state else ''}"


class _Links(HTMLParser):
    """Collects the `href` of each link that is not a download."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = dict(attrs)
        if tag == "a" and names.get("href") and "download" not in names:
            self.found.append(str(names["href"]))


def page_routes() -> dict[str, re.Pattern[str]]:
    """The path of each GET route, and a pattern for its addresses."""
    grouped = (route for group in urls.PAGE_GROUPS for route in group.routes)
    routes = Router("/", route_handlers=[*urls.page_routes(), *urls.FILL_ROUTES, *grouped]).routes
    paths = {route.path for route in routes if "GET" in route.methods and not route.path.startswith("/static/")}
    return {path: re.compile(re.sub(r"\\\{[^}]*\\\}", "[^/]+", re.escape(path))) for path in paths}


async def find_pages(person: Person) -> list[PageAddress]:
    """Fill the account of this person, and return every page of it once per set of query names, sorted by route."""
    extra = await furnish(person)
    async with person.server.client() as http:
        start = {"": "/sign-in", "link": extra.pop("link")}
        outside = await _follow(http, start, signed_in=False)
        await person.sign_in(http)
        inside = await _follow(http, extra | {"": "/forms"}, signed_in=True)
    pages = sorted({page.key: page for page in [*inside, *outside]}.values())
    missing = set(page_routes()) - {page.route for page in pages}
    assert missing == set(NO_PAGE), f"no link leads to these pages: {missing - set(NO_PAGE)}"
    return pages


async def _follow(http: httpx.AsyncClient, start: dict[str, str], *, signed_in: bool) -> list[PageAddress]:
    """Load the page at each of these addresses and every page that links lead to, and return them."""
    routes, pages = page_routes(), dict[tuple[str, tuple[str, ...], str], PageAddress]()
    base = str(http.base_url)
    waiting = deque((urljoin(base, address), state) for state, address in start.items())
    while waiting:
        url, state = waiting.popleft()
        found = _page_at(url, base, routes)
        if found is None or (*found, state) in pages:
            continue
        response = await http.get(url)
        if response.is_redirect:
            continue
        assert response.is_success or response.status_code == 410, (url, response.status_code)
        pages[*found, state] = PageAddress(*found, state, url.partition("#")[0], signed_in)
        waiting.extend((link, "") for link in _links(url, response.text))
    return list(pages.values())


def _page_at(url: str, base: str, routes: dict[str, re.Pattern[str]]) -> tuple[str, tuple[str, ...]] | None:
    """Route and query of this address; of several routes that match, the one with the fewest parameters."""
    parts = urlsplit(url)
    matching = [route for route, pattern in routes.items() if pattern.fullmatch(parts.path)]
    route = min(matching, key=lambda one: one.count("{"), default=None)
    if not url.startswith(base) or route is None or route in NO_PAGE:
        return None
    return route, tuple(sorted({name for name, _ in parse_qsl(parts.query)}))


def _links(url: str, text: str) -> Iterator[str]:
    parser = _Links()
    parser.feed(text)
    return (urljoin(url, link) for link in parser.found)


async def furnish(person: Person) -> dict[str, str]:
    """Create one of everything in the account, with realistic names.

    Returns the URLs to which no other page links: they are only opened from what they create.
    """
    ctx, actor = person.factory.ctx, actors.system(person.customer_id)
    async with ctx.db.reading() as tx:
        customer, user = await customers.get(tx, actor), await people.get(tx, actor, user_id=person.id)
    async with ctx.db.writing() as tx:
        letter = EmailContent("Come in", ["Please."], ("Come in", "https://forms.test/"))
        new = NewMail("test", "usr_1", person.email, "Owner", "en", letter)
        await mail.enqueue(tx, MailSender(person.customer_id, customer.name, ctx.secret_box), new)
        invited = await management.invite(tx, actor, NewUser(f"new.{person.email}", "New"))
        link, _ = await password_links.create(tx, invited.user, LinkKind.INVITATION)
    async with person.client() as api:
        account = Account(person.factory, customer, user, actor, person.key, api)
        made_world = await world(account)
        long = await realistic.add(account)
    uploads = await _upload(person, made_world.ids["formId"])
    # Nobody works on these: they stay in progress, and their lists link to them.
    async with ctx.db.writing() as tx:
        owner = await people.load_actor(tx, user)
        form_id = made_world.ids["formId"]
        await downloads.start(tx, owner, Download("xlsx", "Visit", ""), form_id)
        await downloads.start(tx, owner, Download(PERSONAL_DATA_ZIP, "Personal data", ""))
        await tx.execute("UPDATE export_runs SET download_due = NULL WHERE customer_id = $1", person.customer_id)
        unfinished = NewChange(BulkAction.APPROVE, [Target(made_world.ids["submissionId"], 1)])
        await bulk_changes.start(tx, owner, unfinished)
        provider = await identity_providers.create(tx, owner, _PROVIDER, ctx.secret_box)
    view = {"view": f"/submissions?view={made_world.ids['viewId']}"}
    sign_in = {"provider": f"/sign-in/oidc/{provider.id}"}
    view |= {"prefill": f"/tasks/new/answers?form={made_world.ids['formId']}"}
    return {"link": f"/set-password/{link}"} | sign_in | uploads | long | view


async def _upload(person: Person, form_id: str) -> dict[str, str]:
    """Send a file for a new data source, a form in Excel, and a file with submissions."""
    async with person.server.client() as http:
        await person.sign_in(http)
        token = {"_csrf_token": csrf(await http.get("/forms"))}
        lines = [("type", "name", "label"), ("text", "a", "A"), ("audio", "b", "B")]
        sheet = xlsx_file([], survey=lines, settings=[("form_title",), ("Visit",)])
        files: dict[str, Any] = {"file": ("a.csv", realistic.csv_file())}
        upload = await http.post("/datasources/uploads", data=token, files=files)
        response = await http.post("/forms/import", data=token, files={"file": ("visit.xlsx", sheet)})
        staged = await http.post(f"/forms/{form_id}/imports", data=token, files=files)
    return {
        "upload": upload.headers["location"],
        "import": response.headers["location"],
        "submissions": staged.headers["location"],
    }
