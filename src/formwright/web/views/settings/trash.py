"""Settings, Trash: what has been deleted, to restore it or delete it permanently; and the page that confirms deletions.

All kinds of records share these pages. The pages on which the records are managed link to the confirmation.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.db.interface import Rollback
from formwright.core.errors import Conflict, Denied
from formwright.domain.trash import service as trash
from formwright.domain.trash.models import Affected, TrashEntry, TrashKind
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor, path_with_query
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.list_pages import FilterField, ListPage, read_list_request

PATH = "/settings/trash"
_DAY_MS = 24 * 3600 * 1000
LABELS: Mapping[TrashKind, str] = {
    TrashKind.FORM: "Form",
    TrashKind.FORM_VERSION: "Draft",
    TrashKind.FOLDER: "Folder",
    TrashKind.TEMPLATE: "Template",
    TrashKind.QUESTION_BLOCK: "Question block",
    TrashKind.DATASOURCE: "Data source",
    TrashKind.DATASOURCE_ROW: "Row",
    TrashKind.USER: "Person",
    TrashKind.GROUP: "Group",
    TrashKind.ROLE: "Role",
}
_COUNTED = (
    ("folders", "folder", "folders"),
    ("forms", "form", "forms"),
    ("submissions", "submission", "submissions"),
    ("tasks", "open task", "open tasks"),
    ("invites", "open invite", "open invites"),
    ("webhooks", "webhook restricted to it", "webhooks restricted to it"),
    ("grants", "grant", "grants"),
    ("groups", "group membership", "group memberships"),
    ("members", "member", "members"),
    ("rows", "row", "rows"),
)
_ITSELF = {TrashKind.FORM: "forms", TrashKind.FOLDER: "folders", TrashKind.DATASOURCE_ROW: "rows"}
"""The count that includes the record itself, by kind."""


@dataclass(frozen=True, slots=True)
class TrashRow:
    """A row of the trash."""

    id: str
    kind: str
    name: str
    affected: Sequence[str]
    deleted: DisplayTime
    deleted_by: str
    days_left: int


@dataclass(frozen=True, slots=True)
class TrashPage:
    """The trash. `undoable` was just deleted, `restored` names what was just restored."""

    entries: ListPage[TrashRow]
    undoable: TrashRow | None
    to_delete: TrashRow | None
    restored: str
    fault: str


@dataclass(frozen=True, slots=True)
class DeletePage:
    """Asks for confirmation of a deletion. `fault` says why it is impossible; `back` is where the visitor came from."""

    kind: str
    name: str
    affected: Sequence[str]
    address: str
    back: str
    fault: str


def describe_affected(kind: TrashKind, affected: Affected) -> list[str]:
    """Return what goes with a record, such as `1,204 submissions`, without the record itself."""
    lines: list[str] = []
    for name, one, many in _COUNTED:
        count = getattr(affected, name) - (_ITSELF.get(kind) == name)
        if count:
            lines.append(f"{count:,} {one if count == 1 else many}")
    return lines


def _row(visitor: Visitor, entry: TrashEntry, now: int) -> TrashRow:
    return TrashRow(
        entry.id,
        LABELS[entry.kind],
        entry.name,
        describe_affected(entry.kind, entry.affected),
        format_time(entry.deleted, visitor.customer.time_zone),
        entry.deleted_by.name or entry.deleted_by.kind.capitalize(),
        max(0, -(-(entry.expires - now) // _DAY_MS)),
    )


@get(PATH)
async def trash_page(page: Page) -> Response:
    """What has been deleted and can be restored, the last deleted first."""
    query = {name: page.query.get(name, "")[:300] for name in ("deleted", "remove", "restored", "fault")}
    request, now = read_list_request(page, PATH, "kind"), page.ctx.clock.now()
    kind = next((one for one in TrashKind if one == request.values["kind"]), None)
    found = await trash.page(page.tx, page.actor, request.window, kind)
    named: dict[str, TrashRow | None] = {"deleted": None, "remove": None}
    for name in named:
        with suppress(trash.NotInTrash, Denied):
            entry = await trash.get(page.tx, page.actor, entry_id=query[name]) if query[name] else None
            named[name] = _row(page.visitor, entry, now) if entry else None
    rows = [_row(page.visitor, entry, now) for entry in found.items]
    view_model = TrashPage(
        entries=request.build(rows, found.next, FilterField("kind", "Type", [*LABELS.items()], "Everything")),
        undoable=named["deleted"],
        to_delete=named["remove"],
        restored=query["restored"],
        fault=query["fault"],
    )
    return page.render("settings/trash.html", view_model, section="Settings")


@post(PATH + "/{entry_id:str}/restore")
async def restore_entry(page: Page, entry_id: str) -> Redirect:
    """Restore what was deleted."""
    try:
        async with page.writing() as tx:
            entry = await trash.restore(tx, page.actor, entry_id=entry_id)
    except Conflict as error:
        return _redirect(fault=str(error))
    return _redirect(restored=entry.name)


@post(PATH + "/{entry_id:str}/delete")
async def delete_entry(page: Page, entry_id: str) -> Redirect:
    """Delete permanently what is in the trash."""
    async with page.writing() as tx:
        await trash.delete_permanently(tx, page.actor, entry_id=entry_id)
    return _redirect()


def _redirect(**more: str) -> Redirect:
    query = urlencode(more)
    return Redirect(f"{PATH}?{query}" if query else PATH)


@get(PATH + "/new/{kind:str}/{record_id:str}")
async def confirm_deletion(page: Page, kind: str, record_id: str) -> Response:
    """Say what a deletion would affect, and ask for confirmation."""
    deleted, fault = None, ""
    # This deletes and rolls back, so that the page shows exactly what the deletion would affect.
    with suppress(Rollback):
        async with page.writing() as tx:
            try:
                deleted = await trash.delete(tx, page.actor, *_record(page, kind, record_id))
            except Conflict as error:
                fault = str(error)
            raise Rollback()
    view_model = DeletePage(
        kind=LABELS[_parse_kind(kind)].lower(),
        name=deleted.name if deleted else "",
        affected=describe_affected(deleted.kind, deleted.affected) if deleted else [],
        address=path_with_query(page),
        back=_back(TrashKind(kind), record_id, page.query.get("form", "")),
        fault=fault,
    )
    return page.render("settings/delete.html", view_model, section="Settings")


@post(PATH + "/new/{kind:str}/{record_id:str}")
async def delete_record(page: Page, kind: str, record_id: str) -> Redirect:
    """Move a record to the trash, and offer to undo that."""
    try:
        async with page.writing() as tx:
            entry = await trash.delete(tx, page.actor, *_record(page, kind, record_id))
    except Conflict as error:
        return _redirect(fault=str(error))
    return _redirect(deleted=entry.id)


def _parse_kind(kind: str) -> TrashKind:
    """Return the kind. Raises `NotInTrash` for an unknown one."""
    if kind not in set(TrashKind):
        raise trash.NotInTrash()
    return TrashKind(kind)


def _record(page: PublicPage, kind: str, record_id: str) -> tuple[TrashKind, str, str]:
    """Return the kind, the id and the parent of a record.

    The address of a row has the id of its data source, and the key in the query, because a key can contain slashes. The
    address of a draft has its form in the query.
    """
    found = _parse_kind(kind)
    if found is TrashKind.DATASOURCE_ROW:
        return found, page.query.get("key", ""), record_id
    return found, record_id, page.query.get("form", "")


def _back(kind: TrashKind, record_id: str, form_id: str) -> str:
    """Return the path of the page on which the record is managed."""
    paths = {
        TrashKind.FORM: f"/forms/{record_id}/settings",
        TrashKind.FORM_VERSION: f"/forms/{form_id}/versions",
        TrashKind.FOLDER: f"/forms?{urlencode({'folder': record_id})}",
        TrashKind.TEMPLATE: "/forms/templates",
        TrashKind.QUESTION_BLOCK: "/forms/question-library",
        TrashKind.DATASOURCE: f"/datasources/{record_id}",
        TrashKind.DATASOURCE_ROW: f"/datasources/{record_id}",
        TrashKind.USER: f"/people/{record_id}",
        TrashKind.GROUP: f"/people/groups/{record_id}",
        TrashKind.ROLE: f"/people/roles/{record_id}",
    }
    return paths[kind]
