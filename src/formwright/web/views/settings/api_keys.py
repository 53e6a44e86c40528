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
from formwright.web.curl_example import curl
from formwright.web.session import Visitor, get_app_context, own_cookie, visitor
from formwright.web.templating import day_begins, moment, page

HERE = "/settings/connections/api-keys"
_NEW = "formwright_new_key"
_SHOWN_WITHIN_S = 60
_HOUR_MS = 3600 * 1000
OVERLAPS = {"0": "Not at all", "1": "One hour", "24": "One day", "72": "Three days", "168": "Seven days"}
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


@get(HERE)
async def keys_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's keys; one that was just made is shown once."""
    who, asked = await visitor(request), request.query_params
    opened: dict[str, Any] = {name: asked.get(name, "") for name in ("add", "revoke", "rotate")}
    answer = await _page(request, who, new_key=_new_key(request), **opened)
    if _NEW in request.cookies:
        answer.set_cookie(own_cookie(get_app_context(request).settings, _NEW, "", 0))
    return answer


async def _page(request: Request[Any, Any, Any], who: Visitor, status: int = 200, **context: Any) -> Response[str]:
    ctx, zone = get_app_context(request), ZoneInfo(who.customer.time_zone)
    async with ctx.db.reading() as tx:
        live = await keys.list_active(tx, who.actor)
    given, now = _NOTHING | context, ctx.clock.now()
    return page(
        request,
        "settings/api_keys.html",
        status,
        place="Settings",
        here=HERE,
        keys=[_shown(who, key, now) for key in live],
        limit=MAX_KEYS,
        curl=curl(request, given["new_key"]["text"], "/submissions") if given["new_key"] else "",
        overlaps=OVERLAPS,
        first_day=_day(now, zone),
        last_day=_day(now + MAX_LIFETIME_MS, zone),
        may_manage=Permission.KEYS_MANAGE in who.actor.permissions,
        may_add=Permission.KEYS_MANAGE in who.actor.permissions
        and keys.has_permissions_of_key(who.actor, read_only=True),
        may_write=keys.has_permissions_of_key(who.actor, read_only=False),
        **given,
        **who.frame,
    )


def _day(ms: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(ms / 1000, zone).date().isoformat()


def _shown(who: Visitor, key: Key, now: int) -> dict[str, Any]:
    zone = who.customer.time_zone
    return {
        "id": key.id,
        "prefix": key.hint,
        "name": key.name,
        "maker": key.maker_name,
        "read_only": key.read_only,
        "ended": key.has_expired(now),
        "rotates": not key.has_expired(now) and keys.has_permissions_of_key(who.actor, read_only=key.read_only),
        "ends": moment(key.expires, zone) if key.expires else None,
        "old_ends": moment(key.old_ends, zone) if key.old_ends and key.old_ends > now else None,
        "created": moment(key.created, zone),
        "last_used": moment(key.last_used, zone) if key.last_used else None,
    }


@post(HERE, status_code=303)
async def add_key(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make a key, and go where it is shown once."""
    who, form = await visitor(request), await request.form()
    typed = {name: str(form.get(name, ""))[:1000] for name in ("name", "access", "ends")}
    try:
        wish = KeyCreate(typed["name"], typed["access"] == "read", _end(typed["ends"], who))
        async with get_app_context(request).db.writing() as tx:
            key, text = await keys.create(tx, who.actor, wish, maker_name=who.user.name)
    except Invalid as error:
        faults = {fault.pointer.strip("/"): fault.detail for fault in error.faults}
        return await _page(request, who, 422, faults=faults, typed=typed, add="1")
    except Conflict as error:
        return await _page(request, who, 422, error=str(error), typed=typed)
    return _to_new(request, key, text, "added")


def _end(text: str, who: Visitor) -> int | None:
    """The end of the last day on which it works, in the account's zone; what is no day is one long past."""
    if not text:
        return None
    try:
        behind = date.fromisoformat(text) + timedelta(days=1)
        return day_begins(behind, ZoneInfo(who.customer.time_zone))
    except (ValueError, OverflowError):
        return 0


def _to_new(request: Request[Any, Any, Any], key: Key, text: str, how: str) -> Redirect:
    """The text travels sealed, in a cookie that lives a minute: it is stored nowhere, and a reload makes no other."""
    ctx = get_app_context(request)
    sealed = own_cookie(ctx.settings, _NEW, ctx.secret_box.close(f"{how}\n{text}\n{key.name}"), _SHOWN_WITHIN_S)
    return Redirect(HERE, status_code=303, cookies=[sealed])


def _new_key(request: Request[Any, Any, Any]) -> dict[str, str] | None:
    try:
        how, text, name = get_app_context(request).secret_box.open(request.cookies.get(_NEW, "")).split("\n", 2)
    except (InvalidToken, ValueError):
        return None
    return {"how": how, "name": name, "text": text}


@post(HERE + "/{key_id:str}/rotate", status_code=303)
async def rotate_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Response[Any]:
    """Give a key another secret, and go where it is shown once."""
    who, form = await visitor(request), await request.form()
    hours = str(form.get("overlap", ""))
    try:
        overlap_ms = int(hours) * _HOUR_MS if hours in OVERLAPS else -1
        async with get_app_context(request).db.writing() as tx:
            key, text = await keys.rotate(tx, who.actor, key_id=key_id, overlap_ms=overlap_ms)
    except (Invalid, Conflict) as error:
        return await _page(request, who, 422, error=_words(error))
    return _to_new(request, key, text, "rotated")


def _words(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


@post(HERE + "/{key_id:str}/revoke", status_code=303)
async def revoke_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Redirect:
    """Revoke a key, at once and everywhere."""
    who = await visitor(request)
    async with get_app_context(request).db.writing() as tx:
        await keys.revoke(tx, who.actor, key_id=key_id)
    return Redirect(HERE, status_code=303)


HANDLERS = [keys_page, add_key, rotate_key, revoke_key]
