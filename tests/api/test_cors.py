"""CORS: pages of other origins can only call the API if the operator allows it."""

import re
from collections.abc import Sequence

import httpx
from actors import Stage
from factories.sample_account import World, path

from formwright.api.cors import cors_middleware
from formwright.api.operations import Operation
from formwright.api.router import Api
from formwright.api.v1_0.operations import OPERATIONS
from formwright.app import refuse_request
from formwright.asgi.interfaces import Interface
from formwright.asgi.middleware import RequestMiddleware
from formwright.core.clock import SystemClock
from formwright.core.ids import Ids
from formwright.web.auth_guard import auth_guard
from formwright.web.templating import asset

APP = "https://app.example.org"
OTHER = "https://evil.example.org"


def client_for_origins(stage: Stage, origins: Sequence[str]) -> httpx.AsyncClient:
    """Return a client of the same application, opened to these origins."""
    app, api = stage.entrance.app, Api()
    api.ctx = stage.ctx
    interfaces = [Interface("/api", app=cors_middleware(api, origins))]
    entrance = RequestMiddleware(
        app, interfaces, stage.ctx.settings, Ids(SystemClock()), auth_guard(app), refuse_request
    )
    transport = httpx.ASGITransport(entrance, raise_app_exceptions=False)
    return httpx.AsyncClient(transport=transport, base_url=stage.base_url)


def _about_origins(response: httpx.Response) -> dict[str, str]:
    return {name: value for name, value in response.headers.items() if name.startswith("access-control-")}


async def test_options_needs_no_key(standing: World) -> None:
    for operation in OPERATIONS:
        response = await standing.account.api.options(path(operation, standing.ids), headers={"origin": APP})
        assert (response.status_code, response.content) == (204, b""), operation.name
        allowed = {word.strip() for word in response.headers["allow"].split(",")}
        assert operation.method in allowed - {"OPTIONS", "HEAD"} <= _taken(operation), operation.name
        assert "OPTIONS" in allowed
        assert ("HEAD" in allowed) == ("GET" in allowed)
        assert _about_origins(response) == {}, "off unless named"


def _taken(operation: Operation) -> set[str]:
    return {o.method for o in OPERATIONS if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", o.path), operation.path)}


async def test_preflight_requests_are_answered(standing: World) -> None:
    async with client_for_origins(standing.account.stage, [APP]) as browser:
        for operation in OPERATIONS:
            headers = {"origin": APP, "access-control-request-method": operation.method}
            response = await browser.options(path(operation, standing.ids), headers=headers)
            cors_headers = _about_origins(response)
            assert (response.status_code, cors_headers["access-control-allow-origin"]) == (204, APP), operation.name
            assert operation.method in cors_headers["access-control-allow-methods"]
            sent = set(cors_headers["access-control-allow-headers"].lower().split(", "))
            assert {"x-api-key", "idempotency-key", "if-match"} <= sent
            assert "access-control-allow-credentials" not in cors_headers
            assert "origin" in response.headers["vary"].lower()


async def test_only_pages_of_configured_origins_may_read_responses(standing: World) -> None:
    key = {"x-api-key": standing.account.key}
    async with client_for_origins(standing.account.stage, [APP]) as browser:
        for address, status in (("/api/v1.0/submissions", 200), ("/api/v1.0/nothing", 404), ("/api/v1.0/forms", 405)):
            response = await browser.get(address, headers={**key, "origin": APP})
            assert (response.status_code, response.headers["access-control-allow-origin"]) == (status, APP)
            assert {"etag", "ratelimit", "location"} <= set(
                response.headers["access-control-expose-headers"].lower().split(", ")
            )
            for origin in (OTHER, "null", APP + ".evil.org", APP.upper(), "http://app.example.org", ""):
                refused = await browser.get(address, headers={**key, "origin": origin})
                assert _about_origins(refused) == {}, origin
                assert "origin" in refused.headers["vary"].lower(), "a cache must not mix them up"
        for page in ("/sign-in", "/docs", "/static/x", "/fill/x", "/files/x", "/health/live"):
            for method in ("GET", "OPTIONS"):
                headers = {"origin": APP, "access-control-request-method": "GET"}
                assert _about_origins(await browser.request(method, page, headers=headers)) == {}, page


async def test_any_origin_may_be_allowed(standing: World) -> None:
    async with client_for_origins(standing.account.stage, ["*"]) as browser:
        headers = {"x-api-key": standing.account.key, "origin": OTHER}
        response = await browser.get("/api/v1.0/customers", headers=headers)
    assert response.headers["access-control-allow-origin"] == "*"
    assert "access-control-allow-credentials" not in response.headers


async def test_only_an_origin_that_may_call_may_embed_a_response(standing: World) -> None:
    """A page of another origin can embed neither pages nor scripts nor responses."""
    stage, path_ = standing.account.stage, f"/api/v1.0/customers/{standing.account.id}"
    key = {"x-api-key": standing.account.key}
    async with client_for_origins(stage, [APP]) as browser:
        for address, origin, headers in (
            (path_, APP, "cross-origin"),
            (path_, OTHER, "same-origin"),
            (path_, None, "same-origin"),
            ("/api/v1.0/nothing", APP, "cross-origin"),
            ("/sign-in", APP, "same-origin"),
            (asset("base.css"), APP, "same-origin"),
            ("/nothing", None, "same-origin"),
        ):
            response = await browser.get(address, headers=key | ({"origin": origin} if origin else {}))
            assert (address, response.headers.get_list("cross-origin-resource-policy")) == (address, [headers])
