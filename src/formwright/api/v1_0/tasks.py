"""Tasks."""

from formwright.api.call import Call
from formwright.api.operation import operation
from formwright.api.paging import List, PageQuery
from formwright.api.v1_0.wire import tasks as wire
from formwright.core.access.permissions import Permission
from formwright.core.kernel.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms.model import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.model import TaskEnded, TaskExternalIdTaken, TaskNotFound

_TASKS = "/customers/{customerId}/tasks"


@operation(
    "POST",
    ("createTask", "/customers/{customerId}/{formId}/tasks"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    status=201,
    location=_TASKS + "/{id}",
    raises=(CustomerNotFound, FormNotFound, FormNotPublished, FormArchived, TaskExternalIdTaken, Invalid),
)
async def create_task(call: Call, form_id: str, body: wire.TaskCreate) -> wire.Task:
    """Create a task: a form that named people are to fill, with what is known filled in beforehand.

    Name a row by its key as the answer of a lookup, and the fields that the form maps to it are filled from the row as
    it is now. Fields given in `data` stay as given; a cell that does not fit its field is left out. A key that is not
    there is refused.
    """
    async with call.writing() as tx:
        return wire.task(await tasks.create(tx, call.actor, form_id=form_id, new=body.new()))


@operation("GET", ("listTasks", _TASKS), tag="Tasks", permission=Permission.TASKS_READ, raises=(CustomerNotFound,))
async def list_tasks(call: Call, query: PageQuery) -> List[wire.Task]:
    """List the account's tasks in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await tasks.page(tx, call.actor, query.window()), wire.task)


@operation(
    "GET",
    ("getTask", _TASKS + "/{taskId}"),
    tag="Tasks",
    permission=Permission.TASKS_READ,
    raises=(CustomerNotFound, TaskNotFound),
)
async def get_task(call: Call, task_id: str) -> wire.Task:
    """Read one task."""
    async with call.reading() as tx:
        return wire.task(await tasks.get(tx, call.actor, task_id=task_id))


@operation(
    "PUT",
    ("changeTask", "/tasks"),
    tag="Tasks",
    permission=Permission.TASKS_MANAGE,
    raises=(TaskNotFound, TaskEnded, FormNotPublished, FormArchived, Invalid),
)
async def change_task(call: Call, body: wire.TaskChange) -> wire.Task:
    """Change a task that is named by its `id` or by the caller's own `externalId`."""
    if (body.id is None) == (body.external_id is None):
        raise Invalid.at("", "task.which", "Name the task by exactly one of id and externalId.")
    async with call.writing() as tx:
        record = await tasks.change(tx, call.actor, body.change(), task_id=body.id, external_id=body.external_id)
    return wire.task(record)


OPERATIONS = [*create_task, *list_tasks, *get_task, *change_task]
