"""The verbs of tasks for those who give them: make, change, revoke, complete, see."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
from msgspec import UNSET

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.events import changed_properties as differing
from formwright.core.pagination import Page, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Version
from formwright.domain.forms.prefill import validate_prefill
from formwright.domain.tasks import emails, events, store
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
    PointerPath,
    RecipientDirectory,
    load_directory,
    resolve_recipients,
    validate_times,
)


async def create(tx: WriteTransaction, actor: Actor, *, form_id: str, new: NewTask, base_url: str = "") -> Task:
    """A task for people of the account. One with this external id that there is already is answered as it is."""
    return (await _create(tx, actor, form_id, [new], base_url, [()]))[0]


async def create_many(
    tx: WriteTransaction, actor: Actor, *, form_id: str, new: Sequence[NewTask], base_url: str = ""
) -> list[Task]:
    """All of these tasks or, with every fault of each, none of them."""
    return await _create(tx, actor, form_id, new, base_url, [(index,) for index in range(len(new))])


async def _create(
    tx: WriteTransaction, actor: Actor, form_id: str, new: Sequence[NewTask], base_url: str, at: Sequence[PointerPath]
) -> list[Task]:
    scope = allow(actor, Permission.TASKS_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    there = await store.find_by_external_ids(tx, scope, [one.external_id for one in new if one.external_id])
    if await forms.find(tx, scope, form_id) and all(_exists(one, form_id, there) for one in new):
        # Whatever became of the form since.
        return [there[one.external_id or ""] for one in new]
    form, version = await forms.get_for_answering(tx, actor, form_id=form_id, permission=Permission.TASKS_MANAGE)
    if any(task.form_id != form.id for task in there.values()):
        raise TaskExternalIdTaken()
    known = await load_directory(
        tx, actor, (user for one in new for user in one.user_ids), (group for one in new for group in one.group_ids)
    )
    found, made = _find_duplicates(new, at), []
    for one, where in zip(new, at, strict=True):
        if one.external_id in there:
            continue
        data, faults = await validate_prefill(tx, actor, version, one.data or {})
        everybody, others = resolve_recipients(known, one.user_ids, one.group_ids, (*where, "recipients"))
        publish_at, wrong = _publish_time(one, tx.now(), where)
        found += [replace(fault, pointer=pointer(*where) + fault.pointer) for fault in faults]
        found += [*others, *wrong, *validate_times(publish_at, one.due_at, tx.now(), where)]
        task = _build_task(tx, scope, form.id, one, everybody, data, publish_at, now)
        made.append(replace(task, base_url=base_url, updated_by=actor.author_id))
    if found:
        raise Invalid(found)
    await store.insert(tx, made)
    for task in made:
        tx.record(events.TaskCreated(scope.customer_id, task))
        if task.status is TaskStatus.OPEN:
            tx.record(events.TaskOpened(scope.customer_id, task))
    rest = iter(made)
    return [there.get(one.external_id or "") or next(rest) for one in new]


def _exists(new: NewTask, form_id: str, existing: Mapping[str, Task]) -> bool:
    """Whether it is a task of this form already."""
    known = existing.get(new.external_id or "")
    return known is not None and known.form_id == form_id


def _find_duplicates(new: Sequence[NewTask], at: Sequence[PointerPath]) -> list[ValidationFault]:
    seen: set[str] = set()
    found = []
    for one, where in zip(new, at, strict=True):
        if one.external_id in seen:
            words = "Another of these tasks has this externalId."
            found.append(ValidationFault(pointer(*where, "externalId"), "value.repeated", words))
        elif one.external_id:
            seen.add(one.external_id)
    return found


def _publish_time(new: NewTask, now: int, at: PointerPath) -> tuple[int | None, list[ValidationFault]]:
    """When it is published. So long from now is settled here, once and for all, in UTC."""
    if new.publish_after is None:
        return new.publish_at, []
    if new.publish_at is not None:
        words = "Name either a time or how long from now, not both."
        return None, [ValidationFault(pointer(*at, "publishAfter"), "task.publish_twice", words)]
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
    waits = publish_at is not None and publish_at > tx.now()
    return Task(
        id=tx.new_id("tsk"),
        customer_id=scope.customer_id,
        form_id=form_id,
        status=TaskStatus.SCHEDULED if waits else TaskStatus.OPEN,
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
    """Change a task that has not ended, found by its id or by the id that the caller gave it.

    Recipients who stay keep what they have done, those who come are told of it. When those who are left have done
    enough, it ends. Nothing new is no change.
    """
    task, now = await _lock_task(tx, actor, task_id, external_id)
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    wanted = await _apply_changes(tx, actor, task, changes)
    if wanted == task:
        return task
    kept = await save(tx, wanted, now, actor.author_id)
    tx.record(events.TaskUpdated(kept.customer_id, kept, changed=differing(task, kept)))
    if kept.status is TaskStatus.SCHEDULED and (kept.publish_at or 0) <= tx.now():
        kept = await open_task(tx, kept, now, actor.author_id)
    kept = await end_if_complete(tx, kept, now, actor.author_id)
    # Of a task that is still to be told of, the clock tells all of them.
    if task.notified and kept.notify and kept.status in RUNNING_STATUSES:
        await emails.send_emails(
            tx, secret_box, kept, Occasion.OPENED, exclude=[one.user_id for one in task.fulfilments]
        )
    return kept


async def _lock_task(
    tx: WriteTransaction, actor: Actor, task_id: str | None, external_id: str | None = None
) -> tuple[Task, int]:
    scope = allow(actor, Permission.TASKS_MANAGE)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    task = await (
        store.find(tx, scope, task_id) if task_id else store.find_by_external_id(tx, scope, external_id or "")
    )
    if task is None:
        raise TaskNotFound()
    return task, now


async def _apply_changes(tx: WriteTransaction, actor: Actor, task: Task, changes: TaskChange) -> Task:
    publish_at = task.publish_at if changes.publish_at is UNSET else changes.publish_at
    due_at = task.due_at if changes.due_at is UNSET else changes.due_at
    found: list[ValidationFault] = []
    if publish_at != task.publish_at and task.status is not TaskStatus.SCHEDULED:
        found.append(
            ValidationFault("/publishAt", "task.published", f"This task is {task.status}: it has been published.")
        )
    if due_at != task.due_at:
        found += validate_times(publish_at, due_at, tx.now())
    elif publish_at != task.publish_at and due_at is not None and publish_at is not None and due_at <= publish_at:
        found.append(
            ValidationFault("/publishAt", "task.due_before_publish", "It would be due before it is published.")
        )
    everybody = task.fulfilments
    if changes.user_ids is not UNSET:
        known = await load_directory(tx, actor, changes.user_ids, changes.group_ids)
        everybody, wrong = _replace_recipients(known, task, changes.user_ids, changes.group_ids)
        found += wrong
    data = task.data
    if changes.data is not UNSET:
        version = await _get_version(tx, actor, task.form_id)
        whole, wrong = await validate_prefill(tx, actor, version, changes.data)
        found, data = found + wrong, _encode_json(whole)
    if found:
        raise Invalid(found)
    later = due_at != task.due_at
    return replace(
        task,
        message=task.message if changes.message is UNSET else changes.message,
        data=task.data if msgspec.json.decode(data) == msgspec.json.decode(task.data) else data,
        fulfilments=everybody,
        group_ids=task.group_ids if changes.user_ids is UNSET else tuple(changes.group_ids),
        publish_at=publish_at,
        due_at=due_at,
        complete_when=task.complete_when if changes.complete_when is UNSET else changes.complete_when,
        notify=task.notify if changes.notify is UNSET else changes.notify,
        remind_before=task.remind_before if changes.remind_before is UNSET else changes.remind_before,
        # Another due time: it is not overdue any more, and is reminded of again.
        overdue=task.overdue and not later,
        reminded=task.reminded and not later,
    )


def _replace_recipients(
    known: RecipientDirectory, task: Task, user_ids: Sequence[str], group_ids: Sequence[str]
) -> tuple[tuple[Fulfilment, ...], list[ValidationFault]]:
    fresh, found = resolve_recipients(known, user_ids, group_ids, ("recipients",))
    kept = ((task.fulfilment_of(one.user_id), one) for one in fresh)
    return tuple(replace(was, assigned_directly=one.assigned_directly) if was else one for was, one in kept), found


async def _get_version(tx: ReadTransaction, actor: Actor, form_id: str) -> Version:
    return (await forms.get_for_answering(tx, actor, form_id=form_id, permission=Permission.TASKS_MANAGE))[1]


async def revoke(tx: WriteTransaction, actor: Actor, *, task_id: str, reason: str | None = None) -> Task:
    """Take a task back that has not ended. What was sent for it stays. Said again it changes nothing."""
    task, now = await _lock_task(tx, actor, task_id)
    if task.status is TaskStatus.REVOKED:
        return task
    if task.status in ENDED_STATUSES:
        raise TaskEnded(task.status)
    return await end_task(tx, task, TaskStatus.REVOKED, now, actor.author_id, reason)


async def complete(tx: WriteTransaction, actor: Actor, *, task_id: str, reason: str | None = None) -> Task:
    """Say that an open task is done, whoever has answered. Of one that is, it changes nothing."""
    task, now = await _lock_task(tx, actor, task_id)
    if task.status is TaskStatus.COMPLETED:
        return task
    check_running(task)
    return await end_task(tx, task, TaskStatus.COMPLETED, now, actor.author_id, reason)


async def get(tx: ReadTransaction, actor: Actor, *, task_id: str) -> Task:
    """One task of the account."""
    task = await store.find(tx, allow(actor, Permission.TASKS_READ), task_id)
    if task is None:
        raise TaskNotFound()
    return task


async def page(
    tx: ReadTransaction, actor: Actor, window: Window, filters: TaskFilter | None = None, *, newest_first: bool = False
) -> Page[Task]:
    """The account's tasks that fit, in the order in which they were made."""
    scope = allow(actor, Permission.TASKS_READ)
    return await store.page(tx, scope, filters or TaskFilter(), window, newest_first=newest_first)


async def count_tasks(tx: ReadTransaction, actor: Actor, *, by_user: bool = False) -> list[TaskCount]:
    """How many tasks each form has, or each person has to do and has done; who has none is not named."""
    scope = allow(actor, Permission.TASKS_READ)
    return await (store.count_by_user if by_user else store.count_by_form)(tx, scope)


def _encode_json(data: Mapping[str, object]) -> str:
    return msgspec.json.encode(data).decode()
