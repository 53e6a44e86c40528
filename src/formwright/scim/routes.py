"""The URLs of SCIM."""

import importlib
from typing import Any

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import ProgramRequest, ProgramRoute
from formwright.asgi.request_body import read_limited_body
from formwright.core.auth.allowed_hosts import public_address
from formwright.core.lazy_import import LazyModule
from formwright.core.offload import offload
from formwright.scim.access import authenticate

ROOT = "/scim/v2"
MAX_BODY = 512 * 1024
"""A group of 1,000 members with their names and URLs has about 250 KiB."""
MAX_SEARCH = 16 * 1024
"""Longer filters would keep the server busy, once for each user."""
_METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
_requests: Any = LazyModule("scim2_server.requests")
_server: Any = LazyModule("formwright.scim.server")


def scim_routes() -> list[ProgramRoute]:
    """Return the routes of all accounts. The token of a request says which account it is for."""
    return [
        ProgramRoute(ROOT, _serve, _METHODS, "scim"),
        ProgramRoute(ROOT + "/{path:path}", _serve, _METHODS, "scim-resource"),
    ]


async def _serve(request: ProgramRequest) -> HttpResponse:
    ctx, path = request.ctx, str(request.path_params.get("path", "/"))
    actor = await authenticate(ctx, request.headers.get("authorization", ""))
    body = await read_limited_body(request, MAX_SEARCH if path.endswith("/.search") else MAX_BODY)
    await offload(importlib.import_module, "formwright.scim.server")
    scim_request = _requests.ScimRequest(
        method=request.method,
        base_url=public_address(ctx.settings.base_url, request.scope["scheme"], request.headers.get("host")) + ROOT,
        path="/" + path.strip("/"),
        query=dict(request.query.items()),
        headers=list(request.headers.items()),
        body=body,
    )
    response: HttpResponse = await _server.serve(ctx.db, ctx.secret_box, actor, scim_request)
    return response
