"""Announced changes: in the list, the OpenAPI document, the page, and the responses of deprecated operations."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import date

import httpx
import pytest
from actors import Account, Stage
from factories.openapi_validator import described, faults_of
from factories.requests import get
from factories.sample_account import BY_NAME
from openapi_spec_validator import OpenAPIV31SpecValidator

from formwright.api.deprecations import Announcement, AnnouncementKind
from formwright.api.openapi import document as openapi_document
from formwright.api.router import Api
from formwright.api.v1_0 import deprecation_list
from formwright.api.v1_0.operations import OPERATIONS
from formwright.app import refuse_request
from formwright.asgi.interfaces import Interface
from formwright.asgi.middleware import RequestMiddleware
from formwright.core.clock import SystemClock
from formwright.core.ids import Ids
from formwright.web.auth_guard import auth_guard

OLD = Announcement(
    "2027-customers",
    AnnouncementKind.DEPRECATION,
    "The list of accounts <b>goes</b>",
    "A key reaches one account. Use `getCustomer`.",
    announced=date(2027, 1, 4),
    effective=date(2027, 2, 1),
    sunset=date(2028, 2, 1),
    operations=("listCustomers",),
    fields=("Customer.locale",),
    replacement="getCustomer",
)
CHANGE = Announcement("2026-more", AnnouncementKind.CHANGE, "More", "More.", date(2026, 12, 1), date(2026, 12, 24))
SOME = [replace(CHANGE, name=f"2026-{number}", operations=("getForm",)) for number in range(5)]


def test_deprecations_are_announced_with_existing_operations() -> None:
    names = {operation.name for operation in OPERATIONS}
    known = deprecation_list.ANNOUNCEMENTS
    assert [one.name for one in OPERATIONS if one.deprecated and one.deprecated not in known] == []
    assert len({one.name for one in known}) == len(known)
    for one in known:
        assert set(one.operations) <= names
        assert one.announced <= one.effective <= (one.sunset or one.effective)


async def test_the_list_is_empty(account: Account) -> None:
    assert await get(account, "/announcements") == {"items": [], "nextCursor": None, "next": None}
    async with account.stage.client() as nobody:
        page = await nobody.get("/docs/changes")
    assert (page.status_code, "No changes are planned" in page.text) == (200, True)
    response = await account.api.get("/api/v1.0/customers")
    assert {"deprecation", "sunset", "link"} & response.headers.keys() == set()


async def test_the_list_can_be_filtered_and_paged(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deprecation_list, "ANNOUNCEMENTS", (OLD, *SOME))
    [first] = (await get(account, "/announcements", kind="DEPRECATION"))["items"]
    assert first == {
        "name": "2027-customers",
        "kind": "DEPRECATION",
        "title": "The list of accounts <b>goes</b>",
        "description": "A key reaches one account. Use `getCustomer`.",
        "announced": "2027-01-04",
        "effective": "2027-02-01",
        "sunset": "2028-02-01",
        "operations": ["listCustomers"],
        "fields": ["Customer.locale"],
        "replacement": "getCustomer",
        "url": "/docs/changes#2027-customers",
    }
    assert faults_of({"$ref": "#/components/schemas/Announcement"}, first) == []
    page, seen = await get(account, "/announcements", operation="getForm", limit=2), []
    while True:
        seen += [one["name"] for one in page["items"]]
        if not page["next"]:
            break
        page = (await account.api.get(page["next"])).json()
    assert seen == [one.name for one in SOME]
    assert (await get(account, "/announcements", operation="nothing"))["items"] == []


@asynccontextmanager
async def deprecating(stage: Stage) -> AsyncIterator[httpx.AsyncClient]:
    """The same application with a deprecated operation."""
    operations = [replace(one, deprecated=OLD) if one.name == "listCustomers" else one for one in OPERATIONS]
    document = openapi_document.build_document(operations, [OLD, CHANGE])
    api, before = Api(operations), stage.ctx
    api.ctx = replace(stage.ctx, document=lambda: document)
    app = stage.entrance.app
    app.state.ctx = api.ctx
    try:
        interfaces = [Interface("/api", app=api)]
        entrance = RequestMiddleware(
            app, interfaces, before.settings, Ids(SystemClock()), auth_guard(app), refuse_request
        )
        transport = httpx.ASGITransport(entrance, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url=stage.base_url) as http:
            yield http
    finally:
        app.state.ctx = before


async def test_deprecated_operations_say_so_in_responses_and_in_the_document(account: Account) -> None:
    async with deprecating(account.stage) as http:
        for key, status in ((account.key, 200), ("nonsense", 401)):
            response = await http.get("/api/v1.0/customers", headers={"x-api-key": key})
            assert response.status_code == status
            assert response.headers["deprecation"] == "@1801440000"
            assert response.headers["sunset"] == "Tue, 01 Feb 2028 00:00:00 GMT"
            assert response.headers["link"] == '</docs/changes#2027-customers>; rel="deprecation"; type="text/html"'
        other = await http.get(f"/api/v1.0/customers/{account.id}", headers={"x-api-key": account.key})
        assert "deprecation" not in other.headers
        page = await http.get("/docs/changes")
    assert 'id="2027-customers"' in page.text
    assert "The list of accounts &lt;b&gt;goes&lt;/b&gt;" in page.text
    assert 'href="/docs/customers#getCustomer"' in page.text
    assert page.text.index("2027-customers") < page.text.index("2026-more")


def test_the_document_marks_deprecated_operations() -> None:
    operations = [replace(BY_NAME["listCustomers"], deprecated=OLD), BY_NAME["getCustomer"]]
    document = openapi_document.build_document(operations, [OLD])
    assert [str(error) for error in OpenAPIV31SpecValidator(document).iter_errors()] == []
    marked = document["paths"]["/api/v1.0/customers"]["get"]
    assert marked["deprecated"] is True
    assert {"Deprecation", "Sunset", "Link"} <= marked["responses"]["200"]["headers"].keys()
    assert "deprecated" not in document["paths"]["/api/v1.0/customers/{customerId}"]["get"]
    assert document["x-announcements"][0]["name"] == OLD.name
    assert described()["x-announcements"] == []
