"""The bar above the submissions of a list or a map: the saved views to choose from, and what to do with them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import split_pointer
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.saved_views import problems
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.list_query import ListQuery
from formwright.domain.saved_views.models import ANSWER_PREFIX, SavedView, ViewTab, ViewVisibility
from formwright.web.session import Visitor

VIEWS_PATH = "/submissions/views"
_NOTICES = {"saved": "View saved.", "deleted": "View deleted. No submissions were deleted."}
_OWN_FIELDS = {"userId": "Person", "folderId": "Folder", "q": "Search"}


@dataclass(frozen=True, slots=True)
class ViewLink:
    """A saved view to choose."""

    name: str
    url: str
    is_current: bool
    is_private: bool


@dataclass(frozen=True, slots=True)
class ViewBar:
    """The view model of the bar. `current` is the name of the chosen view, empty without one.

    URLs are empty for what the visitor may not do, or has no reason to: `save_url` changes the filter of the view to
    that of the page, `reset_url` shows the view as it was saved, and `share_url` a
    private view's filter, which others can open, too. `problems` say what of the view no longer exists.
    """

    current: str
    links: Sequence[ViewLink]
    all_url: str
    is_modified: bool
    is_filtered: bool
    save_url: str
    reset_url: str
    share_url: str
    new_url: str
    edit_url: str
    problems: Sequence[str]
    notice: str


def view_url(view: SavedView, **more: str) -> str:
    """Return the URL of a view in its tab, with further query parameters."""
    return tab_url(view.form_id or "", view.settings.tab, [("view", view.id), *more.items()])


def tab_url(form_id: str, tab: ViewTab, params: Sequence[tuple[str, str]]) -> str:
    """Return the URL of a tab of a form with query parameters; of the list of all submissions without a form."""
    if form_id and tab in (ViewTab.MAP, ViewTab.SUMMARY):
        return f"/forms/{form_id}/{tab.lower()}?{urlencode(params)}".rstrip("?")
    return f"/submissions?{urlencode([*([('form', form_id)] if form_id else []), *params])}".rstrip("?")


async def load_view_bar(
    tx: ReadTransaction, visitor: Visitor, query: ListQuery, *, tab: ViewTab, notice: str = ""
) -> ViewBar:
    """Load the bar for the tab that shows a resolved query. `notice` is what was done to a view just before."""
    page = await saved_views.page(tx, visitor.actor, Window(MAX_LIMIT), form_id=query.form or None)
    views = [view for view in page.items if (view.form_id or "") == query.form]
    views.sort(key=lambda view: (view.visibility is ViewVisibility.ACCOUNT, view.name.casefold()))
    saved, is_modified = query.saved, query.is_modified
    may_change = saved is not None and await saved_views.may_change(tx, visitor.actor, saved)
    params = [(name, value) for name, value in query.exact_params() if name not in ("view", "exact")]
    filters = [(name, value) for name, value in params if name != "form"]
    own_params = urlencode([(name, value) for name, value in query.exact_params() if name != "form"])
    return ViewBar(
        current=saved.name if saved else "",
        links=[
            ViewLink(
                view.name,
                view_url(view),
                is_current=saved is not None and view.id == saved.id,
                is_private=view.visibility is ViewVisibility.PRIVATE,
            )
            for view in views
        ],
        all_url=tab_url(query.form, tab, []),
        is_modified=is_modified,
        is_filtered=replace(query, form="").is_filtered,
        save_url=f"{VIEWS_PATH}/{saved.id}/filter?{own_params}&tab={tab}"
        if saved and may_change and is_modified
        else "",
        reset_url=tab_url(query.form, tab, [("view", saved.id)]) if saved and is_modified else "",
        share_url=tab_url(query.form, tab, filters) if saved and saved.owner_id and not is_modified else "",
        new_url=f"{VIEWS_PATH}/new?{urlencode([*params, ('tab', tab.value)])}",
        edit_url=f"{VIEWS_PATH}/{saved.id}/edit" if saved and may_change else "",
        problems=await list_problems(tx, visitor, saved) if saved else [],
        notice=_NOTICES.get(notice, ""),
    )


async def list_problems(tx: ReadTransaction, visitor: Visitor, view: SavedView) -> list[str]:
    """Return what is no longer right with a view, each with the name of the field."""
    return [
        f"{_name_part(view, fault.pointer)}: {fault.detail}"
        for fault in await problems.find_problems(tx, visitor.actor, view)
    ]


def _name_part(view: SavedView, pointer: str) -> str:
    match split_pointer(pointer):
        case ["filter", "answers", key]:
            return f"Filter “{key}”"
        case ["columns", index]:
            return f"Column “{view.settings.columns[int(index)].removeprefix(ANSWER_PREFIX)}”"
        case ["filter", name]:
            return _OWN_FIELDS.get(name, name)
    return view.name
