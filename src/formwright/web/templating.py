"""Renders templates. Text is always escaped, and pages load nothing from other hosts."""

import hashlib
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from functools import cache
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from formwright.core.clock import format_minute, last_day, rfc3339, to_milliseconds
from formwright.domain.forms.fields.markup import to_html
from formwright.web.bundles import FOLDER, find_bundle, load_manifest

_WEB_FOLDER = Path(__file__).parent
PAGE_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:;"
    " media-src 'self' blob:;"
    " connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none';"
    " manifest-src 'self'; worker-src 'self'",
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
    "permissions-policy": "camera=(self), geolocation=(self), microphone=(self)",
    "cross-origin-opener-policy": "same-origin",
}


@cache
def static_version() -> str:
    """Return a hash of all bundles. It is part of their URLs, so that browsers can cache them forever."""
    digest = hashlib.sha256()
    for name in sorted({bundle.file for bundle in load_manifest().values()}):
        digest.update(name.encode() + (FOLDER / name).read_bytes())
    return digest.hexdigest()[:12]


def asset(name: str) -> str:
    """Return the URL of a script, style sheet or image by its path in `static`.

    The names in such calls, here and in templates, are what `scripts/bundle.mjs` bundles.
    """
    return _url(find_bundle(name).file)


def module_urls(name: str) -> list[str]:
    """Return the URL of a script, and those of the files that it imports."""
    bundle = find_bundle(name)
    return [_url(file) for file in (bundle.file, *bundle.imports)]


def module(name: str) -> Markup:
    """Return the element that loads a script. What it imports is loaded at the same time, instead of after it."""
    url, *imports = module_urls(name)
    element = Markup('<script type="module" src="{}"></script>').format(url)
    return element + Markup("").join(Markup('<link rel="modulepreload" href="{}">').format(url) for url in imports)


def _url(file: str) -> str:
    return f"/static/{static_version()}/{file}"


@cache
def template_environment() -> Environment:
    """Return the environment of all templates: text is escaped, and unknown variables raise errors."""
    templates = Environment(
        loader=FileSystemLoader(_WEB_FOLDER / "templates"), autoescape=True, undefined=StrictUndefined, trim_blocks=True
    )
    templates.globals |= {"asset": asset, "module": module}
    templates.filters["markup"] = lambda text: Markup(to_html(text))  # noqa: S704 - all text in it is escaped
    # Keep the order of properties in JSON: the order of languages is that of the form.
    templates.policies["json.dumps_kwargs"] = {"sort_keys": False}
    return templates


def start_of_day(day: date, zone: ZoneInfo) -> int:
    """Return the first millisecond of a day in a time zone. Raises `OverflowError` at the limits of the calendar."""
    return to_milliseconds(datetime.combine(day, time(), zone))


@dataclass(frozen=True, slots=True)
class DisplayTime:
    """A time on a page: `text` in the account's time zone, and `exact` in UTC (RFC 3339).

    `title` is what hovering shows, if it is not the exact time in UTC.
    """

    text: str
    exact: str
    title: str = ""


def format_time(ms: int, time_zone: str) -> DisplayTime:
    """Format a timestamp to the minute."""
    return DisplayTime(format_minute(ms, time_zone), rfc3339(ms))


def format_relative_time(ms: int, now: int, time_zone: str) -> DisplayTime:
    """Format a time of the last week as the time since then, with the exact one as title; others to the minute."""
    time = format_time(ms, time_zone)
    age = (now - ms) // 1000
    for seconds, size, unit in ((60, 1, ""), (3600, 60, "min"), (86_400, 3600, "h"), (7 * 86_400, 86_400, "day")):
        if 0 <= age < seconds:
            count = age // size
            plural = "s" if unit == "day" and count > 1 else ""
            text = f"{count} {unit}{plural} ago" if unit else "just now"
            return replace(time, text=text, title=f"{time.text} ({time_zone})")
    return time


def format_optional_time(ms: int | None, time_zone: str) -> DisplayTime | None:
    """Format a timestamp to the minute; None if there is none."""
    return None if ms is None else format_time(ms, time_zone)


def format_end(ms: int, time_zone: str) -> DisplayTime:
    """Format the end of a period. If it ends at midnight, this is the last day, without a time."""
    last = last_day(ms, time_zone)
    return DisplayTime(f"{last.day} {last:%b %Y}", rfc3339(ms)) if last else format_time(ms, time_zone)
