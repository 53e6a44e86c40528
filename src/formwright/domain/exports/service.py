"""Creating, changing and listing exports, and starting their runs."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.events import AuditNote, changed_properties
from formwright.core.pagination import Page, Window
from formwright.core.work_kinds import WorkKind
from formwright.domain.customers import service as customers
from formwright.domain.exports import destinations, store
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.exports.models import (
    ID_PREFIX,
    MAX_EXPORTS,
    RUN_PREFIX,
    Export,
    ExportLimitReached,
    ExportNoDestination,
    ExportNotFound,
    ExportRun,
    ExportRunning,
    ExportRunNotFound,
    ExportState,
    NewExport,
    RunFile,
)
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound
from formwright.domain.saved_views import service as saved_views
from formwright.domain.saved_views.models import ViewNotFound
from formwright.domain.users import service as users
from formwright.domain.users.models import UserNotFound

_UNNAMED_CHANGES = ("settings", "ownerId", "due", "through", "secret")


async def create(tx: WriteTransaction, actor: Actor, new: NewExport, rules: DestinationRules) -> Export:
    """Create an export. Without a schedule, it runs once, as soon as possible.

    Raises `Invalid` with all errors, or `ExportLimitReached`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    await _check(tx, actor, new, rules)
    if await store.count(tx, scope) >= MAX_EXPORTS:
        raise ExportLimitReached()
    export = Export(
        id=tx.new_id(ID_PREFIX),
        customer_id=scope.customer_id,
        name=new.name,
        form_id=new.form_id,
        owner_id=actor.id,
        settings=new.settings,
        due=await _next_due(tx, actor, new),
        through=None,
        latest_run_id=None,
        created=now,
        updated=now,
        revision=1,
        secret=destinations.encrypt_secret(rules, new, None),
    )
    await store.insert(tx, export)
    _schedule(tx, export)
    tx.audit(AuditNote(export.customer_id, "export.created", export.id, export.name))
    if new.settings.schedule is None:
        run = await begin_run(tx, export, now)
        return replace(export, latest_run_id=run.id)
    return export


async def change(
    tx: WriteTransaction, actor: Actor, new: NewExport, rules: DestinationRules, *, export_id: str
) -> Export:
    """Replace an export. From now on, it runs with the permissions of the actor. Raises the same errors as `create`.

    With another form or view, or after switching `incremental`, the next run has all submissions again.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    export = await _get(tx, scope, export_id)
    await _check(tx, actor, new, rules, export)
    secret = destinations.encrypt_secret(rules, new, export)
    changed = replace(
        export, name=new.name, form_id=new.form_id, owner_id=actor.id, settings=new.settings, secret=secret
    )
    if changed == export:
        return export
    through = export.through if changed.coverage == export.coverage else None
    if new.settings.schedule != export.settings.schedule:
        changed = replace(changed, due=await _next_due(tx, actor, new))
    changed = replace(changed, through=through, updated=now, revision=export.revision + 1)
    await store.update(tx, changed)
    _schedule(tx, changed)
    names = (*changed_properties(export, changed), *changed_properties(export.settings, changed.settings))
    if changed.secret != export.secret:
        names = (*names, "destination")
    names = tuple(dict.fromkeys(name for name in names if name not in _UNNAMED_CHANGES))
    tx.audit(AuditNote(export.customer_id, "export.updated", export.id, changed.name, names))
    return changed


async def delete(tx: WriteTransaction, actor: Actor, *, export_id: str) -> None:
    """Delete an export and its files. A run in progress ends without a result. Raises `ExportNotFound`."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    export = await _get(tx, scope, export_id)
    await store.delete(tx, scope, export.id)
    tx.audit(AuditNote(export.customer_id, "export.deleted", export.id, export.name))


async def run(tx: WriteTransaction, actor: Actor, *, export_id: str) -> ExportRun:
    """Run an export now, apart from its schedule. If a run is waiting already, return that one.

    Raises `ExportNotFound` or `ExportRunning`.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    export = await _get(tx, scope, export_id)
    active = await store.find_active_run(tx, scope, export.id)
    if active and active.state is ExportState.RUNNING:
        raise ExportRunning()
    tx.audit(AuditNote(export.customer_id, "export.run", export.id, export.name))
    return active or await begin_run(tx, export, now)


async def begin_run(tx: WriteTransaction, export: Export, now: int) -> ExportRun:
    """Add a run, which a worker begins right after the commit. The caller holds the account lock."""
    waiting = new_run(tx, export.customer_id, export.id, export.form_id, now)
    await store.insert_run(tx, waiting, due=0)
    await store.set_latest_run(tx, export, waiting.id)
    tx.schedule(WorkKind.EXPORT, export.customer_id, 0)
    return waiting


def new_run(tx: WriteTransaction, customer_id: str, export_id: str, form_id: str | None, now: int) -> ExportRun:
    """Return a run that waits for a worker."""
    return ExportRun(
        id=tx.new_id(RUN_PREFIX),
        customer_id=customer_id,
        export_id=export_id,
        form_id=form_id,
        state=ExportState.WAITING,
        since=None,
        through=None,
        rows=0,
        files=(),
        detail="",
        started=None,
        ended=None,
        expires=None,
        created=now,
        updated=now,
        revision=1,
    )


async def get(tx: ReadTransaction, actor: Actor, *, export_id: str) -> Export:
    """Return an export. Raises `ExportNotFound`."""
    return await _get(tx, allow(actor, Permission.SUBMISSIONS_READ), export_id)


async def _get(tx: ReadTransaction, scope: Scope, export_id: str) -> Export:
    export = await store.find(tx, scope, export_id)
    if export is None:
        raise ExportNotFound()
    return export


async def begin_test(tx: WriteTransaction, actor: Actor, *, export_id: str) -> Export:
    """Record that the destination of an export is tested, and return the export.

    Raises `ExportNotFound`, or `ExportNoDestination`.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    export = await _get(tx, scope, export_id)
    if export.settings.destination is None:
        raise ExportNoDestination()
    tx.audit(AuditNote(export.customer_id, "export.tested", export.id, export.name))
    return export


async def page(tx: ReadTransaction, actor: Actor, window: Window) -> Page[Export]:
    """Return a page of the exports, newest first."""
    return await store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), window)


async def latest_runs(tx: ReadTransaction, actor: Actor, exports: Sequence[Export]) -> dict[str, ExportRun]:
    """Return the latest run of each of these exports that has one, by the id of the run."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    return await store.find_runs(tx, scope, [one.latest_run_id for one in exports if one.latest_run_id])


async def page_of_runs(tx: ReadTransaction, actor: Actor, window: Window, *, export_id: str) -> Page[ExportRun]:
    """Return a page of the runs of an export, newest first. Raises `ExportNotFound`."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    await _get(tx, scope, export_id)
    return await store.page_of_runs(tx, scope, export_id, window)


async def get_run(tx: ReadTransaction, actor: Actor, *, export_id: str, run_id: str) -> ExportRun:
    """Return a run of an export. Raises `ExportNotFound` or `ExportRunNotFound`."""
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    await _get(tx, scope, export_id)
    found = await store.find_run(tx, scope, run_id)
    if found is None or found.export_id != export_id:
        raise ExportRunNotFound()
    return found


async def find_file(tx: ReadTransaction, scope: Scope, now: int, *, run_id: str, number: int) -> RunFile | None:
    """Return a file of a run by its number, counted from 0; None if it was deleted. For signed links."""
    found = await store.find_run(tx, scope, run_id)
    is_there = found is not None and found.has_files(now) and number < len(found.files)
    return found.files[number] if found and is_there else None


def _schedule(tx: WriteTransaction, export: Export) -> None:
    if export.due is not None:
        tx.schedule(WorkKind.EXPORT, export.customer_id, export.due)


async def _next_due(tx: WriteTransaction, actor: Actor, new: NewExport) -> int | None:
    if new.settings.schedule is None:
        return None
    return new.settings.schedule.next_time(tx.now(), (await customers.get(tx, actor)).time_zone)


async def _check(
    tx: ReadTransaction, actor: Actor, new: NewExport, rules: DestinationRules, stored: Export | None = None
) -> None:
    """Raise `Invalid` with all errors."""
    errors = [fault async for fault in _find_errors(tx, actor, new)]
    if errors := [*errors, *destinations.find_errors(rules, new, stored)]:
        raise Invalid(errors)


async def _find_errors(tx: ReadTransaction, actor: Actor, new: NewExport) -> AsyncIterator[ValidationFault]:
    scope = allow(actor, Permission.SUBMISSIONS_EDIT)
    if new.form_id is None and scope.reach is not None:
        detail = "Choose a form. Only those who may edit the submissions of all forms can export all of them."
        yield ValidationFault("/formId", "export.form_required", detail)
    if new.form_id and await forms.find(tx, scope, new.form_id) is None:
        yield ValidationFault("/formId", FormNotFound.code, FormNotFound.detail)
    if new.settings.view_id:
        try:
            view = await saved_views.get(tx, actor, view_id=new.settings.view_id)
        except ViewNotFound as error:
            yield ValidationFault("/viewId", error.code, error.detail)
        else:
            if view.form_id not in (None, new.form_id):
                yield ValidationFault("/viewId", "export.view_form", "This saved view belongs to another form.")
    if schedule := new.settings.schedule:
        for name in schedule.without_effect():
            detail = f"{name} has no effect if the export runs {schedule.every}. Leave it out."
            yield ValidationFault(pointer("schedule", name), "export.schedule_unused", detail)
    for index, user_id in enumerate(new.settings.recipients):
        try:
            await users.get(tx, actor, user_id=user_id)
        except UserNotFound as error:
            yield ValidationFault(pointer("recipients", index), error.code, error.detail)
