"""Adding the form, the user and the task to submissions, so that callers need not request each of them."""

from collections.abc import Collection, Mapping, Sequence

import msgspec
from msgspec import Raw

from formwright.api.v1_0.schemas import submission_references as schemas
from formwright.api.v1_0.schemas.base import optional_time
from formwright.api.v1_0.schemas.submission_references import Expansion
from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.tasks import service as tasks
from formwright.domain.users import service as users

_ID_PROPERTIES = {Expansion.FORM: "formId", Expansion.USER: "userId", Expansion.TASK: "taskId"}


async def expand(tx: ReadTransaction, actor: Actor, items: bytes, expansions: Collection[Expansion]) -> bytes:
    """Return rendered submissions, separated by commas, with the properties of these expansions.

    Raises `Denied` if the actor may not read one of them.
    """
    # `Raw`, so that answers are copied as they are and not decoded.
    objects = msgspec.json.decode(b"[%b]" % items, type=list[dict[str, Raw]])
    for expansion in dict.fromkeys(expansions):
        ids = [msgspec.json.decode(one[_ID_PROPERTIES[expansion]], type=str | None) for one in objects]
        references = await _load(tx, actor, expansion, sorted({one for one in ids if one}))
        for one, referenced in zip(objects, ids, strict=True):
            one[expansion.value] = Raw(msgspec.json.encode(references.get(referenced or "")))
    return msgspec.json.encode(objects)[1:-1]


async def _load(
    tx: ReadTransaction, actor: Actor, expansion: Expansion, ids: Sequence[str]
) -> Mapping[str, msgspec.Struct]:
    match expansion:
        case Expansion.FORM:
            names = await forms.find_names(tx, actor, ids)
            return {form_id: schemas.FormReference(id=form_id, name=name) for form_id, name in names.items()}
        case Expansion.USER:
            people = (await users.find_many(tx, actor, ids)).values()
            return {user.id: schemas.UserReference(id=user.id, name=user.name, email=user.email) for user in people}
        case Expansion.TASK:
            found = await tasks.find_many(tx, actor, ids)
            return {
                task.id: schemas.TaskReference(
                    id=task.id, external_id=task.external_id, status=task.status, due_at=optional_time(task.due_at)
                )
                for task in found
            }
