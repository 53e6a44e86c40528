"""Settings, Connections, API keys."""

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
from formwright.web.templating import format_time, render_page, start_of_day

PATH = "/settings/connections/api-keys"
_KEY_COOKIE = "formwright_new_key"
_KEY_SHOWN_S = 60
_HOUR_MS = 3600 * 1000
OVERLAPS = {"0": "Revoke now", "1": "For 1 hour", "24": "For 1 day", "72": "For 3 days", "168": "For 7 days"}
"""For how long the old secret still works, in hours."""
_NOTHING: dict[str, Any] = {
    "new_key": None,
    "add": "",
    "revoke": "",
    "rotate": "",
    "error": "",
    "faults": {},
    "typed": {"name": "", "access": "", "ends": ""},
}


@get(PATH)
async def keys_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's keys; one that was just made is shown once."""
    visitor, asked = await require_visitor(request), request.query_params
    opened: dict[str, Any] = {name: asked.get(name, "") for name in ("add", "revoke", "rotate")}
    answer = await _render(request, visitor, new_key=_read_new_key(request), **opened)
    if _KEY_COOKIE in request.cookies:
        answer.set_cookie(make_cookie(get_app_context(request).settings, _KEY_COOKIE, "", 0))
    return answer


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, status: int = 200, **context: Any
) -> Response[str]:
    ctx, zone = get_app_context(request), ZoneInfo(visitor.customer.time_zone)
    async with ctx.db.reading() as tx:
        live = await keys.list_active(tx, visitor.actor)
    given, now = _NOTHING | context, ctx.clock.now()
    return render_page(
        request,
        "settings/api_keys.html",
        status,
        place="Settings",
        here=PATH,
        keys=[_key_row(visitor, key, now) for key in live],
        limit=MAX_KEYS,
        curl=curl_command(request, given["new_key"]["text"], "/submissions") if given["new_key"] else "",
        overlaps=OVERLAPS,
        first_day=_format_day(now, zone),
        last_day=_format_day(now + MAX_LIFETIME_MS, zone),
        may_manage=Permission.KEYS_MANAGE in visitor.actor.permissions,
        may_add=Permission.KEYS_MANAGE in visitor.actor.permissions
        and keys.has_permissions_of_key(visitor.actor, read_only=True),
        may_write=keys.has_permissions_of_key(visitor.actor, read_only=False),
        **given,
        **visitor.template_frame,
    )


def _format_day(ms: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(ms / 1000, zone).date().isoformat()


def _key_row(visitor: Visitor, key: Key, now: int) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    return {
        "id": key.id,
        "prefix": key.hint,
        "name": key.name,
        "maker": key.maker_name,
        "read_only": key.read_only,
        "ended": key.has_expired(now),
        "rotates": not key.has_expired(now) and keys.has_permissions_of_key(visitor.actor, read_only=key.read_only),
        "ends": format_time(key.expires, zone) if key.expires else None,
        "old_ends": format_time(key.old_ends, zone) if key.old_ends and key.old_ends > now else None,
        "created": format_time(key.created, zone),
        "last_used": format_time(key.last_used, zone) if key.last_used else None,
    }


@post(PATH, status_code=303)
async def add_key(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make a key, and go where it is shown once."""
    visitor, form = await require_visitor(request), await request.form()
    typed = {name: str(form.get(name, ""))[:1000] for name in ("name", "access", "ends")}
    try:
        wish = KeyCreate(typed["name"], typed["access"] == "read", _parse_expiry(typed["ends"], visitor))
        async with get_app_context(request).db.writing() as tx:
            key, text = await keys.create(tx, visitor.actor, wish, maker_name=visitor.user.name)
    except Invalid as error:
        faults = {fault.pointer.strip("/"): fault.detail for fault in error.faults}
        return await _render(request, visitor, 422, faults=faults, typed=typed, add="1")
    except Conflict as error:
        return await _render(request, visitor, 422, error=str(error), typed=typed)
    return _redirect_with_key(request, key, text, "added")


def _parse_expiry(text: str, visitor: Visitor) -> int | None:
    """The end of the last day on which it works, in the account's zone; what is no day is one long past."""
    if not text:
        return None
    try:
        behind = date.fromisoformat(text) + timedelta(days=1)
        return start_of_day(behind, ZoneInfo(visitor.customer.time_zone))
    except (ValueError, OverflowError):
        return 0


def _redirect_with_key(request: Request[Any, Any, Any], key: Key, text: str, how: str) -> Redirect:
    """The text travels sealed, in a cookie that lives a minute: it is stored nowhere, and a reload makes no other."""
    ctx = get_app_context(request)
    sealed = make_cookie(ctx.settings, _KEY_COOKIE, ctx.secret_box.close(f"{how}\n{text}\n{key.name}"), _KEY_SHOWN_S)
    return Redirect(PATH, status_code=303, cookies=[sealed])


def _read_new_key(request: Request[Any, Any, Any]) -> dict[str, str] | None:
    try:
        how, text, name = get_app_context(request).secret_box.open(request.cookies.get(_KEY_COOKIE, "")).split("\n", 2)
    except (InvalidToken, ValueError):
        return None
    return {"how": how, "name": name, "text": text}


@post(PATH + "/{key_id:str}/rotate", status_code=303)
async def rotate_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Response[Any]:
    """Give a key another secret, and go where it is shown once."""
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
    """Revoke a key, at once and everywhere."""
    visitor = await require_visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await keys.revoke(tx, visitor.actor, key_id=key_id)
    return Redirect(PATH, status_code=303)


HANDLERS = [keys_page, add_key, rotate_key, revoke_key]
