"""Saving, changing and deleting the saved views of the list of submissions and of the map."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from msgspec import structs

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Denied, DomainError, Invalid
from formwright.domain.folders.models import FolderNotFound
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.list_query import FormContext, ListQuery, load_form_context, resolve_view
from formwright.domain.saved_views.models import (
    NewView,
    SavedView,
    ViewLimitReached,
    ViewSettings,
    ViewTab,
    ViewVisibility,
)
from formwright.domain.submissions import list_columns as saved_columns
from formwright.domain.submissions.models import SortOrder
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.views.designer.new import MAX_NAME, NAME_ERROR
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text
from formwright.web.views.submissions.answer_conditions import condition_rows
from formwright.web.views.submissions.list_columns import available_columns, list_names, select_columns
from formwright.web.views.submissions.list_query import list_people, list_periods, read_list_query
from formwright.web.views.submissions.view_bar import VIEWS_PATH, list_problems, tab_url, view_url

_VIEW_PATH = VIEWS_PATH + "/{view_id:str}"
_VISIBILITIES = {
    ViewVisibility.PRIVATE: "Only me",
    ViewVisibility.ACCOUNT: "Everyone who can see these submissions",
}
_TABS = {ViewTab.SUMMARY: "Summary", ViewTab.LIST: "Submissions", ViewTab.MAP: "Map"}
_ORDERS = {
    SortOrder.SUBMITTED: "Oldest first",
    SortOrder.UPDATED: "Longest without a change first",
    SortOrder.UPDATED_DESC: "Last changed first",
}


@dataclass(frozen=True, slots=True)
class SavedViewPage:
    """The view model of the page that saves or changes a view. `delete_url` is empty for a new one.

    `columns` are those to choose from, with their labels; `filters` describe the filter and the order.
    """

    title: str
    action: str
    back_url: str
    back_label: str
    typed: Mapping[str, str]
    faults: Mapping[str, str]
    may_share: bool
    visibilities: Sequence[tuple[str, str]]
    tabs: Sequence[tuple[str, str]]
    columns: Sequence[tuple[str, str]]
    chosen: Sequence[str]
    filters: Sequence[str]
    problems: Sequence[str]
    is_of_form: bool
    is_shared: bool
    saved_name: str
    delete_url: str
    ask_url: str
    ask_delete: bool


@dataclass(frozen=True, slots=True)
class _Typed:
    """What was entered on the page."""

    name: str = ""
    visibility: ViewVisibility = ViewVisibility.PRIVATE
    tab: ViewTab = ViewTab.LIST
    columns: tuple[str, ...] = ()


@get(VIEWS_PATH + "/new")
async def new_view_page(page: Page) -> Response:
    """Save the filter of a list or a map, which the query contains, as a view."""
    query = _read_new(page)
    allow(page.actor, Permission.SUBMISSIONS_READ)
    context = await _load_context(page.tx, page.visitor, query.form)
    columns = list_names(query.columns) or await saved_columns.find_columns(page.tx, page.actor, form_id=query.form)
    # Over all forms, a view without columns shows the default, which contains a column that no view can store.
    is_default = context.form is None and not columns
    selected = [] if is_default else select_columns(available_columns(context), columns)
    chosen = [column.name_in_views for column in selected]
    tab = _read_tab(page.query.get("tab", ""), ViewTab.LIST)
    view_model = await _build_page(page.tx, page.visitor, query, context, _Typed(tab=tab, columns=tuple(chosen)))
    return _render(page, view_model)


@post(VIEWS_PATH + "/new")
async def create_view(page: Page) -> Response:
    """Save a view."""
    query, typed = _read_new(page), await _read_typed(page)
    try:
        _check_name(typed)
        settings = structs.replace(query.settings(), columns=typed.columns, tab=typed.tab)
        async with page.writing() as tx:
            new = NewView(typed.name, typed.visibility, query.form or None, settings)
            view = await saved_views.create(tx, page.actor, new)
    except (Invalid, Conflict) as error:
        context = await _load_context(page.tx, page.visitor, query.form)
        view_model = await _build_page(page.tx, page.visitor, query, context, typed, _read_faults(error))
        return _render(page, view_model, 409 if isinstance(error, Conflict) else 422)
    return Redirect(view_url(view, view_done="saved"))


@get(_VIEW_PATH + "/edit")
async def edit_view_page(page: Page, view_id: str) -> Response:
    """The name, columns and visibility of a view, and deleting it."""
    return await _render_saved(page, view_id)


@post(_VIEW_PATH + "/edit")
async def change_view(page: Page, view_id: str) -> Response:
    """Save the name, the columns, the visibility and the tab of a view."""
    typed = await _read_typed(page)
    try:
        _check_name(typed)
        async with page.changing() as tx:
            view = await saved_views.get(tx, page.actor, view_id=view_id)
            columns = _keep_order(view.settings.columns, typed.columns)
            settings = structs.replace(view.settings, columns=columns, tab=typed.tab)
            new = NewView(typed.name, typed.visibility, view.form_id, settings)
            view = await saved_views.change(tx, page.actor, new, view_id=view_id)
    except (Invalid, Conflict) as error:
        return await _render_saved(page, view_id, typed, _read_faults(error))
    return Redirect(view_url(view, view_done="saved"))


@post(_VIEW_PATH + "/filter")
async def change_view_filter(page: Page, view_id: str) -> Response:
    """Save the filter, the order and the columns of a list or a map, which the query contains, in a view."""
    query = replace(read_list_query(page), view=view_id, exact=True)
    try:
        async with page.changing() as tx:
            view = await saved_views.get(tx, page.actor, view_id=view_id)
            settings = structs.replace(query.settings(), tab=view.settings.tab)
            new = NewView(view.name, view.visibility, view.form_id, settings)
            view = await saved_views.change(tx, page.actor, new, view_id=view_id)
    except Invalid as error:
        return await _render_saved(page, view_id, faults=_read_faults(error))
    tab = _read_tab(page.query.get("tab", ""), view.settings.tab)
    url = tab_url(view.form_id or "", tab, [("view", view.id), ("view_done", "saved")])
    return Redirect(url)


@post(_VIEW_PATH + "/delete")
async def delete_view(page: Page, view_id: str) -> Redirect:
    """Delete a view."""
    async with page.writing() as tx:
        view = await saved_views.delete(tx, page.actor, view_id=view_id)
    return Redirect(ListQuery(form=view.form_id or "").url(view_done="deleted"))


def _read_new(page: PublicPage) -> ListQuery:
    return replace(read_list_query(page), view="", exact=False)


async def _read_typed(page: PublicPage) -> _Typed:
    sent = await page.form()
    is_shared = sent.get("visibility") == ViewVisibility.ACCOUNT
    return _Typed(
        name=read_text(sent, "name", MAX_NAME + 1),
        visibility=ViewVisibility.ACCOUNT if is_shared else ViewVisibility.PRIVATE,
        tab=_read_tab(str(sent.get("tab", "")), ViewTab.LIST),
        columns=tuple(str(value) for name, value in sent.multi_items() if name == "column"),
    )


def _read_tab(text: str, default: ViewTab) -> ViewTab:
    return ViewTab(text) if text in set(ViewTab) else default


def _check_name(typed: _Typed) -> None:
    if not 1 <= len(typed.name) <= MAX_NAME:
        raise Invalid.at("/name", "value.required", NAME_ERROR)


def _read_faults(error: DomainError) -> dict[str, str]:
    """Return the errors by field. Those of the filter concern none that the page has."""
    if isinstance(error, Conflict):
        return {"" if isinstance(error, ViewLimitReached) else "name": str(error)}
    faults = faults_by_field(error)
    others = [detail for name, detail in faults.items() if name not in ("name", "visibility", "columns", "tab")]
    return faults | ({"": others[0]} if others else {})


def _keep_order(before: Sequence[str], chosen: Sequence[str]) -> tuple[str, ...]:
    """Return the chosen columns: those that the view had in its order, then the others."""
    kept = [name for name in before if name in chosen]
    return (*kept, *(name for name in chosen if name not in kept))


async def _render_saved(
    page: Page, view_id: str, typed: _Typed | None = None, faults: Mapping[str, str] | None = None
) -> Response:
    view = await saved_views.get(page.tx, page.actor, view_id=view_id)
    if not await saved_views.may_change(page.tx, page.actor, view):
        raise Denied("You can’t change this view. Open it, and save it as a new one.")
    query = await resolve_view(page.tx, page.visitor, ListQuery(view=view.id, form=view.form_id or ""))
    context = await _load_context(page.tx, page.visitor, query.form)
    typed = typed or _Typed(view.name, view.visibility, view.settings.tab, view.settings.columns)
    ask_delete = page.query.get("ask") == "delete"
    view_model = await _build_page(page.tx, page.visitor, query, context, typed, faults, view, ask_delete=ask_delete)
    return _render(page, view_model, 422 if faults else 200)


async def _load_context(tx: ReadTransaction, visitor: Visitor, form_id: str) -> FormContext:
    """Load the form of a view, if it has one. Raises `FormNotFound`."""
    context = await load_form_context(tx, visitor, form_id)
    if form_id and context.form is None:
        raise FormNotFound()
    return context


async def _build_page(
    tx: ReadTransaction,
    visitor: Visitor,
    query: ListQuery,
    context: FormContext,
    typed: _Typed,
    faults: Mapping[str, str] | None = None,
    view: SavedView | None = None,
    *,
    ask_delete: bool = False,
) -> SavedViewPage:
    """Return the page of a view, or of a new one."""
    here = f"{VIEWS_PATH}/{view.id}" if view else ""
    return SavedViewPage(
        title="Edit view" if view else "Save view",
        action=f"{here}/edit" if view else query.url(VIEWS_PATH + "/new"),
        back_url=view_url(view) if view else query.url(),
        back_label=context.form.name if context.form else "Submissions",
        typed={"name": typed.name, "visibility": typed.visibility.value, "tab": typed.tab.value},
        faults=fault_texts(faults),
        may_share=await saved_views.may_share(tx, visitor.actor, query.form or None, query.folder or None),
        visibilities=[(visibility.value, label) for visibility, label in _VISIBILITIES.items()],
        tabs=[(tab.value, label) for tab, label in _TABS.items()] if context.form else [],
        columns=_list_columns(context, view.settings if view else ViewSettings()),
        chosen=typed.columns,
        filters=await _describe_filter(tx, visitor, query, context),
        problems=await list_problems(tx, visitor, view) if view else [],
        is_of_form=context.form is not None,
        is_shared=view is not None and view.visibility is ViewVisibility.ACCOUNT,
        saved_name=view.name if view else "",
        delete_url=f"{here}/delete" if view else "",
        ask_url=f"{here}/edit?ask=delete",
        ask_delete=ask_delete,
    )


def _list_columns(context: FormContext, settings: ViewSettings) -> list[tuple[str, str]]:
    """Return the columns to choose from: those of the list, and those of the view that no longer exist."""
    columns = {column.name_in_views: column.label for column in available_columns(context)}
    removed = {name: f"{list_names([name])[0]} (removed)" for name in settings.columns if name not in columns}
    return [*(columns | removed).items()]


async def _describe_filter(
    tx: ReadTransaction, visitor: Visitor, query: ListQuery, context: FormContext
) -> Sequence[str]:
    """Return the conditions of the filter and the order in words."""
    folders = dict(folder_options(await list_all_folders(tx, visitor.actor))) if query.folder else {}
    people = dict(await list_people(tx, visitor)) if query.person else {}
    single = {
        "Folder": folders.get(query.folder, FolderNotFound.detail) if query.folder else "",
        "Status": ", ".join(status.capitalize() for status in query.status),
        "Person": people.get(query.person, query.person),
        "Period": dict(list_periods(query))[str(query.days)] if query.days else "",
        "From": query.since,
        "To": query.until,
    }
    texts = [f"{label}: {text}" for label, text in single.items() if text]
    texts += [row.text for row in condition_rows(query, context.fields, [], context.display)]
    return texts + ([_ORDERS[query.order]] if query.order in _ORDERS else [])


def _render(page: Page, view_model: SavedViewPage, status: int = 200) -> Response:
    section = "Forms" if view_model.is_of_form else "Submissions"
    return page.render("submissions/view.html", view_model, section=section, status=status)
