"""The pages that add and edit an API key: its name, access, expiry date and rate limit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import MAX_LIFETIME_MS, MAX_PARTS, Key, KeyLimits, KeyNotFound, KeyProperties
from formwright.domain.forms import service as forms
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.templating import start_of_day
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.permission_labels import PermissionGroup, permission_boxes
from formwright.web.views.settings.api_keys import PATH, redirect_with_key

NEW_PATH = PATH + "/new"
KEY_PATH = PATH + "/{key_id:str}"
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

    @classmethod
    def of_key(cls, key: Key, zone: ZoneInfo) -> "KeyInput":
        """Return the values of a key."""
        limits = key.limits
        return cls(
            name=key.name,
            access="limited" if limits else "read" if key.read_only else "all",
            place="account" if limits is None or limits.is_whole_account else "parts",
            permissions=sorted(limits.permissions) if limits else (),
            folder_ids=limits.folder_ids if limits else (),
            form_ids=limits.form_ids if limits else (),
            # The end is exclusive: a key that ends at midnight works on the day before.
            ends=_format_day(key.expires - 1, zone) if key.expires else "",
            rate_limit=str(key.rate_limit or ""),
        )

    def to_domain(self, visitor: Visitor) -> KeyProperties:
        """Return the properties of the key. Raises `Invalid` if no folder or form is selected."""
        key = KeyProperties(
            self.name, expires=_parse_expiry(self.ends, visitor), rate_limit=_parse_number(self.rate_limit)
        )
        if self.access != "limited":
            return replace(key, read_only=self.access != "all")
        if self.place == "parts" and not self.folder_ids and not self.form_ids:
            raise Invalid.at("/formIds", "value.required", "Select at least one folder or form, or the whole account.")
        permissions = frozenset(Permission(one) for one in self.permissions if one in set(Permission))
        parts = (tuple(self.folder_ids), tuple(self.form_ids)) if self.place == "parts" else ((), ())
        return replace(key, limits=KeyLimits(permissions, *parts))


@dataclass(frozen=True, slots=True)
class KeyFormPage:
    """The page. Only permissions, folders and forms that the visitor may use are offered.

    `key` is the key to edit, which keeps its kind of access; None for a new key.
    """

    list_path: str
    here: str
    key: Key | None
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
async def new_key_page(page: Page) -> Response:
    """The page for a new key."""
    allow(page.actor, Permission.KEYS_MANAGE)
    return await _render(page, KeyInput(permissions=[*_DEFAULT]), {})


@get(KEY_PATH)
async def key_page(page: Page, key_id: str) -> Response:
    """The page that edits a key."""
    key = await _load_key(page, key_id)
    typed = KeyInput.of_key(key, ZoneInfo(page.visitor.customer.time_zone))
    return await _render(page, typed, {}, key)


async def _load_key(page: Page, key_id: str) -> Key:
    """Return a key that is not revoked; raises `KeyNotFound`."""
    allow(page.actor, Permission.KEYS_MANAGE)
    key = await keys.get(page.tx, page.actor, key_id=key_id)
    if key.revoked is not None:
        raise KeyNotFound()
    return key


async def _render(page: Page, typed: KeyInput, faults: Mapping[str, str], key: Key | None = None) -> Response:
    zone, actor = ZoneInfo(page.visitor.customer.time_zone), page.actor
    may_write = await keys.has_permissions(page.tx, actor, read_only=False)
    may_read = await keys.has_permissions(page.tx, actor, read_only=True)
    folders_, forms_ = await _list_parts(page.tx, actor, typed.form_ids)
    view_model = KeyFormPage(
        list_path=PATH,
        here=f"{PATH}/{key.id}" if key else NEW_PATH,
        key=key,
        typed=replace(typed, access=typed.access or ("all" if may_write else "read" if may_read else "limited")),
        may_write=may_write,
        may_read=may_read,
        permission_groups=_offered_boxes(actor, typed.permissions),
        folders=folders_,
        forms=forms_,
        max_rate_limit=page.ctx.rates.limit,
        first_day=_format_day(page.ctx.clock.now(), zone),
        last_day=_format_day(page.ctx.clock.now() + MAX_LIFETIME_MS, zone),
        faults=fault_texts(faults),
    )
    status = 422 if faults else 200
    return page.render("settings/api_key_form.html", view_model, section="Settings", status=status)


async def _list_parts(tx: ReadTransaction, actor: Actor, chosen: Sequence[str]) -> tuple[Options, Options]:
    """Return all folders by path, and the newest forms and the chosen ones by name."""
    if Permission.FORMS_READ not in actor.permissions:
        return [], []
    found = (await forms.page(tx, actor, Window(MAX_LIMIT), newest_first=True)).items
    names = {form.id: form.name for form in found} | await forms.find_names(tx, actor, chosen[:MAX_PARTS])
    by_name = sorted(names.items(), key=lambda option: option[1].casefold())
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


@post(NEW_PATH)
async def add_key(page: Page) -> Response:
    """Create a key and redirect to the list, which shows it once."""
    form = await page.form()
    typed = _read_input(form)
    try:
        key, text = await _create(page, typed)
    except Invalid as error:
        return await _render(page, typed, faults_by_field(error))
    except Conflict as error:
        return await _render(page, typed, {"": str(error)})
    return redirect_with_key(page, key, text, "added")


@post(KEY_PATH)
async def change_key(page: Page, key_id: str) -> Response:
    """Change a key and redirect to the list."""
    form = await page.form()
    key, zone = await _load_key(page, key_id), ZoneInfo(page.visitor.customer.time_zone)
    current = KeyInput.of_key(key, zone)
    typed = replace(_read_input(form), access=current.access)
    try:
        new = typed.to_domain(page.visitor)
        # Operators can set a higher limit than this page allows. Such a key can still be renamed.
        if new.rate_limit != key.rate_limit:
            _check_rate_limit(page, new)
        if typed.ends == current.ends:
            # The command line can set a time of day, which the date does not show.
            new = replace(new, expires=key.expires)
        async with page.writing() as tx:
            await keys.update(tx, page.actor, key_id=key_id, new=new)
    except (Invalid, Conflict) as error:
        return await _render(page, typed, faults_by_field(error), key)
    return Redirect(PATH)


async def _create(page: Page, typed: KeyInput) -> tuple[Key, str]:
    new = typed.to_domain(page.visitor)
    _check_rate_limit(page, new)
    async with page.writing() as tx:
        return await keys.create(tx, page.actor, new, maker_name=page.visitor.user.name)


def _check_rate_limit(page: PublicPage, new: KeyProperties) -> None:
    """Raise `Invalid` if the rate limit is above that of the installation, which only operators may exceed."""
    highest = page.ctx.rates.limit
    if highest and new.rate_limit is not None and new.rate_limit > highest:
        detail = f"The operator of this server allows at most {highest:,} requests per minute."
        raise Invalid.at("/rateLimit", "key.rate_limit", detail)


def _read_input(form: Any) -> KeyInput:
    def chosen(name: str) -> list[str]:
        # One more than allowed, so that a longer list is rejected and not cut.
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
