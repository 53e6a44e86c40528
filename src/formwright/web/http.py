"""HTTP for the pages: requests, responses, and the declaration of routes. The only module that imports the framework.

A request removes NUL characters from text, because no database accepts them. It parses cookies, queries and forms
itself: the framework unquotes cookies, which takes quadratic time in older versions of Python (CVE-2024-7592), and
keeps the last 1,024 results of any size.
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from functools import cached_property
from typing import Any, Literal, Protocol
from urllib.parse import parse_qsl, quote

import msgspec
from litestar import Litestar
from litestar import Request as LitestarRequest
from litestar.background_tasks import BackgroundTask
from litestar.config.csrf import CSRFConfig
from litestar.datastructures import Cookie, FormMultiDict, MultiDict, UploadFile
from litestar.enums import RequestEncodingType
from litestar.exceptions import HTTPException, NotFoundException, PermissionDeniedException
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.handlers import HTTPRouteHandler as Route
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.response import Response as LitestarResponse
from litestar.response import Stream as LitestarStream
from litestar.utils.scope.state import ScopeState

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.interfaces import ProgramRoute
from formwright.asgi.types import ASGIApp, Scope
from formwright.context import AppContext
from formwright.core.auth.allowed_hosts import public_address

__all__ = [
    "BackgroundTask",
    "CSRFConfig",
    "Cookie",
    "HTTPException",
    "NotFoundException",
    "PageApp",
    "PermissionDeniedException",
    "Redirect",
    "Request",
    "Response",
    "Route",
    "Stream",
    "UploadFile",
    "get",
    "parse_cookies",
    "post",
    "put",
    "remove_nul_from_scope",
]

MAX_FORM = 1024 * 1024
"""Maximum size of a form without files, in bytes. The largest form lists the addresses of a thousand people."""
# Counted before parsing, because a parsed pair takes many times the memory of its two or three bytes.
MAX_FORM_FIELDS = 5000
_URL_CHARACTERS = "/#%[]=:;$&()+,!?*@'~"
"""Characters of an address that are not quoted: those with a meaning in URLs (RFC 3986)."""


class Request(LitestarRequest[Any, Any, Any]):
    """A request whose form values contain no NUL characters. Files are not changed."""

    @cached_property
    def ctx(self) -> AppContext:
        """The application context of the server that handles this request."""
        ctx: AppContext = self.app.state.ctx
        return ctx

    @property
    def origin(self) -> str:
        """The origin of links to this server."""
        return public_address(self.ctx.settings.base_url, self.scope["scheme"], self.headers.get("host"))

    @property
    def csrf_token(self) -> str:
        """The token that forms of pages carry; empty where forms need none."""
        token = ScopeState.from_scope(self.scope).csrf_token
        return token if isinstance(token, str) else ""

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies by name, as they were sent."""
        return parse_cookies(self.headers.get("cookie", ""))

    @cached_property
    def query(self) -> MultiDict[Any]:
        """The query parameters in order."""
        return MultiDict(_parse_pairs(self.scope["query_string"]))

    async def form(self) -> FormMultiDict:
        if self.content_type[0] == RequestEncodingType.URL_ENCODED:
            raw = await self.body()
            if len(raw) > MAX_FORM or raw.count(b"&") >= MAX_FORM_FIELDS:
                raise RequestEntityTooLarge
            return FormMultiDict([(_remove_nul(name), _remove_nul(value)) for name, value in _parse_pairs(raw)])
        form = await super().form()
        return FormMultiDict([(_remove_nul(name), _remove_nul(value)) for name, value in form.multi_items()])


def parse_cookies(header: str) -> dict[str, str]:
    """Return the cookies by name. The last of several with a name counts.

    Values are not unquoted: ours contain no escapes, although some are set in double quotes.
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs if name.strip()}


def _parse_pairs(encoded: bytes) -> list[tuple[str, str]]:
    # Latin-1 accepts any byte. Characters beyond ASCII are percent-encoded, and `parse_qsl` reads those as UTF-8.
    return parse_qsl(encoded.decode("latin-1"), keep_blank_values=True, errors="replace")


def _remove_nul(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


def remove_nul_from_scope(scope: Scope) -> None:
    """Remove NUL characters from the query string, and replace them in the path by a character that no id contains."""
    scope["path"] = scope["path"].replace("\0", "\ufffd")
    query = scope["query_string"]
    while b"%00" in query:
        # Repeat, because removing one from "%0%000" leaves another.
        query = query.replace(b"%00", b"")
    scope["query_string"] = query


class Response(LitestarResponse[Any]):
    """A status, a body and headers."""


class JsonResponse(Response):
    """A response to the script of a page, which browsers do not store."""

    def __init__(self, content: object, status: int = 200) -> None:
        body = msgspec.json.encode(content)
        super().__init__(body, status_code=status, media_type="application/json", headers={"cache-control": "no-store"})


class Redirect(Response):
    """Leads to another page, which the browser requests with GET."""

    def __init__(self, url: str, *, cookies: Iterable[Cookie] = ()) -> None:
        location = {"location": quote(url, safe=_URL_CHARACTERS)}
        super().__init__(b"", status_code=303, media_type="text/plain", headers=location, cookies=list(cookies))


class Stream(LitestarStream, Response):
    """A body that is sent while it is created."""

    def __init__(self, chunks: AsyncIterator[bytes] | AsyncIterator[str], *, headers: Mapping[str, str]) -> None:
        super().__init__(chunks, headers=dict(headers))


def to_page_response(response: HttpResponse) -> LitestarResponse[Any]:
    """Return the response to a program as one that the application of the pages can send."""
    if response.chunks is not None:
        return LitestarStream(response.chunks, status_code=response.status, headers=response.headers)
    media_type = response.media_type or None
    return Response(response.content, status_code=response.status, media_type=media_type, headers=response.headers)


class OpensPages(Protocol):
    """The class of a page, which prepares what its handler needs."""

    def open(
        self, request: Request, *, long: bool = False, listing: bool = False
    ) -> AbstractAsyncContextManager[Any]: ...


IsLong = Callable[[Request], bool]
Handler = Callable[..., Awaitable[Response]]


def _declare(
    method: Literal["GET", "POST", "PUT"],
    path: str | Sequence[str],
    options: dict[str, Any],
    long: bool | IsLong = False,
    listing: bool = False,
) -> Callable[[Handler], Route]:
    def declare(handler: Handler) -> Route:
        # The class itself, so modules of pages must not use `from __future__ import annotations`.
        page_class: OpensPages = handler.__annotations__["page"]

        async def serve(request: Request) -> Response:
            is_long = long(request) if callable(long) else long
            async with page_class.open(request, long=is_long, listing=listing) as page:
                return await handler(page, **request.path_params)

        # The status is set because the framework's default for POST is 201.
        return Route(path if isinstance(path, str) else list(path), http_method=method, status_code=200, **options)(
            serve
        )

    return declare


def get(
    path: str | Sequence[str], *, long: bool | IsLong = False, listing: bool = False, **options: Any
) -> Callable[[Handler], Route]:
    """Declare a function as the page at `path`. Its parameter `page` is opened first, and names the class to open.

    `long` and `listing` say how its transaction reads; see `Database.reading`. `long` may depend on the request.
    """
    return _declare("GET", path, options, long, listing)


def post(path: str, **options: Any) -> Callable[[Handler], Route]:
    """Declare a function that handles a form sent to `path`."""
    return _declare("POST", path, options)


def put(path: str, **options: Any) -> Callable[[Handler], Route]:
    """Declare a function that handles a PUT request to `path`."""
    return _declare("PUT", path, options)


def _declare_program(route: ProgramRoute) -> Route:
    async def serve(request: Request) -> LitestarResponse[Any]:
        return to_page_response(await route.respond(request))

    methods: Any = route.methods
    return Route(route.path, http_method=methods, name=route.name, status_code=200)(serve)


class PageApp(Litestar):
    """The ASGI application of the pages.

    It is the framework without its pydantic plugins: nothing uses pydantic, and they take as long to load as all pages.
    """

    def __init__(
        self,
        routes: Sequence[Any],
        *,
        lifespan: Callable[["PageApp"], AbstractAsyncContextManager[None]],
        csrf: CSRFConfig,
        middleware: Sequence[Callable[[ASGIApp], ASGIApp]],
        check: Any,
        render_error: Callable[[Request, Exception], Any],
        max_body: int,
    ) -> None:
        options: Any = {"exception_handlers": {Exception: render_error}, "lifespan": [lifespan]}
        super().__init__(
            [_declare_program(route) if isinstance(route, ProgramRoute) else route for route in routes],
            csrf_config=csrf,
            middleware=middleware,
            request_max_body_size=max_body,
            request_class=Request,
            openapi_config=None,
            logging_config=None,
            before_request=check,
            **options,
        )

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]
