"""Operations on tasks."""

from formwright.api.context import ReadContext, WriteContext, base_url
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import tasks as schemas
from formwright.api.v1_0.schemas.base import convert_all
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.tasks import service as tasks
from formwright.domain.tasks.models import TaskEnded, TaskExternalIdTaken, TaskNotFound, TaskNotOpen

_TASKS = "/customers/{customerId}/tasks"
_TASK = _TASKS + "/{taskId}"
OPERATIONS = OperationGroup("Tasks", reads=Permission.TASKS_READ, writes=Permission.TASKS_MANAGE)


@OPERATIONS.declare(
    "POST",
    ("createTask", "/customers/{customerId}/{formId}/tasks"),
    location=_TASKS + "/{id}",
    raises=(FormNotFound, FormNotPublished, FormArchived, TaskExternalIdTaken, Invalid),
)
async def create_task(
    call: WriteContext, form_id: str, body: schemas.TaskCreate | schemas.Tasks
) -> schemas.Task | list[schemas.Task]:
    """Create a task.

    Assigns a form to users and groups, optionally with pre-filled answers. The members of a group are determined when
    the task is created.

    If the form already has a task with this `externalId`, the response is that task in its current state, and none is
    created. If a task of another form has it, the response is 409 `task.external_id_taken`.

    In `data`, the answer of a lookup is the key of a row. The fields that the lookup maps to are then filled in from
    the row, unless `data` contains them; a cell that does not match its field is left out. An unknown key is rejected.

    The body can also be an array of up to 1,000 tasks, of which either all are created or none. The response is then an
    array in the same order, without a `Location` header, and error pointers begin with the index of the task.

    Records the event `task.created`, and `task.opened` as soon as the recipients can begin.
    """
    url = base_url(call.ctx, call.request)
    if isinstance(body, schemas.TaskCreate):
        record = await tasks.create(call.tx, call.actor, form_id=form_id, new=body.to_domain(), base_url=url)
        return schemas.task(record)
    new = convert_all(body)
    records = await tasks.create_many(call.tx, call.actor, form_id=form_id, new=new, base_url=url)
    return [schemas.task(record) for record in records]


@OPERATIONS.declare("GET", ("listTasks", _TASKS))
async def list_tasks(call: ReadContext, query: schemas.TaskQuery) -> List[schemas.Task]:
    """List tasks.

    Returns tasks, by default in order of creation. A task is listed if it matches all filters.
    """
    return call.listing(await tasks.page(call.tx, call.actor, query.window(), query.to_filter()), schemas.task)


@OPERATIONS.declare("GET", ("getTaskCounts", _TASKS + "/counts"))
async def get_task_counts(call: ReadContext, query: schemas.TaskCountQuery) -> schemas.TaskCounts:
    """Count tasks.

    Returns the number of tasks in each state, for each form or for each user. Forms and users without tasks are
    omitted.
    """
    by_user = query.by == "user"
    return schemas.counts(await tasks.count_tasks(call.tx, call.actor, by_user=by_user), by_user=by_user)


@OPERATIONS.declare("GET", ("getTask", _TASK), raises=(TaskNotFound,))
async def get_task(call: ReadContext, task_id: str) -> schemas.Task:
    """Get a task.

    `fulfilments` contains the progress of each recipient.
    """
    return schemas.task(await tasks.get(call.tx, call.actor, task_id=task_id))


@OPERATIONS.declare(
    "PUT",
    ("updateTask", _TASK),
    raises=(TaskNotFound, TaskEnded, FormNotPublished, FormArchived, Invalid),
)
async def update_task(call: WriteContext, task_id: str, body: schemas.TaskUpdate) -> schemas.Task:
    """Update a task.

    Properties you omit stay unchanged. `recipients` replaces all recipients; those who remain keep their progress. A
    task that is completed, declined or revoked cannot be updated: the response is 409 `task.ended`.

    Records the event `task.updated`.
    """
    return schemas.task(
        await tasks.change(call.tx, call.actor, body.change(), secret_box=call.ctx.secret_box, task_id=task_id)
    )


@OPERATIONS.declare(
    "PUT",
    ("updateTaskByReference", "/tasks"),
    raises=(TaskNotFound, TaskEnded, FormNotPublished, FormArchived, Invalid),
)
async def update_task_by_reference(call: WriteContext, body: schemas.TaskUpdateByReference) -> schemas.Task:
    """Update a task by reference.

    Identify the task in the body by exactly one of `id` and `externalId`. Otherwise this is the same as `updateTask`,
    except that it has no `If-Match` header.

    Records the event `task.updated`.
    """
    if (body.id is None) == (body.external_id is None):
        raise Invalid.at("", "task.which", "Identify the task by exactly one of id and externalId.")
    record = await tasks.change(
        call.tx,
        call.actor,
        body.change(),
        secret_box=call.ctx.secret_box,
        task_id=body.id,
        external_id=body.external_id,
    )
    return schemas.task(record)


@OPERATIONS.declare("POST", ("revokeTask", _TASK + "/revoke"), raises=(TaskNotFound, TaskEnded))
async def revoke_task(call: WriteContext, task_id: str) -> schemas.Task:
    """Revoke a task.

    Ends the task before it is completed. Submissions made for it are kept. If it has already ended, the response is 409
    `task.ended`.

    Records the event `task.revoked`.
    """
    return schemas.task(await tasks.revoke(call.tx, call.actor, task_id=task_id))


@OPERATIONS.declare("POST", ("completeTask", _TASK + "/complete"), raises=(TaskNotFound, TaskEnded, TaskNotOpen))
async def complete_task(call: WriteContext, task_id: str) -> schemas.Task:
    """Complete a task.

    Marks a published task as completed, regardless of who has responded; for example, because the work was done in
    another way. Before it is published, the response is 409 `task.not_open`; if it has already ended, 409 `task.ended`.

    Records the event `task.completed`.
    """
    return schemas.task(await tasks.complete(call.tx, call.actor, task_id=task_id))
