"""The routes of the API, all versions."""

from typing import Any

from litestar import Request, Router
from litestar.handlers import HTTPRouteHandler
from litestar.response import Response

from formwright.api.openapi import document_bytes
from formwright.api.serving import route
from formwright.api.v1_0.operations import OPERATIONS

PREFIX = "/api"


def api_router() -> Router:
    """Every operation of version 1.0, and the document that describes them."""
    return Router("/api/v1.0", route_handlers=[*(route(operation) for operation in OPERATIONS), _openapi()])


def _openapi() -> HTTPRouteHandler:
    async def handler(request: Request[Any, Any, Any]) -> Response[bytes]:
        del request
        return Response(document_bytes(), media_type="application/json")

    return HTTPRouteHandler("/openapi.json", http_method="GET", name="openapi", media_type="application/json")(handler)
