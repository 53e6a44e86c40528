"""Settings, Connections, API keys: the list of keys, and rotating and revoking them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, DomainError, Invalid
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import LIMITED_PREFIX, MAX_KEYS, Key, KeyLimits
from formwright.domain.forms import service as forms
from formwright.web.curl_example import curl_command
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.sealed_cookies import forget_cookie, open_cookie, seal_cookie
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.permission_labels import WHOLE_ACCOUNT, describe_permissions

PATH = "/settings/connections/api-keys"
_KEY_COOKIE = "formwright_new_key"
_KEY_SHOWN_S = 60
_HOUR_MS = 3600 * 1000
OVERLAPS = {"0": "Revoke now", "1": "For 1 hour", "24": "For 1 day", "72": "For 3 days", "168": "For 7 days"}
"""How long the old secret stays valid, in hours."""


@dataclass(frozen=True, slots=True)
class KeyRow:
    """A key in the list.

    `access` says what the key may do. `details` are the permissions of a limited key, and `place` what they apply to.
    """

    id: str
    prefix: str
    name: str
    maker: str
    access: str
    details: Sequence[str]
    place: str
    rate_limit: int | None
    has_expired: bool
    may_change: bool
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

    @property
    def first_path(self) -> str:
        """A path of the API that the key may read: every key may read its account."""
        return "/customers" if self.text.startswith(LIMITED_PREFIX) else "/submissions"


@dataclass(frozen=True, slots=True)
class KeyListPage:
    """The list of keys. `rotate` and `revoke` are the id of the key whose dialog is open."""

    here: str
    keys: Sequence[KeyRow]
    limit: int
    curl: str
    overlaps: Mapping[str, str]
    may_manage: bool
    new_key: NewKey | None = None
    rotate: str = ""
    revoke: str = ""
    error: str = ""


@get(PATH)
async def keys_page(page: Page) -> Response:
    """The account's API keys. A new key is shown once."""
    query = page.query
    dialogs: dict[str, Any] = {name: query.get(name, "") for name in ("revoke", "rotate")}
    response = await _render(page, new_key=_read_new_key(page), **dialogs)
    return forget_cookie(page, response, _KEY_COOKIE)


async def _render(page: Page, status: int = 200, new_key: NewKey | None = None, **state: Any) -> Response:
    """Render the list. `state` are the fields of the page that have a default."""
    found = await keys.list_active(page.tx, page.actor)
    places = await _name_places(page.tx, page.visitor, found)
    rows = [await _key_row(page.tx, page.visitor, key, page.ctx.clock.now(), places) for key in found]
    view_model = KeyListPage(
        here=PATH,
        keys=rows,
        limit=MAX_KEYS,
        curl=curl_command(page, new_key.text, new_key.first_path) if new_key else "",
        overlaps=OVERLAPS,
        may_manage=Permission.KEYS_MANAGE in page.actor.permissions,
        new_key=new_key,
        **state,
    )
    return page.render("settings/api_keys.html", view_model, section="Settings", status=status)


async def _name_places(tx: ReadTransaction, visitor: Visitor, found: Sequence[Key]) -> Mapping[str, str]:
    """Return the names of the forms and folders of limited keys by id, as far as the visitor may see them."""
    limits = [key.limits for key in found if key.limits]
    if Permission.FORMS_READ not in visitor.actor.permissions:
        return {}
    form_ids = [form_id for one in limits for form_id in one.form_ids]
    names = await forms.find_names(tx, visitor.actor, form_ids) if form_ids else {}
    if any(one.folder_ids for one in limits):
        names |= dict(folder_options(await list_all_folders(tx, visitor.actor)))
    return names


async def _key_row(tx: ReadTransaction, visitor: Visitor, key: Key, now: int, places: Mapping[str, str]) -> KeyRow:
    zone, has_expired, limits = visitor.customer.time_zone, key.has_expired(now), key.limits
    may_use = await keys.has_permissions(tx, visitor.actor, read_only=key.read_only, limits=limits)
    return KeyRow(
        id=key.id,
        prefix=key.hint,
        name=key.name,
        maker=key.maker_name,
        access="Limited" if limits else "Read only" if key.read_only else "Full access",
        details=describe_permissions(limits.permissions) if limits else (),
        place=_describe_place(limits, places) if limits else "",
        rate_limit=key.rate_limit,
        has_expired=has_expired,
        may_change=not has_expired and may_use,
        expires=format_time(key.expires, zone) if key.expires else None,
        old_expires=format_time(key.old_ends, zone) if key.old_ends and key.old_ends > now else None,
        created=format_time(key.created, zone),
        last_used=format_time(key.last_used, zone) if key.last_used else None,
    )


def _describe_place(limits: KeyLimits, places: Mapping[str, str]) -> str:
    if limits.is_whole_account:
        return WHOLE_ACCOUNT
    parts = [places.get(folder_id, "a folder that you can’t see") for folder_id in limits.folder_ids]
    return ", ".join([*parts, *(places.get(form_id, "a form that you can’t see") for form_id in limits.form_ids)])


def redirect_with_key(page: PublicPage, key: Key, text: str, how: str) -> Redirect:
    """Redirect to the list, which shows the key once.

    The key is carried in an encrypted cookie that expires after a minute. It is stored nowhere, and reloading the page
    does not create another.
    """
    cookie = seal_cookie(page.ctx, _KEY_COOKIE, f"{how}\n{text}\n{key.name}", _KEY_SHOWN_S)
    return Redirect(PATH, cookies=[cookie])


def _read_new_key(page: PublicPage) -> NewKey | None:
    try:
        how, text, name = open_cookie(page, _KEY_COOKIE).split("\n", 2)
    except ValueError:
        return None
    return NewKey(how, text, name)


@post(PATH + "/{key_id:str}/rotate")
async def rotate_key(page: Page, key_id: str) -> Response:
    """Give a key a new secret and redirect to the list, which shows it once."""
    form = await page.form()
    hours = str(form.get("overlap", ""))
    try:
        overlap_ms = int(hours) * _HOUR_MS if hours in OVERLAPS else -1
        async with page.writing() as tx:
            key, text = await keys.rotate(tx, page.actor, key_id=key_id, overlap_ms=overlap_ms)
    except (Invalid, Conflict) as error:
        return await _render(page, 422, error=_error_text(error))
    return redirect_with_key(page, key, text, "rotated")


def _error_text(error: DomainError) -> str:
    return error.faults[0].detail if isinstance(error, Invalid) else str(error)


@post(PATH + "/{key_id:str}/revoke")
async def revoke_key(page: Page, key_id: str) -> Redirect:
    """Revoke a key. It stops working immediately."""
    async with page.writing() as tx:
        await keys.revoke(tx, page.actor, key_id=key_id)
    return Redirect(PATH)
