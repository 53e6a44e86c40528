"""Tasks."""

from formwright.api.context import RequestContext, base_url
from formwright.api.operations import operation
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import tasks as wire
from formwright.api.v1_0.schemas.base import convert_all
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import TaskEnded, TaskExternalIdTaken, TaskNotFound, TaskNotOpen

_TASKS = "/customers/{customerId}/tasks"
_TASK = _TASKS + "/{taskId}"


@operation(
    "POST",
    ("createTask", "/customers/{customerId}/{formId}/tasks"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    status=201,
    location=_TASKS + "/{id}",
    raises=(CustomerNotFound, FormNotFound, FormNotPublished, FormArchived, TaskExternalIdTaken, Invalid),
)
async def create_task(
    call: RequestContext, form_id: str, body: wire.TaskCreate | wire.Tasks
) -> wire.Task | list[wire.Task]:
    """Create a task: a form that people are to fill, with what is known filled in beforehand. Or up to 1,000 at once.

    An array of tasks is made as a whole or not at all, and answered by an array in the same order, without `Location`.
    The pointer of each fault begins with the task's place in it.
    Where there is a task of this form with the same `externalId`, that one is answered as it is and none is made.

    Name a row by its key as the answer of a lookup, and the fields that the form maps to it are filled from the row as
    it is now. Fields given in `data` stay as given; a cell that does not fit its field is left out. A key that is not
    there is refused.
    """
    base = base_url(call.ctx, call.request)
    async with call.writing() as tx:
        if isinstance(body, wire.TaskCreate):
            made = await tasks.create(tx, call.actor, form_id=form_id, new=body.to_domain(), base_url=base)
            return wire.task(made)
        new = convert_all(body)
        all_of_them = await tasks.create_all(tx, call.actor, form_id=form_id, new=new, base_url=base)
    return [wire.task(made) for made in all_of_them]


@operation("GET", ("listTasks", _TASKS), tag="Tasks", permission=Permission.TASKS_READ, raises=(CustomerNotFound,))
async def list_tasks(call: RequestContext, query: wire.TaskQuery) -> List[wire.Task]:
    """List the account's tasks in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await tasks.page(tx, call.actor, query.window(), query.to_filter()), wire.task)


@operation(
    "GET",
    ("getTaskCounts", _TASKS + "/counts"),
    tag="Tasks",
    permission=Permission.TASKS_READ,
    raises=(CustomerNotFound,),
)
async def get_task_counts(call: RequestContext, query: wire.TaskCountQuery) -> wire.TaskCounts:
    """Count the tasks: how many are open, overdue and completed, for each form or for each person."""
    by_user = query.by == "user"
    async with call.reading() as tx:
        return wire.counts(await tasks.counts(tx, call.actor, by_user=by_user), by_user=by_user)


@operation(
    "GET",
    ("getTask", _TASK),
    tag="Tasks",
    permission=Permission.TASKS_READ,
    raises=(CustomerNotFound, TaskNotFound),
)
async def get_task(call: RequestContext, task_id: str) -> wire.Task:
    """Read one task, with what each of its recipients has done."""
    async with call.reading() as tx:
        return wire.task(await tasks.get(tx, call.actor, task_id=task_id))


@operation(
    "PUT",
    ("updateTask", _TASK),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    raises=(CustomerNotFound, TaskNotFound, TaskEnded, FormNotPublished, FormArchived, Invalid),
)
async def update_task(call: RequestContext, task_id: str, body: wire.TaskUpdate) -> wire.Task:
    """Change a task, or give it to others. Recipients who stay keep what they have done."""
    async with call.writing() as tx:
        return wire.task(await tasks.change(tx, call.actor, body.change(), seal=call.ctx.secret_box, task_id=task_id))


@operation(
    "PUT",
    ("updateTaskByReference", "/tasks"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    raises=(TaskNotFound, TaskEnded, FormNotPublished, FormArchived, Invalid),
)
async def update_task_by_reference(call: RequestContext, body: wire.TaskUpdateByReference) -> wire.Task:
    """Change a task that is named by its `id` or by the caller's own `externalId`."""
    if (body.id is None) == (body.external_id is None):
        raise Invalid.at("", "task.which", "Name the task by exactly one of id and externalId.")
    async with call.writing() as tx:
        record = await tasks.change(
            tx, call.actor, body.change(), seal=call.ctx.secret_box, task_id=body.id, external_id=body.external_id
        )
    return wire.task(record)


@operation(
    "POST",
    ("revokeTask", _TASK + "/revoke"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    raises=(CustomerNotFound, TaskNotFound, TaskEnded),
)
async def revoke_task(call: RequestContext, task_id: str) -> wire.Task:
    """Take a task back that has not ended. What was sent for it stays."""
    async with call.writing() as tx:
        return wire.task(await tasks.revoke(tx, call.actor, task_id=task_id))


@operation(
    "POST",
    ("completeTask", _TASK + "/complete"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    raises=(CustomerNotFound, TaskNotFound, TaskEnded, TaskNotOpen),
)
async def complete_task(call: RequestContext, task_id: str) -> wire.Task:
    """Say that a task is done, whoever has answered: the work was done in another way."""
    async with call.writing() as tx:
        return wire.task(await tasks.complete(tx, call.actor, task_id=task_id))


OPERATIONS = [
    *create_task,
    *list_tasks,
    *get_task_counts,
    *get_task,
    *update_task,
    *update_task_by_reference,
    *revoke_task,
    *complete_task,
]
