"""Which submissions and columns a run writes for each form."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Denied
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.customers import service as customers
from formwright.domain.exports.models import Export, ExportRun
from formwright.domain.exports.owners import ExportRejected, load_owner
from formwright.domain.exports.table import OfficeLayout, Table, build_table
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.models import Form
from formwright.domain.saved_views import filters
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.list_query import (
    ListQuery,
    Reader,
    build_filter,
    load_form_context,
    resolve_view,
)
from formwright.domain.saved_views.models import SavedView, ViewNotFound
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus


@dataclass(frozen=True, slots=True)
class FormPlan:
    """The part of a run that concerns a form."""

    form: Form
    table: Table
    criteria: SubmissionFilter


async def plan_run(tx: ReadTransaction, export: Export, run: ExportRun, now: int) -> tuple[Actor, Sequence[FormPlan]]:
    """Return the owner of the export, and a plan for each form, in order of creation.

    Raises `ExportRejected` if the owner may no longer read what the export contains.
    """
    owner = await load_owner(tx, export.customer_id, export.owner_id, now)
    try:
        found = await _list_forms(tx, owner, export)
        view, covered = await _load_view(tx, owner, export), _covered(export, run)
        return owner, [await _plan_form(tx, owner, form, view, covered, now) for form in found]
    except Denied as error:
        raise ExportRejected(f"{_name(owner)} may no longer read these submissions.") from error


async def plan_download(
    tx: ReadTransaction,
    reader: Reader,
    query: ListQuery,
    *,
    for_import: bool = False,
    layout: OfficeLayout | None = None,
) -> FormPlan | None:
    """Return what a download of a list of submissions has; None if the list has no form, or an invalid filter.

    A file for an import has no layout.
    """
    query = await resolve_view(tx, reader, query)
    context = await load_form_context(tx, reader, query.form)
    criteria, faults = await build_filter(tx, reader, query)
    if faults or context.form is None:
        return None
    table = await build_table(tx, reader.actor, context.form, context.fields, context.display, query.columns)
    if layout and not for_import:
        table = replace(table, layout=layout)
    if for_import:
        # An import would submit what is only started.
        statuses = [one for one in SubmissionStatus if one is not SubmissionStatus.STARTED]
        chosen = [one for one in criteria.statuses or statuses if one in statuses]
        table = replace(table, for_import=True)
        criteria = replace(criteria, statuses=chosen, matches_nothing=criteria.matches_nothing or not chosen)
    return FormPlan(context.form, table, criteria)


def _covered(export: Export, run: ExportRun) -> SubmissionFilter:
    """Return the filter for the changes that a run covers."""
    if not export.settings.incremental or run.through is None:
        # With an upper limit, a submission that changes while the run reads would be in no file.
        return SubmissionFilter()
    # The first run has the upper limit, too: what changes while it reads is in the next one.
    return SubmissionFilter(updated_from=None if run.since is None else run.since + 1, updated_to=run.through + 1)


def _name(owner: Actor) -> str:
    return owner.name or "The owner of this export"


async def _list_forms(tx: ReadTransaction, owner: Actor, export: Export) -> list[Form]:
    scope = allow(owner, Permission.SUBMISSIONS_READ)
    if export.form_id:
        form = await forms.find(tx, scope, export.form_id)
        if form is None:
            raise ExportRejected(f"The form no longer exists, or {_name(owner)} may no longer read its submissions.")
        return [form]
    if scope.reach is not None:
        raise ExportRejected(f"{_name(owner)} may no longer read the submissions of all forms.")
    found: list[Form] = []
    window: Window | None = Window(MAX_LIMIT)
    while window:
        page = await forms.page(tx, owner, window)
        found += page.items
        window = Window(MAX_LIMIT, page.next) if page.next else None
    return found


async def _load_view(tx: ReadTransaction, owner: Actor, export: Export) -> SavedView | None:
    if export.settings.view_id is None:
        return None
    try:
        return await saved_views.get(tx, owner, view_id=export.settings.view_id)
    except ViewNotFound as error:
        detail = "The saved view of this export was deleted, or it is no longer shared. Choose another one."
        raise ExportRejected(detail) from error


async def _plan_form(
    tx: ReadTransaction, owner: Actor, form: Form, view: SavedView | None, covered: SubmissionFilter, now: int
) -> FormPlan:
    fields, language = [], "en"
    if form.published_version_id:
        version = await versions.get(tx, owner, form_id=form.id, version_id=form.published_version_id)
        fields, language = list(version.definition.fields), version.definition.settings.language
    display = DisplayContext(language, (await customers.get(tx, owner)).time_zone)
    columns = view.settings.columns if view else ()
    table = await build_table(tx, owner, form, fields, display, columns)
    return FormPlan(form, table, await _build_filter(tx, owner, form, view, covered, now))


async def _build_filter(
    tx: ReadTransaction, owner: Actor, form: Form, view: SavedView | None, covered: SubmissionFilter, now: int
) -> SubmissionFilter:
    criteria = replace(covered, form_ids=[form.id])
    if view is None:
        return criteria
    criteria = await filters.merge(tx, owner, view, criteria, now=now, has_order=False)
    own = view.settings.filter
    if own.folder_id:
        criteria = criteria.restrict_to_forms(await forms.list_ids_below(tx, owner, folder_id=own.folder_id))
    criteria, _ = await filters.add_answers(tx, owner, criteria, {}, own.answers)
    return criteria
