"""Operations on tasks for users who assign them; `respond` has those for recipients."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
from msgspec import UNSET

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import Event, EventType
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.links.prefill import validate_prefill
from formwright.domain.forms.models import Version
from formwright.domain.tasks import emails, store
from formwright.domain.tasks.emails import Occasion
from formwright.domain.tasks.models import (
    ENDED_STATUSES,
    RUNNING_STATUSES,
    Fulfilment,
    NewTask,
    Task,
    TaskChange,
    TaskCount,
    TaskEnded,
    TaskExternalIdTaken,
    TaskFilter,
    TaskNotFound,
    TaskStatus,
)
from formwright.domain.tasks.transitions import check_running, end_if_complete, end_task, open_task, save
from formwright.domain.tasks.validation import (
    DUE_BEFORE_PUBLISH,
    PointerPath,
    RecipientDirectory,
    load_directory,
    resolve_recipients,
    validate_times,
)


async def create(tx: WriteTransaction, actor: Actor, *, form_id: str, new: NewTask, base_url: str = "") -> Task:
    """Create a task and return it. If a task of this form already has the `external_id`, return that one unchanged.

    Raises `Invalid`, `FormNotFound` or `TaskExternalIdTaken`.
    """
    return (await _create(tx, actor, form_id, [new], base_url, [()]))[0]


async def create_many(
    tx: WriteTransaction, actor: Actor, *, form_id: str, new: Sequence[NewTask], base_url: str = ""
) -> list[Task]:
    """Create tasks as in `create`, all of them or none; `Invalid` has the errors of all, each with its index."""
    return await _create(tx, actor, form_id, new, base_url, [(index,) for index in range(len(new))])


async def _create(
    tx: WriteTransaction,
    actor: Actor,
    form_id: str,
    inputs: Sequence[NewTask],
    base_url: str,
    paths: Sequence[PointerPath],
) -> list[Task]:
    scope, now = await account_lock.begin_change(tx, actor, Permission.TASKS_MANAGE)
    existing = await store.find_by_external_ids(tx, scope, [new.external_id for new in inputs if new.external_id])
    if await forms.find(tx, scope, form_id) and all(_exists(new, form_id, existing) for new in inputs):
        # A repeated request succeeds even if the form no longer accepts responses.
        return [existing[new.external_id or ""] for new in inputs]
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, permission=Permission.TASKS_MANAGE)
    if any(task.form_id != form.id for task in existing.values()):
        raise TaskExternalIdTaken()
    user_ids = (user_id for new in inputs for user_id in new.user_ids)
    group_ids = (group_id for new in inputs for group_id in new.group_ids)
    directory = await load_directory(tx, actor, user_ids, group_ids)
    errors, created = _find_duplicates(inputs, paths), []
    for new, path in zip(inputs, paths, strict=True):
        if new.external_id in existing:
            continue
        data, data_errors = await validate_prefill(tx, actor, version, new.data or {})
        recipients, recipient_errors = resolve_recipients(directory, new.user_ids, new.group_ids, (*path, "recipients"))
        publish_at, publish_errors = _publish_time(new, tx.now(), path)
        errors += [replace(error, pointer=pointer(*path) + error.pointer) for error in data_errors]
        errors += [*recipient_errors, *publish_errors, *validate_times(publish_at, new.due_at, tx.now(), path)]
        task = _build_task(tx, scope, form.id, new, recipients, data, publish_at, now)
        created.append(replace(task, base_url=base_url, updated_by=actor.author_id))
    if errors:
        raise Invalid(errors)
    await store.insert(tx, created)
    for task in created:
        tx.record(Event(EventType.TASK_CREATED, scope.customer_id, task))
        if task.status is TaskStatus.OPEN:
            tx.record(Event(EventType.TASK_OPENED, scope.customer_id, task))
    rest = iter(created)
    return [existing.get(new.external_id or "") or next(rest) for new in inputs]


def _exists(new: NewTask, form_id: str, existing: Mapping[str, Task]) -> bool:
    """Whether a task of this form already has the external id."""
    task = existing.get(new.external_id or "")
    return task is not None and task.form_id == form_id


def _find_duplicates(inputs: Sequence[NewTask], paths: Sequence[PointerPath]) -> list[ValidationFault]:
    seen: set[str] = set()
    errors = []
    for new, path in zip(inputs, paths, strict=True):
        if new.external_id in seen:
            detail = "Another task in this request has the same externalId."
            errors.append(ValidationFault(pointer(*path, "externalId"), "value.repeated", detail))
        elif new.external_id:
            seen.add(new.external_id)
    return errors


def _publish_time(new: NewTask, now: int, path: PointerPath) -> tuple[int | None, list[ValidationFault]]:
    """Return the time of publication; None for immediately."""
    if new.publish_after is None:
        return new.publish_at, []
    if new.publish_at is not None:
        detail = "Use either publishAt or publishAfter, not both."
        return None, [ValidationFault(pointer(*path, "publishAfter"), "task.publish_twice", detail)]
    return now + new.publish_after, []


def _build_task(
    tx: WriteTransaction,
    scope: Scope,
    form_id: str,
    new: NewTask,
    fulfilments: tuple[Fulfilment, ...],
    data: Mapping[str, object],
    publish_at: int | None,
    now: int,
) -> Task:
    is_scheduled = publish_at is not None and publish_at > tx.now()
    return Task(
        id=tx.new_id("tsk"),
        customer_id=scope.customer_id,
        form_id=form_id,
        status=TaskStatus.SCHEDULED if is_scheduled else TaskStatus.OPEN,
        message=new.message,
        data=_encode_json(data),
        fulfilments=fulfilments,
        group_ids=tuple(new.group_ids),
        publish_at=publish_at,
        due_at=new.due_at,
        complete_when=new.complete_when,
        external_id=new.external_id,
        notify=new.notify,
        remind_before=new.remind_before,
        overdue=False,
        notified=False,
        reminded=False,
        base_url="",
        reason=None,
        ended=None,
        updated_by=None,
        created=now,
        updated=now,
        revision=1,
    )


async def change(
    tx: WriteTransaction,
    actor: Actor,
    changes: TaskChange,
    *,
    secret_box: SecretBox,
    task_id: str | None = None,
    external_id: str | None = None,
) -> Task:
    """Change a task that has not ended, found by `task_id` or `external_id`, and return it.

    Recipients who stay keep their progress, and new ones are notified. If the remaining recipients have already
    responded, the task ends. If nothing differs, there is no new revision and no event. Raises `TaskNotFound`,
    `TaskEnded` or `Invalid`.
    """
    task, now = await _lock_task(tx, actor, task_id, external_id)
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    after = await _apply_changes(tx, actor, task, changes)
    if after == task:
        return task
    after = await save(tx, after, now, actor.author_id)
    tx.record(Event(EventType.TASK_UPDATED, after.customer_id, after, changed=differing(task, after)))
    if after.status is TaskStatus.SCHEDULED and (after.publish_at or 0) <= tx.now():
        after = await open_task(tx, after, now, actor.author_id)
    after = await end_if_complete(tx, after, now, actor.author_id)
    # If nobody has been notified of the task yet, the scheduler notifies all recipients.
    if task.notified and after.notify and after.status in RUNNING_STATUSES:
        previous = [f.user_id for f in task.fulfilments]
        await emails.send_emails(tx, secret_box, after, Occasion.OPENED, exclude=previous)
    return after


async def _lock_task(
    tx: WriteTransaction, actor: Actor, task_id: str | None, external_id: str | None = None
) -> tuple[Task, int]:
    """Take the account's lock; return the task and the timestamp of the change. Raises `TaskNotFound`."""
    scope, now = await account_lock.begin_change(tx, actor, Permission.TASKS_MANAGE)
    task = require(
        await (store.find(tx, scope, task_id) if task_id else store.find_by_external_id(tx, scope, external_id or "")),
        TaskNotFound,
    )
    return task, now


async def _apply_changes(tx: WriteTransaction, actor: Actor, task: Task, changes: TaskChange) -> Task:
    publish_at = task.publish_at if changes.publish_at is UNSET else changes.publish_at
    due_at = task.due_at if changes.due_at is UNSET else changes.due_at
    errors: list[ValidationFault] = []
    if publish_at != task.publish_at and task.status is not TaskStatus.SCHEDULED:
        detail = f"This task is {task.status} and has already been published."
        errors.append(ValidationFault("/publishAt", "task.published", detail))
    if due_at != task.due_at:
        errors += validate_times(publish_at, due_at, tx.now())
    elif publish_at != task.publish_at and due_at is not None and publish_at is not None and due_at <= publish_at:
        errors.append(ValidationFault("/publishAt", "task.due_before_publish", DUE_BEFORE_PUBLISH))
    fulfilments = task.fulfilments
    if changes.user_ids is not UNSET:
        directory = await load_directory(tx, actor, changes.user_ids, changes.group_ids)
        fulfilments, found = _replace_recipients(directory, task, changes.user_ids, changes.group_ids)
        errors += found
    data = task.data
    if changes.data is not UNSET:
        version = await _get_version(tx, actor, task.form_id)
        prefill, found = await validate_prefill(tx, actor, version, changes.data)
        errors, data = errors + found, _encode_json(prefill)
    if errors:
        raise Invalid(errors)
    new_due_time = due_at != task.due_at
    return replace(
        task,
        message=task.message if changes.message is UNSET else changes.message,
        data=task.data if msgspec.json.decode(data) == msgspec.json.decode(task.data) else data,
        fulfilments=fulfilments,
        group_ids=task.group_ids if changes.user_ids is UNSET else tuple(changes.group_ids),
        publish_at=publish_at,
        due_at=due_at,
        complete_when=task.complete_when if changes.complete_when is UNSET else changes.complete_when,
        notify=task.notify if changes.notify is UNSET else changes.notify,
        remind_before=task.remind_before if changes.remind_before is UNSET else changes.remind_before,
        # With a new due time, the task is no longer overdue and gets another reminder.
        overdue=task.overdue and not new_due_time,
        reminded=task.reminded and not new_due_time,
    )


def _replace_recipients(
    directory: RecipientDirectory, task: Task, user_ids: Sequence[str], group_ids: Sequence[str]
) -> tuple[tuple[Fulfilment, ...], list[ValidationFault]]:
    """Return the new recipients, with the progress of those who were recipients before, and validation errors."""
    recipients, errors = resolve_recipients(directory, user_ids, group_ids, ("recipients",))
    pairs = ((task.fulfilment_of(new.user_id), new) for new in recipients)
    return tuple(replace(old, assigned_directly=new.assigned_directly) if old else new for old, new in pairs), errors


async def _get_version(tx: ReadTransaction, actor: Actor, form_id: str) -> Version:
    return (await forms.get_for_answering(tx, actor, form_id=form_id, permission=Permission.TASKS_MANAGE))[1]


async def revoke(tx: WriteTransaction, actor: Actor, *, task_id: str, reason: str | None = None) -> Task:
    """Revoke a task that has not ended and return it; its submissions remain. Revoking it again changes nothing.

    Raises `TaskNotFound` or `TaskEnded`.
    """
    task, now = await _lock_task(tx, actor, task_id)
    if task.status is TaskStatus.REVOKED:
        return task
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    return await end_task(tx, task, TaskStatus.REVOKED, now, actor.author_id, reason)


async def complete(tx: WriteTransaction, actor: Actor, *, task_id: str, reason: str | None = None) -> Task:
    """Mark an open task as completed, even if nobody has responded, and return it. Completing it again changes nothing.

    Raises `TaskNotFound`, `TaskEnded` or `TaskNotOpen`.
    """
    task, now = await _lock_task(tx, actor, task_id)
    if task.status is TaskStatus.COMPLETED:
        return task
    check_running(task)
    return await end_task(tx, task, TaskStatus.COMPLETED, now, actor.author_id, reason)


async def get(tx: ReadTransaction, actor: Actor, *, task_id: str) -> Task:
    """Return a task of the account; raises `TaskNotFound`."""
    return require(await store.find(tx, allow(actor, Permission.TASKS_READ), task_id), TaskNotFound)


async def find_many(tx: ReadTransaction, actor: Actor, task_ids: Sequence[str]) -> list[Task]:
    """Return the tasks with these ids, without those that the actor may not read."""
    return await store.find_many(tx, allow(actor, Permission.TASKS_READ), task_ids)


async def page(tx: ReadTransaction, actor: Actor, window: Window, filters: TaskFilter | None = None) -> Page[Task]:
    """Return a page of the account's tasks that match the filters, in their order."""
    scope = allow(actor, Permission.TASKS_READ)
    return await store.page(tx, scope, filters or TaskFilter(), window)


async def count_tasks(tx: ReadTransaction, actor: Actor, *, by_user: bool = False) -> list[TaskCount]:
    """Count tasks for each form, or for each recipient with `by_user`; without those that have none."""
    scope = allow(actor, Permission.TASKS_READ)
    return await (store.count_by_user if by_user else store.count_by_form)(tx, scope)


async def count_overdue(tx: ReadTransaction, actor: Actor, *, limit: int) -> int:
    """Return how many running tasks are overdue, but no more than `limit`."""
    return await store.count_overdue(tx, allow(actor, Permission.TASKS_READ), limit)


def _encode_json(data: Mapping[str, object]) -> str:
    return msgspec.json.encode(data).decode()
