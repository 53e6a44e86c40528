"""Forms in their folders."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Place, Window
from formwright.domain.folders.models import Folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormFilter, FormNotFound, FormStatus
from formwright.domain.quotas import service as quotas
from formwright.domain.submissions import service as submissions
from formwright.web.session import Visitor, get_app_context, visitor
from formwright.web.templating import moment, page
from formwright.web.views.folders import every_folder, places_for, way, where_to
from formwright.web.views.list_urls import place_of, written

_ROWS = 50
_COUNTED = 1000
_LONGEST_SEARCH = 200


@get("/forms")
async def forms_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's forms, the newest first; `?folder=`: in a folder and below it; `?archived=1`: those put away."""
    who, asked = await visitor(request), request.query_params
    if Permission.FORMS_READ not in who.actor.permissions:
        return await _to_fill(request, who)
    wanted, text = asked.get("folder", ""), asked.get("q", "")[:_LONGEST_SEARCH]
    archived = asked.get("archived") == "1"
    which = FormFilter(status=FormStatus.ARCHIVED if archived else FormStatus.ACTIVE, text=text.strip())
    window = Window(_ROWS, place_of(asked.get("after", "")))
    async with get_app_context(request).db.reading() as tx:
        listed = await forms.page(tx, who.actor, window, which, folder_id=wanted or None, newest_first=True)
        counts = await _counts(tx, who, listed.items)
        reached = await quotas.reached_today(tx, who.actor, get_app_context(request).clock.now())
        away = await forms.count(tx, who.actor, FormFilter(status=FormStatus.ARCHIVED), folder_id=wanted or None)
        tree = await every_folder(tx, who.actor)
        about = {name: await _named(tx, who, asked.get(name)) for name in ("move", "archive", "template", "form")}
    by_id = {folder.id: folder for folder in tree}
    return page(
        request,
        "forms/overview.html",
        place="Forms",
        forms=[_shown(who, form, by_id, counts.get(form.id, 0), reached) for form in listed.items],
        archived=archived,
        archive_count=away,
        q=text,
        first=window.after is None,
        next_url=_next_url(request, listed.next),
        done=_done(about["form"], asked.get("done", "")),
        folder=by_id.get(wanted),
        trail=way(by_id, wanted)[:-1],
        inside=_inside(tree, wanted),
        moving=about["move"],
        archiving=about["archive"],
        keeping=about["template"],
        folders=where_to(who, tree, about["move"].folder_id or "" if about["move"] else ""),
        may_root=who.may_everywhere(Permission.FORMS_EDIT),
        places=places_for(tree, by_id.get(wanted)),
        may_edit=_may_edit_in(who, wanted),
        may_keep=who.may_everywhere(Permission.FORMS_EDIT),
        may_count=Permission.SUBMISSIONS_READ in who.actor.permissions,
        typed={name: asked.get(name, "") for name in ("add", "rename", "place", "name", "description", "fault")},
        **who.frame,
    )


async def _to_fill(request: Request[Any, Any, Any], who: Visitor) -> Response[str]:
    """For those who only fill in forms: which they may."""
    async with get_app_context(request).db.reading() as tx:
        found = (
            await forms.list_fillable(tx, who.actor) if Permission.SUBMISSIONS_CREATE in who.actor.permissions else []
        )
    return page(request, "forms/to_fill.html", place="Forms", forms=found, **who.frame)


def _may_edit_in(who: Visitor, folder_id: str) -> bool:
    """Whether she may make forms and folders in the folder that is open, or at the root."""
    may = Permission.FORMS_EDIT in who.actor.permissions
    return may and allow(who.actor, Permission.FORMS_EDIT).has_folder(folder_id or None)


async def _counts(tx: ReadTransaction, who: Visitor, listed: Sequence[Form]) -> dict[str, int]:
    may_count = Permission.SUBMISSIONS_READ in who.actor.permissions
    return (
        await submissions.count_by_form(tx, who.actor, [form.id for form in listed], limit=_COUNTED + 1)
        if may_count
        else {}
    )


def _next_url(request: Request[Any, Any, Any], following: Place | None) -> str:
    kept = {name: request.query_params.get(name, "") for name in ("folder", "archived", "q")}
    query = {name: value for name, value in kept.items() if value}
    return "/forms?" + urlencode(query | {"after": written(following)}) if following else ""


async def _named(tx: ReadTransaction, who: Visitor, form_id: str | None) -> Form | None:
    """The form that something is asked about, if she may change it."""
    try:
        found = await forms.get(tx, who.actor, form_id=form_id) if form_id else None
    except FormNotFound:
        return None
    return found if found and who.may(Permission.FORMS_EDIT, found) else None


def _done(form: Form | None, what: str) -> dict[str, Any] | None:
    """What to say of a form that was just put away or brought back; nothing once that is no longer so."""
    if form is None or {"archived": FormStatus.ARCHIVED, "restored": FormStatus.ACTIVE}.get(what) is not form.status:
        return None
    return {"id": form.id, "name": form.name, "archived": what == "archived"}


def _inside(tree: Sequence[Folder], folder_id: str) -> list[Folder]:
    known = {folder.id for folder in tree}
    beside = [folder for folder in tree if (folder.parent_id if folder.parent_id in known else "") == folder_id]
    return sorted(beside, key=lambda folder: folder.name.casefold())


def _shown(who: Visitor, form: Form, by_id: dict[str, Folder], count: int, reached: set[str]) -> dict[str, Any]:
    return {
        "id": form.id,
        "name": form.name,
        "description": form.description,
        "status": form.status if form.published_version_id or form.status is FormStatus.ARCHIVED else "draft",
        "folder": " › ".join(folder.name for folder in way(by_id, form.folder_id)),
        "fill_url": f"/fill/{form.link}" if form.published_version_id and form.status is FormStatus.ACTIVE else "",
        "archived": form.status is FormStatus.ARCHIVED,
        "may_edit": who.may(Permission.FORMS_EDIT, form),
        "submissions": f"{count:,}" if count <= _COUNTED else f"{_COUNTED:,}+",
        "updated": moment(form.updated, who.customer.time_zone),
        "limited": bool({form.id, quotas.ACCOUNT} & reached),
    }


HANDLERS = [
    forms_page,
]
