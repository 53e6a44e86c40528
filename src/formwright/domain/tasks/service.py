"""The verbs of tasks."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import msgspec
from msgspec import UNSET

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel.errors import Fault, Invalid, pointer
from formwright.core.kernel.note import changed as differing
from formwright.core.kernel.paging import Page, Window
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.forms import answers
from formwright.domain.forms import service as forms
from formwright.domain.forms.lookups import looked_up, unknown
from formwright.domain.forms.model import Version
from formwright.domain.forms.prefilling import prefilled
from formwright.domain.people import service as people
from formwright.domain.people.model import UserNotFound, UserStatus
from formwright.domain.tasks import events, store
from formwright.domain.tasks.model import (
    ENDED,
    NewTask,
    Task,
    TaskChange,
    TaskEnded,
    TaskExternalIdTaken,
    TaskNotFound,
    TaskStatus,
)


async def create(tx: Writing, actor: Actor, *, form_id: str, new: NewTask) -> Task:
    """A task for people of the account, open at once. The rows named in its data fill the fields they are mapped to."""
    scope = allow(actor, Permission.TASKS_MANAGE)
    form, version = await forms.to_answer(tx, actor, form_id=form_id, purpose=Permission.TASKS_MANAGE)
    data = await _checked(tx, actor, version, new.user_ids, new.data)
    now = await order.stamp(tx, scope.customer_id)
    if new.external_id and await store.external_id_taken(tx, scope, new.external_id):
        raise TaskExternalIdTaken()
    task = Task(
        id=tx.new_id("tsk"),
        customer_id=scope.customer_id,
        form_id=form.id,
        status=TaskStatus.OPEN,
        message=new.message,
        data=_json(data),
        user_ids=tuple(new.user_ids),
        due_at=new.due_at,
        complete_when=new.complete_when,
        external_id=new.external_id,
        created=now,
        updated=now,
        revision=1,
    )
    await store.insert(tx, task)
    tx.record(events.TaskCreated(scope.customer_id, task))
    tx.record(events.TaskOpened(scope.customer_id, task))
    return task


async def change(
    tx: Writing, actor: Actor, what: TaskChange, *, task_id: str | None = None, external_id: str | None = None
) -> Task:
    """Change a task that has not ended, found by its id or by the id that the caller gave it."""
    scope = allow(actor, Permission.TASKS_MANAGE)
    now = await order.stamp(tx, scope.customer_id)
    task = await (store.find(tx, scope, task_id) if task_id else store.find_external(tx, scope, external_id or ""))
    if task is None:
        raise TaskNotFound()
    if task.status in ENDED:
        raise TaskEnded()
    _, version = await forms.to_answer(tx, actor, form_id=task.form_id, purpose=Permission.TASKS_MANAGE)
    data = await _checked(tx, actor, version, what.user_ids or (), what.data or {})
    changed = replace(
        task,
        message=task.message if what.message is UNSET else what.message,
        data=task.data if what.data is UNSET else _json(data),
        user_ids=task.user_ids if what.user_ids is UNSET else tuple(what.user_ids),
        due_at=task.due_at if what.due_at is UNSET else what.due_at,
        complete_when=task.complete_when if what.complete_when is UNSET else what.complete_when,
        updated=now,
        revision=task.revision + 1,
    )
    await store.update(tx, changed)
    tx.record(events.TaskUpdated(scope.customer_id, changed, changed=differing(task, changed)))
    return changed


async def _checked(
    tx: Reading, actor: Actor, version: Version, user_ids: Sequence[str], data: Mapping[str, object]
) -> dict[str, object]:
    """The data with what its rows fill in; `Invalid` names all faults of people and data."""
    found = await _recipient_faults(tx, actor, user_ids)
    # What is filled in beforehand need not be all; the rest is what the recipient fills.
    found += [fault for fault in answers.judged(version, data)[1] if fault.code != "value.required"]
    rows = await looked_up(tx, actor, version, data)
    if found := found + unknown(version, rows):
        raise Invalid(found)
    return prefilled(version, data, rows)


async def _recipient_faults(tx: Reading, actor: Actor, user_ids: Sequence[str]) -> list[Fault]:
    found: list[Fault] = []
    for index, user_id in enumerate(user_ids):
        where = pointer("recipients", "users", index)
        try:
            user = await people.get(tx, actor, user_id=user_id)
        except UserNotFound as error:
            found.append(Fault(where, error.code, error.detail))
            continue
        if user.status is UserStatus.DISABLED:
            found.append(Fault(where, "user.disabled", "This user is disabled and receives no tasks."))
        if user_id in user_ids[:index]:
            found.append(Fault(where, "value.repeated", "This user is named twice."))
    return found


async def get(tx: Reading, actor: Actor, *, task_id: str) -> Task:
    """One task of the account."""
    task = await store.find(tx, allow(actor, Permission.TASKS_READ), task_id)
    if task is None:
        raise TaskNotFound()
    return task


async def page(tx: Reading, actor: Actor, window: Window) -> Page[Task]:
    """The account's tasks in the order in which they were made."""
    return await store.page(tx, allow(actor, Permission.TASKS_READ), window)


def _json(data: Mapping[str, object]) -> str:
    return msgspec.json.encode(data).decode()
