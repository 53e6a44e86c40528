"""What the server offers below each path prefix, each declared once. Everything else is a page of the application."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from formwright.asgi.http_response import HttpResponse
from formwright.asgi.types import ASGIApp
from formwright.context import AppContext

RenderError = Callable[[Exception, str], HttpResponse]
"""Returns the response to an error of the request with this ID."""


class ProgramRequest(Protocol):
    """A request of a program."""

    @property
    def app(self) -> Any:
        """The application, whose `state` is that of the process."""

    @property
    def path_params(self) -> Mapping[str, Any]: ...

    @property
    def ctx(self) -> AppContext: ...

    @property
    def method(self) -> str: ...

    @property
    def scope(self) -> Any: ...

    @property
    def headers(self) -> Mapping[str, str]: ...

    @property
    def query(self) -> Mapping[str, str]: ...

    def stream(self) -> AsyncIterator[bytes]: ...


@dataclass(frozen=True, slots=True)
class ProgramRoute:
    """What an interface for programs does at a path. Its `name` is that of the request in metrics and the log."""

    path: str
    respond: Callable[[ProgramRequest], Awaitable[HttpResponse]]
    methods: Sequence[str] = ("GET",)
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Interface:
    """One protocol, or a group of pages, with what is special about its requests."""

    prefix: str
    """The first segment of its paths, such as `/odata`."""
    routes: Sequence[Any] = ()
    """Each a `ProgramRoute`, or a page as `web/http.py` declares them."""
    app: ASGIApp | None = None
    """The application that serves it instead of `routes`. It requires HTTPS, compresses and handles errors itself."""
    render_error: RenderError | None = None
    """Renders errors for programs. Without it, people see an error page."""
    compress: bool = False
    """Whether responses are compressed. Pages are not, because they contain secrets next to echoed text (BREACH)."""
    cookies: bool = False
    """Whether people are recognised by their session cookie, so that forms must come from one of our own pages."""
    public_forms: bool = False
    """Whether people without a session may send small forms."""
    redact: bool = False
    """Whether the rest of the path is a secret link, which must not appear in the log."""
    any_address: bool = False
    """Whether requests to any host name and without HTTPS are served, as load balancers send them."""


PAGES = Interface("", cookies=True)
