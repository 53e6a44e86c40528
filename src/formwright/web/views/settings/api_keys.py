"""Settings, Connections, API keys: the list of keys, and adding, rotating and revoking them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from cryptography.fernet import InvalidToken
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.errors import Conflict, DomainError, Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import MAX_KEYS, MAX_LIFETIME_MS, Key, KeyCreate
from formwright.web.curl_example import curl_command
from formwright.web.session import Visitor, get_app_context, make_cookie, require_visitor
from formwright.web.templating import DisplayTime, format_time, render_view, start_of_day

PATH = "/settings/connections/api-keys"
_KEY_COOKIE = "formwright_new_key"
_KEY_SHOWN_S = 60
_HOUR_MS = 3600 * 1000
OVERLAPS = {"0": "Revoke now", "1": "For 1 hour", "24": "For 1 day", "72": "For 3 days", "168": "For 7 days"}
"""How long the old secret stays valid, in hours."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key in the list."""

    id: str
    prefix: str
    name: str
    maker: str
    is_read_only: bool
    has_expired: bool
    may_rotate: bool
    expires: DisplayTime | None
    old_expires: DisplayTime | None
    created: DisplayTime
    last_used: DisplayTime | None


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key that was just created or rotated: `how` it came to be, its name, and its text."""

    how: str
    text: str
    name: str


@dataclass(frozen=True, slots=True)
class KeyListPage:
    """The list of keys. `add`, `rotate` and `revoke` name the dialog that is open, the latter two by the key's id."""

    here: str
    keys: Sequence[KeyRow]
    limit: int
    curl: str
    overlaps: Mapping[str, str]
    first_day: str
    last_day: str
    may_manage: bool
    may_add: bool
    may_write: bool
    new_key: NewKey | None = None
    add: str = ""
    rotate: str = ""
    revoke: str = ""
    error: str = ""
    faults: Mapping[str, str] = field(default_factory=dict)
    typed: Mapping[str, str] = field(default_factory=lambda: {"name": "", "access": "", "ends": ""})


@get(PATH)
async def keys_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's API keys. A new key is shown once."""
    visitor, query = await require_visitor(request), request.query_params
    dialogs: dict[str, Any] = {name: query.get(name, "") for name in ("add", "revoke", "rotate")}
    response = await _render(request, visitor, new_key=_read_new_key(request), **dialogs)
    if _KEY_COOKIE in request.cookies:
        response.set_cookie(make_cookie(get_app_context(request).settings, _KEY_COOKIE, "", 0))
    return response


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, status: int = 200, new_key: NewKey | None = None, **state: Any
) -> Response[str]:
    """Render the list. `state` are the fields of the page that have a default."""
    ctx, zone = get_app_context(request), ZoneInfo(visitor.customer.time_zone)
    async with ctx.db.reading() as tx:
        found = await keys.list_active(tx, visitor.actor)
    now, may_manage = ctx.clock.now(), Permission.KEYS_MANAGE in visitor.actor.permissions
    view_model = KeyListPage(
        here=PATH,
        keys=[_key_row(visitor, key, now) for key in found],
        limit=MAX_KEYS,
        curl=curl_command(request, new_key.text, "/submissions") if new_key else "",
        overlaps=OVERLAPS,
        first_day=_format_day(now, zone),
        last_day=_format_day(now + MAX_LIFETIME_MS, zone),
        may_manage=may_manage,
        may_add=may_manage and keys.has_permissions_of_key(visitor.actor, read_only=True),
        may_write=keys.has_permissions_of_key(visitor.actor, read_only=False),
        new_key=new_key,
        **state,
    )
    return render_view(
        request, "settings/api_keys.html", view_model, visitor=visitor, section="Settings", status=status
    )


def _format_day(ms: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(ms / 1000, zone).date().isoformat()


def _key_row(visitor: Visitor, key: Key, now: int) -> KeyRow:
    zone, has_expired = visitor.customer.time_zone, key.has_expired(now)
    return KeyRow(
        id=key.id,
        prefix=key.hint,
        name=key.name,
        maker=key.maker_name,
        is_read_only=key.read_only,
        has_expired=has_expired,
        may_rotate=not has_expired and keys.has_permissions_of_key(visitor.actor, read_only=key.read_only),
        expires=format_time(key.expires, zone) if key.expires else None,
        old_expires=format_time(key.old_ends, zone) if key.old_ends and key.old_ends > now else None,
        created=format_time(key.created, zone),
        last_used=format_time(key.last_used, zone) if key.last_used else None,
    )


@post(PATH, status_code=303)
async def add_key(request: Request[Any, Any, Any]) -> Response[Any]:
    """Create a key and redirect to the list, which shows it once."""
    visitor, form = await require_visitor(request), await request.form()
    typed = {name: str(form.get(name, ""))[:1000] for name in ("name", "access", "ends")}
    try:
        new = KeyCreate(typed["name"], typed["access"] == "read", _parse_expiry(typed["ends"], visitor))
        async with get_app_context(request).db.writing() as tx:
            key, text = await keys.create(tx, visitor.actor, new, maker_name=visitor.user.name)
    except Invalid as error:
        faults = {fault.pointer.strip("/"): fault.detail for fault in error.faults}
        return await _render(request, visitor, 422, faults=faults, typed=typed, add="1")
    except Conflict as error:
        return await _render(request, visitor, 422, error=str(error), typed=typed)
    return _redirect_with_key(request, key, text, "added")


def _parse_expiry(text: str, visitor: Visitor) -> int | None:
    """Return the end of the day in the account's time zone, or None. An invalid date becomes 0, which is past."""
    if not text:
        return None
    try:
        next_day = date.fromisoformat(text) + timedelta(days=1)
        return start_of_day(next_day, ZoneInfo(visitor.customer.time_zone))
    except (ValueError, OverflowError):
        return 0


def _redirect_with_key(request: Request[Any, Any, Any], key: Key, text: str, how: str) -> Redirect:
    """Redirect to the list, which shows the key once.

    The key is carried in an encrypted cookie that expires after a minute. It is stored nowhere, and reloading the page
    does not create another.
    """
    ctx = get_app_context(request)
    sealed = ctx.secret_box.close(f"{how}\n{text}\n{key.name}")
    return Redirect(PATH, status_code=303, cookies=[make_cookie(ctx.settings, _KEY_COOKIE, sealed, _KEY_SHOWN_S)])


def _read_new_key(request: Request[Any, Any, Any]) -> NewKey | None:
    try:
        how, text, name = get_app_context(request).secret_box.open(request.cookies.get(_KEY_COOKIE, "")).split("\n", 2)
    except (InvalidToken, ValueError):
        return None
    return NewKey(how, text, name)


@post(PATH + "/{key_id:str}/rotate", status_code=303)
async def rotate_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Response[Any]:
    """Give a key a new secret and redirect to the list, which shows it once."""
    visitor, form = await require_visitor(request), await request.form()
    hours = str(form.get("overlap", ""))
    try:
        overlap_ms = int(hours) * _HOUR_MS if hours in OVERLAPS else -1
        async with get_app_context(request).db.writing() as tx:
            key, text = await keys.rotate(tx, visitor.actor, key_id=key_id, overlap_ms=overlap_ms)
    except (Invalid, Conflict) as error:
        return await _render(request, visitor, 422, error=_error_text(error))
    return _redirect_with_key(request, key, text, "rotated")


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


@post(PATH + "/{key_id:str}/revoke", status_code=303)
async def revoke_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Redirect:
    """Revoke a key. It stops working immediately."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await keys.revoke(tx, visitor.actor, key_id=key_id)
    return Redirect(PATH, status_code=303)


HANDLERS = [keys_page, add_key, rotate_key, revoke_key]
