"""The ASGI application of the API: finds the operation of a request by method and path, and sends its response.

It does not use the framework, whose routing, middleware and request and response objects would cost more than all that
an operation does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import structlog

from formwright.api.deprecations import fields_of
from formwright.api.dispatch import serve
from formwright.api.errors import HttpsRequired, MethodNotAllowed, RouteNotFound, problem
from formwright.api.http_messages import ApiRequest
from formwright.api.openapi.document import document_bytes
from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.api.v1_0.operations import PREFIX as V1_0
from formwright.asgi.http_response import HttpResponse
from formwright.asgi.request_errors import RATE_WINDOW_S
from formwright.asgi.timeouts import RequestTimeout
from formwright.asgi.types import Receive, Scope, Send
from formwright.context import AppContext
from formwright.core.errors import DomainError
from formwright.domain.api_keys.rate_limits import RateLimitStatus

T = TypeVar("T")


@dataclass(slots=True)
class _Node:
    """A node of the routing tree: children by literal segment, the child for a parameter, and targets by method."""

    literals: dict[str, "_Node"] = field(default_factory=dict)
    parameter: "_Node | None" = None
    targets: dict[str, tuple[object, tuple[str, ...]]] = field(default_factory=dict)


class RoutingTable(Generic[T]):
    """Targets by method and path template, like `/forms/{formId}`. Literal segments take precedence over parameters."""

    def __init__(self) -> None:
        self._root = _Node()
        self.routes: list[tuple[str, str]] = []

    def add(self, method: str, path: str, target: T) -> None:
        """Add a route."""
        node, names = self._root, []
        for segment in split_path(path):
            if segment.startswith("{"):
                names.append(segment[1:-1])
                node.parameter = node = node.parameter or _Node()
            else:
                node = node.literals.setdefault(segment, _Node())
        node.targets[method] = (target, tuple(names))
        self.routes.append((method, path))

    def find(self, method: str, path: str) -> tuple[T | None, dict[str, str], Sequence[str]]:
        """Return the target, the path parameters and the methods of the path; without methods, the path is unknown."""
        found = _find(self._root, split_path(path), 0, ())
        if found is None:
            return None, {}, ()
        targets, values = found
        target, names = targets.get(method, (None, ()))
        return target, dict(zip(names, values, strict=False)), tuple(targets)  # type: ignore[return-value]


def split_path(path: str) -> list[str]:
    """Return the segments between the slashes, without empty ones."""
    return [segment for segment in path.split("/") if segment]


def _find(
    node: _Node, segments: list[str], index: int, values: tuple[str, ...]
) -> tuple[dict[str, tuple[object, tuple[str, ...]]], tuple[str, ...]] | None:
    if index == len(segments):
        return (node.targets, values) if node.targets else None
    segment = segments[index]
    # The literal may lead nowhere, for example if a longer path begins with it; the parameter is tried then.
    if (child := node.literals.get(segment)) and (found := _find(child, segments, index + 1, values)):
        return found
    return _find(node.parameter, segments, index + 1, (*values, segment)) if node.parameter else None


log = structlog.get_logger()


class Api:
    """ASGI application of the API: all operations of all versions and their OpenAPI documents.

    `ctx` must be set before the first request.
    """

    ctx: AppContext

    def __init__(self, operations: Sequence[Operation] = OPERATIONS) -> None:
        self._routes: RoutingTable[Operation | None] = RoutingTable()
        self._routes.add("GET", f"{V1_0}/openapi.json", None)
        for operation in operations:
            self._routes.add(operation.method, f"{V1_0}{operation.path}", operation)

    @property
    def routes(self) -> set[tuple[str, str]]:
        """The method and path template of every route."""
        return set(self._routes.routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        timeout = RequestTimeout(self.ctx.settings.request_s, receive)
        request = ApiRequest(scope, timeout.receive)
        try:
            # Sending the response is not part of it, because a streamed download may take longer than a request.
            with timeout:
                response = await self._respond(request)
        except Exception as error:
            request_id = request.request_id
            if not isinstance(error, DomainError):
                log.error("a request failed unexpectedly", request_id=request_id, exc_info=error)
            response = problem(error, request_id)
        if request.deprecated:
            # A list has a link to its next page, which `update` would replace.
            links = [response.headers["link"]] if "link" in response.headers else []
            response.headers.update(fields_of(request.deprecated))
            response.headers["link"] = ", ".join([*links, response.headers["link"]])
        if request.allowance:
            response.headers.update(_rate_limit_headers(request.allowance))
        is_head = bool(scope["state"].get("is_head"))
        await response.send(send, request.headers.get("accept-encoding", ""), is_head=is_head)

    async def _respond(self, request: ApiRequest) -> HttpResponse:
        operation, request.path_params, methods = self._routes.find(request.method, request.path)
        if not methods:
            raise RouteNotFound()
        if not request.scope["state"]["is_secure"]:
            raise HttpsRequired()
        if request.method not in methods:
            return _method_not_allowed(request, methods)
        request.deprecated = operation.deprecated if operation else None
        request.scope["state"]["operation"] = operation.name if operation else "openapi"
        return await serve(operation, self.ctx, request) if operation else _document()


def _rate_limit_headers(status: RateLimitStatus) -> dict[str, str]:
    """Return the headers of draft-ietf-httpapi-ratelimit-headers-10."""
    # Rounded up, so that a client that waits as long as this has its full quota.
    full_in_s = -(-(status.limit - status.remaining) * RATE_WINDOW_S // status.limit)
    return {
        "ratelimit-policy": f'"key";q={status.limit};w={RATE_WINDOW_S}',
        "ratelimit": f'"key";r={status.remaining};t={full_in_s}',
    }


def _method_not_allowed(request: ApiRequest, methods: Sequence[str]) -> HttpResponse:
    """Return the response to OPTIONS or to a method that the path does not support, with the supported methods."""
    # RFC 9110, 9.3.2: every path that supports GET supports HEAD.
    head = ["HEAD"] if "GET" in methods else []
    allowed = {"allow": ", ".join(sorted({*methods, *head, "OPTIONS"}))}
    if request.method == "OPTIONS":
        return HttpResponse(204, headers=allowed)
    response = problem(MethodNotAllowed(), request.scope["state"]["request_id"])
    response.headers |= allowed
    return response


def _document() -> HttpResponse:
    return HttpResponse(200, document_bytes(), "application/json")
