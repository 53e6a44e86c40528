"""Settings, Connections, API keys."""

from typing import Any

from cryptography.fernet import InvalidToken
from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.kernel.errors import DomainError, Invalid
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import MAX_KEYS, Key
from formwright.web.calling import curl
from formwright.web.render import moment, page
from formwright.web.session import Visitor, house_of, own_cookie, visitor

HERE = "/settings/connections/api-keys"
_NEW = "formwright_new_key"
_SHOWN_WITHIN_S = 60


@get(HERE)
async def keys_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's keys; one that was just made is shown once."""
    who = await visitor(request)
    answer = await _page(
        request,
        who,
        new_key=_new_key(request),
        add=request.query_params.get("add") == "1",
        revoke=request.query_params.get("revoke", ""),
    )
    if _NEW in request.cookies:
        answer.set_cookie(own_cookie(house_of(request).settings, _NEW, "", 0))
    return answer


async def _page(request: Request[Any, Any, Any], who: Visitor, status: int = 200, **context: Any) -> Response[str]:
    async with house_of(request).db.reading() as tx:
        live = await keys.live(tx, who.actor)
    given: dict[str, Any] = {"new_key": None, "add": False, "revoke": "", "error": "", "name": ""} | context
    call = curl(request, given["new_key"]["text"], "/submissions") if given["new_key"] else ""
    shown = [_shown(who, key) for key in live]
    return page(
        request, "api_keys.html", status, place="Settings", keys=shown, limit=MAX_KEYS, curl=call, **given, **who.frame
    )


def _shown(who: Visitor, key: Key) -> dict[str, Any]:
    zone = who.customer.time_zone
    return {
        "id": key.id,
        "prefix": key.hint,
        "name": key.name,
        "maker": key.maker_name,
        "created": moment(key.created, zone),
        "last_used": moment(key.last_used, zone) if key.last_used else None,
    }


@post(HERE, status_code=303)
async def add_key(request: Request[Any, Any, Any]) -> Response[Any]:
    """Make a key, and go where it is shown once."""
    who, house = await visitor(request), house_of(request)
    name = str((await request.form()).get("name", ""))[:1000].replace("\0", "")
    try:
        async with house.db.writing() as tx:
            key, text = await keys.add(tx, who.actor, name=name, maker_name=who.user.name)
    except DomainError as error:
        words = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        return await _page(request, who, 422, error=words, name=name, add=isinstance(error, Invalid))
    # The text travels sealed, in a cookie that lives a minute: it is stored nowhere, and a reload makes no second key.
    sealed = own_cookie(house.settings, _NEW, house.seal.close(f"{key.name}\n{text}"), _SHOWN_WITHIN_S)
    return Redirect(HERE, status_code=303, cookies=[sealed])


def _new_key(request: Request[Any, Any, Any]) -> dict[str, str] | None:
    try:
        name, _, text = house_of(request).seal.open(request.cookies.get(_NEW, "")).rpartition("\n")
    except InvalidToken:
        return None
    return {"name": name, "text": text}


@post(HERE + "/{key_id:str}/revoke", status_code=303)
async def revoke_key(request: Request[Any, Any, Any], key_id: FromPath[str]) -> Redirect:
    """Revoke a key, at once and everywhere."""
    who = await visitor(request)
    async with house_of(request).db.writing() as tx:
        await keys.revoke(tx, who.actor, key_id=key_id.replace("\0", ""))
    return Redirect(HERE, status_code=303)


HANDLERS = [keys_page, add_key, revoke_key]
