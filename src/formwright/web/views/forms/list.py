"""Forms in their folders."""

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from litestar import Request, get
from litestar.response import Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Position, Window
from formwright.domain.folders.models import Folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormFilter, FormNotFound, FormStatus
from formwright.domain.quotas import service as quotas
from formwright.domain.submissions import service as submissions
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.folders import editable_folder_options, list_all_folders, move_targets, path_to_folder
from formwright.web.views.list_urls import format_place, parse_place

_PAGE_SIZE = 50
_MAX_COUNT = 1000
_MAX_SEARCH = 200


@get("/forms")
async def forms_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The account's forms, the newest first; `?folder=`: in a folder and below it; `?archived=1`: those put away."""
    visitor, asked = await require_visitor(request), request.query_params
    if Permission.FORMS_READ not in visitor.actor.permissions:
        return await _render_fillable_forms(request, visitor)
    wanted, text = asked.get("folder", ""), asked.get("q", "")[:_MAX_SEARCH]
    archived = asked.get("archived") == "1"
    which = FormFilter(status=FormStatus.ARCHIVED if archived else FormStatus.ACTIVE, text=text.strip())
    window = Window(_PAGE_SIZE, parse_place(asked.get("after", "")))
    async with get_app_context(request).db.reading() as tx:
        listed = await forms.page(tx, visitor.actor, window, which, folder_id=wanted or None, newest_first=True)
        counts = await _count_submissions(tx, visitor, listed.items)
        reached = await quotas.find_reached_limits(tx, visitor.actor, get_app_context(request).clock.now())
        away = await forms.count(tx, visitor.actor, FormFilter(status=FormStatus.ARCHIVED), folder_id=wanted or None)
        tree = await list_all_folders(tx, visitor.actor)
        about = {
            name: await _find_editable_form(tx, visitor, asked.get(name))
            for name in ("move", "archive", "template", "form")
        }
    by_id = {folder.id: folder for folder in tree}
    return render_page(
        request,
        "forms/overview.html",
        place="Forms",
        forms=[_form_row(visitor, form, by_id, counts.get(form.id, 0), reached) for form in listed.items],
        archived=archived,
        archive_count=away,
        q=text,
        first=window.after is None,
        next_url=_next_url(request, listed.next),
        done=_status_notice(about["form"], asked.get("done", "")),
        folder=by_id.get(wanted),
        trail=path_to_folder(by_id, wanted)[:-1],
        inside=_subfolders(tree, wanted),
        moving=about["move"],
        archiving=about["archive"],
        keeping=about["template"],
        folders=editable_folder_options(visitor, tree, about["move"].folder_id or "" if about["move"] else ""),
        may_root=visitor.may_everywhere(Permission.FORMS_EDIT),
        places=move_targets(tree, by_id.get(wanted)),
        may_edit=_may_edit_in(visitor, wanted),
        may_keep=visitor.may_everywhere(Permission.FORMS_EDIT),
        may_count=Permission.SUBMISSIONS_READ in visitor.actor.permissions,
        typed={name: asked.get(name, "") for name in ("add", "rename", "place", "name", "description", "fault")},
        **visitor.template_frame,
    )


async def _render_fillable_forms(request: Request[Any, Any, Any], visitor: Visitor) -> Response[str]:
    """For those who only fill in forms: which they may."""
    async with get_app_context(request).db.reading() as tx:
        found = (
            await forms.list_fillable(tx, visitor.actor)
            if Permission.SUBMISSIONS_CREATE in visitor.actor.permissions
            else []
        )
    return render_page(request, "forms/to_fill.html", place="Forms", forms=found, **visitor.template_frame)


def _may_edit_in(visitor: Visitor, folder_id: str) -> bool:
    """Whether she may make forms and folders in the folder that is open, or at the root."""
    may = Permission.FORMS_EDIT in visitor.actor.permissions
    return may and allow(visitor.actor, Permission.FORMS_EDIT).has_folder(folder_id or None)


async def _count_submissions(tx: ReadTransaction, visitor: Visitor, listed: Sequence[Form]) -> dict[str, int]:
    may_count = Permission.SUBMISSIONS_READ in visitor.actor.permissions
    return (
        await submissions.count_by_form(tx, visitor.actor, [form.id for form in listed], limit=_MAX_COUNT + 1)
        if may_count
        else {}
    )


def _next_url(request: Request[Any, Any, Any], following: Position | None) -> str:
    kept = {name: request.query_params.get(name, "") for name in ("folder", "archived", "q")}
    query = {name: value for name, value in kept.items() if value}
    return "/forms?" + urlencode(query | {"after": format_place(following)}) if following else ""


async def _find_editable_form(tx: ReadTransaction, visitor: Visitor, form_id: str | None) -> Form | None:
    """The form that something is asked about, if she may change it."""
    try:
        found = await forms.get(tx, visitor.actor, form_id=form_id) if form_id else None
    except FormNotFound:
        return None
    return found if found and visitor.may(Permission.FORMS_EDIT, found) else None


def _status_notice(form: Form | None, what: str) -> dict[str, Any] | None:
    """What to say of a form that was just put away or brought back; nothing once that is no longer so."""
    if form is None or {"archived": FormStatus.ARCHIVED, "restored": FormStatus.ACTIVE}.get(what) is not form.status:
        return None
    return {"id": form.id, "name": form.name, "archived": what == "archived"}


def _subfolders(tree: Sequence[Folder], folder_id: str) -> list[Folder]:
    known = {folder.id for folder in tree}
    beside = [folder for folder in tree if (folder.parent_id if folder.parent_id in known else "") == folder_id]
    return sorted(beside, key=lambda folder: folder.name.casefold())


def _form_row(visitor: Visitor, form: Form, by_id: dict[str, Folder], count: int, reached: set[str]) -> dict[str, Any]:
    return {
        "id": form.id,
        "name": form.name,
        "description": form.description,
        "status": form.status if form.published_version_id or form.status is FormStatus.ARCHIVED else "draft",
        "folder": " › ".join(folder.name for folder in path_to_folder(by_id, form.folder_id)),
        "fill_url": f"/fill/{form.link}" if form.published_version_id and form.status is FormStatus.ACTIVE else "",
        "archived": form.status is FormStatus.ARCHIVED,
        "may_edit": visitor.may(Permission.FORMS_EDIT, form),
        "submissions": f"{count:,}" if count <= _MAX_COUNT else f"{_MAX_COUNT:,}+",
        "updated": format_time(form.updated, visitor.customer.time_zone),
        "limited": bool({form.id, quotas.ACCOUNT} & reached),
    }


HANDLERS = [
    forms_page,
]
