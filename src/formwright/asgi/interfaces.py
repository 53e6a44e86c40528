"""What the server offers below each path prefix, each declared once. Everything else is a page of the application."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from litestar.response import Response
from litestar.types import ASGIApp, ControllerRouterHandler

RenderError = Callable[[Exception, str], Response[Any]]
"""Returns the response to an error of the request with this ID."""


@dataclass(frozen=True, slots=True)
class Interface:
    """One protocol, or a group of pages, with what is special about its requests."""

    prefix: str
    """The first segment of its paths, such as `/odata`."""
    routes: Sequence[ControllerRouterHandler] = ()
    app: ASGIApp | None = None
    """The application that serves it instead of `routes`. It requires HTTPS, compresses and handles errors itself."""
    render_error: RenderError | None = None
    """How programs are told about errors. Without it, people see an error page."""
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
