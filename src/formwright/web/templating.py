"""Renders templates. Text is always escaped, and pages load nothing from other hosts."""

import hashlib
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from litestar import Request
from litestar.response import Response
from litestar.utils.scope.state import ScopeState
from markupsafe import Markup

from formwright.core.clock import last_day, rfc3339, to_local, to_milliseconds

_WEB_FOLDER = Path(__file__).parent
STATIC = _WEB_FOLDER / "static"
VENDOR = STATIC / "vendor"
PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none';"
    " manifest-src 'self'; worker-src 'self'",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(self), geolocation=(self), microphone=()",
    "cross-origin-opener-policy": "same-origin",
}


@cache
def static_version() -> str:
    """Return a hash of all static files. It is part of their URLs, so that browsers can cache them forever."""
    digest = hashlib.sha256()
    for path in sorted(file for file in STATIC.rglob("*") if file.is_file()):
        digest.update(path.relative_to(STATIC).as_posix().encode() + path.read_bytes())
    return digest.hexdigest()[:12]


def asset(name: str) -> str:
    """Return the URL of a static file."""
    return f"/static/{static_version()}/{name}"


@cache
def _templates() -> Environment:
    templates = Environment(
        loader=FileSystemLoader(_WEB_FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    templates.globals["asset"] = asset
    # Keep the order of properties in JSON: the order of languages is that of the form.
    templates.policies["json.dumps_kwargs"] = {"sort_keys": False}
    return templates


def render_page(request: Request[Any, Any, Any], template: str, status: int = 200, **context: Any) -> Response[str]:
    """The page that a template makes of `context`."""
    text = (
        _templates()
        .get_template(template)
        .render({"me": None, "account": None, "may": frozenset(), "place": "", "csrf": _csrf_input(request)} | context)
    )
    return Response(text, status_code=status, media_type="text/html", headers=PAGE_HEADERS)


def _csrf_input(request: Request[Any, Any, Any]) -> Markup:
    token = ScopeState.from_scope(request.scope).csrf_token
    value = token if isinstance(token, str) else ""
    return Markup('<input type="hidden" name="_csrf_token" value="{}">').format(value)


def start_of_day(day: date, zone: ZoneInfo) -> int:
    """Return the first millisecond of a day in a time zone. Raises `OverflowError` at the limits of the calendar."""
    return to_milliseconds(datetime.combine(day, time(), zone))


def format_time(ms: int, time_zone: str) -> dict[str, str]:
    """A time for people in the account's zone, and exactly."""
    at = to_local(ms, time_zone)
    return {"text": f"{at.day} {at:%b %Y, %H:%M}", "exact": rfc3339(ms)}


def format_end(ms: int, time_zone: str) -> dict[str, str]:
    """The end of a time in the same way: of whole days, the last day."""
    last = last_day(ms, time_zone)
    return {"text": f"{last.day} {last:%b %Y}", "exact": rfc3339(ms)} if last else format_time(ms, time_zone)
