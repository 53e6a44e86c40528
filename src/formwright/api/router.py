"""Which operation a path and a method name.

The way of a request of the API: to its operation, and back as an answer.

The framework is not on that way: its routing, its layers of middleware and its objects for request and response cost
more than all that an operation does.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

import structlog
from litestar.types import Receive, Scope, Send

from formwright.api.deprecations import fields_of
from formwright.api.dispatch import serve
from formwright.api.errors import BadRequest, HttpsRequired, MethodNotAllowed, RouteNotFound, problem_answer
from formwright.api.openapi.document import document_bytes
from formwright.api.operations import Operation
from formwright.api.request import Request
from formwright.api.response import ApiResponse
from formwright.api.v1_0.operations import OPERATIONS
from formwright.api.v1_0.operations import PREFIX as V1_0
from formwright.asgi.middleware import is_secure
from formwright.asgi.timeouts import RequestTimeout
from formwright.context import AppContext
from formwright.core.errors import DomainError
from formwright.domain.api_keys.rate_limits import RateLimitStatus

T = TypeVar("T")


@dataclass(slots=True)
class _Place:
    """What stands behind the words so far: fixed words, any word, and by method what ends here."""

    words: dict[str, "_Place"] = field(default_factory=dict)
    any: "_Place | None" = None
    ends: dict[str, tuple[object, tuple[str, ...]]] = field(default_factory=dict)


class Paths(Generic[T]):
    """Paths like `/forms/{formId}`, each with a method and what they lead to. A fixed word goes before any word."""

    def __init__(self) -> None:
        self._root = _Place()
        self.known: list[tuple[str, str]] = []

    def add(self, method: str, path: str, target: T) -> None:
        """One more path."""
        place, names = self._root, []
        for word in words(path):
            if word.startswith("{"):
                names.append(word[1:-1])
                place.any = place = place.any or _Place()
            else:
                place = place.words.setdefault(word, _Place())
        place.ends[method] = (target, tuple(names))
        self.known.append((method, path))

    def find(self, method: str, path: str) -> tuple[T | None, dict[str, str], Sequence[str]]:
        """What is there, the words that stand for its names, and the methods that the path takes; none: no path."""
        found = _find(self._root, words(path), 0, ())
        if found is None:
            return None, {}, ()
        ends, given = found
        target, names = ends.get(method, (None, ()))
        return target, dict(zip(names, given, strict=False)), tuple(ends)  # type: ignore[return-value]


def words(path: str) -> list[str]:
    """The words between the slashes."""
    return [word for word in path.split("/") if word]


def _find(
    place: _Place, path: list[str], at: int, given: tuple[str, ...]
) -> tuple[dict[str, tuple[object, tuple[str, ...]]], tuple[str, ...]] | None:
    if at == len(path):
        return (place.ends, given) if place.ends else None
    word = path[at]
    if (inner := place.words.get(word)) and (found := _find(inner, path, at + 1, given)):
        return found
    return _find(place.any, path, at + 1, (*given, word)) if place.any else None


PREFIX = "/api"
_HOST = re.compile(rb"[0-9A-Za-z!$&'()*+,;=\-._~:\[\]@%]*")

log = structlog.get_logger()


class Api:
    """Serves every operation of every version, and the documents that describe them. `house` is set once it is open."""

    ctx: AppContext

    def __init__(self, operations: Sequence[Operation] = OPERATIONS) -> None:
        self._paths: Paths[Operation | None] = Paths()
        self._paths.add("GET", f"{V1_0}/openapi.json", None)
        for operation in operations:
            self._paths.add(operation.method, f"{V1_0}{operation.path}", operation)

    @property
    def routed(self) -> set[tuple[str, str]]:
        """Every method with its path."""
        return set(self._paths.known)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        patience = RequestTimeout(self.ctx.settings.request_s, receive)
        request = Request(scope, patience.hear)
        try:
            with patience:
                answer = await self._answer(request)
        except Exception as error:
            request_id = request.scope["state"]["request_id"]
            if not isinstance(error, DomainError):
                log.error("a request failed in an unknown way", request_id=request_id, exc_info=error)
            answer = problem_answer(error, request_id)
        if request.deprecated:
            answer.headers.update(fields_of(request.deprecated))
        if request.allowance:
            answer.headers.update(_rate_limit_headers(request.allowance))
        await answer.send(send, request.headers.get("accept-encoding", ""))

    async def _answer(self, request: Request) -> ApiResponse:
        if not _is_host(request.scope["headers"]):
            raise BadRequest()
        operation, request.path_params, methods = self._paths.find(request.method, request.path)
        if not methods:
            raise RouteNotFound()
        if not is_secure(request.scope, self.ctx.settings):
            raise HttpsRequired()
        if request.method not in methods:
            return _not_taken(request, methods)
        request.deprecated = operation.deprecated if operation else None
        request.scope["state"]["operation"] = operation.name if operation else "openapi"
        return await serve(operation, self.ctx, request) if operation else _document()


def _rate_limit_headers(status: RateLimitStatus) -> dict[str, str]:
    """Return the headers of draft-ietf-httpapi-ratelimit-headers-10."""
    full_in_s = -(-(status.limit - status.left) * 60 // status.limit)
    return {
        "ratelimit-policy": f'"key";q={status.limit};w=60',
        "ratelimit": f'"key";r={status.left};t={full_in_s}',
    }


def _not_taken(request: Request, methods: Sequence[str]) -> ApiResponse:
    """What the path takes, as the answer to OPTIONS or to a method that it does not take."""
    # RFC 9110, 9.3.2: what takes GET takes HEAD.
    head = ["HEAD"] if "GET" in methods else []
    allowed = {"allow": ", ".join(sorted({*methods, *head, "OPTIONS"}))}
    if request.method == "OPTIONS":
        return ApiResponse(204, headers=allowed)
    answer = problem_answer(MethodNotAllowed(), request.scope["state"]["request_id"])
    answer.headers |= allowed
    return answer


def _document() -> ApiResponse:
    return ApiResponse(200, document_bytes(), "application/json")


def _is_host(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    return all(_is_host_name(value) for name, value in headers if name == b"host")


@lru_cache(maxsize=1024)
def _is_host_name(value: bytes) -> bool:
    return _HOST.fullmatch(value) is not None
