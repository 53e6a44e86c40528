"""The page that adds an API key: its name, access, expiry date and rate limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from litestar import Request, get, post
from litestar.response import Response

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import MAX_LIFETIME_MS, MAX_PARTS, Key, KeyCreate, KeyLimits
from formwright.domain.forms import service as forms
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_view, start_of_day
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.permission_labels import PermissionGroup, permission_boxes
from formwright.web.views.settings.api_keys import PATH, redirect_with_key

NEW_PATH = PATH + "/new"
_DEFAULT = [Permission.FORMS_READ, Permission.SUBMISSIONS_READ]
Options = Sequence[tuple[str, str]]
"""The ids and names of folders or forms."""


@dataclass(frozen=True, slots=True)
class KeyInput:
    """The submitted values. `access` is "all", "read" or "limited", and `place` "account" or "parts"."""

    name: str = ""
    access: str = ""
    place: str = "account"
    permissions: Sequence[str] = ()
    folder_ids: Sequence[str] = ()
    form_ids: Sequence[str] = ()
    ends: str = ""
    rate_limit: str = ""

    def to_domain(self, visitor: Visitor) -> KeyCreate:
        """Return the key to create. Raises `Invalid` if no folder or form is selected."""
        key = KeyCreate(self.name, expires=_parse_expiry(self.ends, visitor), rate_limit=_parse_number(self.rate_limit))
        if self.access != "limited":
            return replace(key, read_only=self.access != "all")
        if self.place == "parts" and not self.folder_ids and not self.form_ids:
            raise Invalid.at("/formIds", "value.required", "Select at least one folder or form, or the whole account.")
        permissions = frozenset(Permission(one) for one in self.permissions if one in set(Permission))
        parts = (tuple(self.folder_ids), tuple(self.form_ids)) if self.place == "parts" else ((), ())
        return replace(key, limits=KeyLimits(permissions, *parts))


@dataclass(frozen=True, slots=True)
class NewKeyPage:
    """The page. Only permissions, folders and forms that the visitor may use are offered."""

    list_path: str
    here: str
    typed: KeyInput
    may_write: bool
    may_read: bool
    permission_groups: Sequence[PermissionGroup]
    folders: Options
    forms: Options
    max_rate_limit: int
    first_day: str
    last_day: str
    faults: Mapping[str, str]


@get(NEW_PATH)
async def new_key_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The page for a new key."""
    visitor = await require_visitor(request)
    allow(visitor.actor, Permission.KEYS_MANAGE)
    return await _render(request, visitor, KeyInput(permissions=[*_DEFAULT]), {})


async def _render(
    request: Request[Any, Any, Any], visitor: Visitor, typed: KeyInput, faults: Mapping[str, str]
) -> Response[str]:
    ctx, zone, actor = get_app_context(request), ZoneInfo(visitor.customer.time_zone), visitor.actor
    async with ctx.db.reading() as tx:
        may_write = await keys.has_permissions(tx, actor, read_only=False)
        may_read = await keys.has_permissions(tx, actor, read_only=True)
        folders_, forms_ = await _list_parts(tx, actor)
    view_model = NewKeyPage(
        list_path=PATH,
        here=NEW_PATH,
        typed=replace(typed, access=typed.access or ("all" if may_write else "read" if may_read else "limited")),
        may_write=may_write,
        may_read=may_read,
        permission_groups=_offered_boxes(actor, typed.permissions),
        folders=folders_,
        forms=forms_,
        max_rate_limit=ctx.rates.limit,
        first_day=_format_day(ctx.clock.now(), zone),
        last_day=_format_day(ctx.clock.now() + MAX_LIFETIME_MS, zone),
        faults=fault_texts(faults),
    )
    status = 422 if faults else 200
    return render_view(
        request, "settings/new_api_key.html", view_model, visitor=visitor, section="Settings", status=status
    )


async def _list_parts(tx: ReadTransaction, actor: Actor) -> tuple[Options, Options]:
    """Return all folders by path, and the newest forms by name."""
    if Permission.FORMS_READ not in actor.permissions:
        return [], []
    found = (await forms.page(tx, actor, Window(MAX_LIMIT), newest_first=True)).items
    by_name = sorted(((form.id, form.name) for form in found), key=lambda option: option[1].casefold())
    return folder_options(await list_all_folders(tx, actor)), by_name


def _offered_boxes(actor: Actor, chosen: Sequence[str]) -> list[PermissionGroup]:
    groups = permission_boxes(one for one in Permission if one in chosen)
    offered = [
        replace(group, boxes=[box for box in group.boxes if box.name in actor.permissions - {Permission.CUSTOMER_READ}])
        for group in groups
    ]
    return [group for group in offered if group.boxes]


def _format_day(ms: int, zone: ZoneInfo) -> str:
    return datetime.fromtimestamp(ms / 1000, zone).date().isoformat()


@post(NEW_PATH, status_code=303)
async def add_key(request: Request[Any, Any, Any]) -> Response[Any]:
    """Create a key and redirect to the list, which shows it once."""
    visitor, form = await require_visitor(request), await request.form()
    typed = _read_input(form)
    try:
        key, text = await _create(request, visitor, typed)
    except Invalid as error:
        return await _render(request, visitor, typed, faults_by_field(error))
    except Conflict as error:
        return await _render(request, visitor, typed, {"": str(error)})
    return redirect_with_key(request, key, text, "added")


async def _create(request: Request[Any, Any, Any], visitor: Visitor, typed: KeyInput) -> tuple[Key, str]:
    ctx, new = get_app_context(request), typed.to_domain(visitor)
    if ctx.rates.limit and new.rate_limit is not None and new.rate_limit > ctx.rates.limit:
        detail = f"The operator of this server allows at most {ctx.rates.limit:,} requests per minute."
        raise Invalid.at("/rateLimit", "key.rate_limit", detail)
    async with ctx.db.writing() as tx:
        return await keys.create(tx, visitor.actor, new, maker_name=visitor.user.name)


def _read_input(form: Any) -> KeyInput:
    def chosen(name: str) -> list[str]:
        return [*dict.fromkeys(str(value)[:40] for value in form.getall(name, []))][: MAX_PARTS + 1]

    return KeyInput(
        name=read_text(form, "name"),
        access=read_text(form, "access"),
        place=read_text(form, "place"),
        permissions=chosen("permissions"),
        folder_ids=chosen("folders"),
        form_ids=chosen("forms"),
        ends=read_text(form, "expiresAt"),
        rate_limit=read_text(form, "rateLimit", 20),
    )


def _parse_number(text: str) -> int | None:
    """Return the number, or None for an empty text. What is not a number becomes 0, which is refused."""
    if not text:
        return None
    return int(text) if text.isascii() and text.isdigit() else 0


def _parse_expiry(text: str, visitor: Visitor) -> int | None:
    """Return the end of the day in the account's time zone, or None. An invalid date becomes 0, which is past."""
    if not text:
        return None
    try:
        next_day = date.fromisoformat(text) + timedelta(days=1)
        return start_of_day(next_day, ZoneInfo(visitor.customer.time_zone))
    except (ValueError, OverflowError):
        return 0


HANDLERS = [new_key_page, add_key]
