"""The URLs of SCIM."""

import importlib
from collections.abc import Sequence
from typing import Any, Literal

from litestar import Request
from litestar.handlers import HTTPRouteHandler
from litestar.params import FromPath
from litestar.response import Response

from formwright.asgi.request_body import read_limited_body
from formwright.context import AppContext
from formwright.core.auth.allowed_hosts import public_address
from formwright.core.lazy_import import LazyModule
from formwright.core.offload import offload
from formwright.scim.access import authenticate

ROOT = "/scim/v2"
MAX_BODY = 512 * 1024
"""A group of 1,000 members with their names and URLs has about 250 KiB."""
MAX_SEARCH = 16 * 1024
"""Longer filters would keep the server busy, once for each user."""
_METHODS: Sequence[Literal["GET", "POST", "PUT", "PATCH", "DELETE"]] = ("GET", "POST", "PUT", "PATCH", "DELETE")
_requests: Any = LazyModule("scim2_server.requests")
_server: Any = LazyModule("formwright.scim.server")


def scim_routes() -> list[HTTPRouteHandler]:
    """Return the routes of all accounts. The token of a request says which account it is for."""

    async def root(request: Request[Any, Any, Any]) -> Response[bytes]:
        return await _serve(request, "/")

    async def resource(request: Request[Any, Any, Any], path: FromPath[str]) -> Response[bytes]:
        return await _serve(request, path)

    return [
        HTTPRouteHandler(ROOT, http_method=_METHODS, name="scim", status_code=200)(root),
        HTTPRouteHandler(ROOT + "/{path:path}", http_method=_METHODS, name="scim-resource", status_code=200)(resource),
    ]


async def _serve(request: Request[Any, Any, Any], path: str) -> Response[bytes]:
    ctx: AppContext = request.app.state.ctx
    actor = await authenticate(ctx, request.headers.get("authorization", ""))
    body = await read_limited_body(request, MAX_SEARCH if path.endswith("/.search") else MAX_BODY)
    await offload(importlib.import_module, "formwright.scim.server")
    scim_request = _requests.ScimRequest(
        method=request.method,
        base_url=public_address(ctx.settings.base_url, request.scope["scheme"], request.headers.get("host")) + ROOT,
        path="/" + path.strip("/"),
        query=dict(request.query_params.items()),
        headers=list(request.headers.items()),
        body=body,
    )
    response: Response[bytes] = await _server.serve(ctx.db, ctx.secret_box, actor, scim_request)
    return response
