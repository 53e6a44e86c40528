"""Events: what is recorded, listed and delivered, always the same bytes."""

from difflib import get_close_matches
from typing import Annotated, Any, Generic, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas import datasources, forms, invites, submissions, tasks, users
from formwright.api.v1_0.schemas import subscriber as subscriber_schemas
from formwright.api.v1_0.schemas.base import CustomerId, EventId, FormId, Resource, Timestamp
from formwright.asgi.validation import QueryInvalid
from formwright.core.clock import rfc3339
from formwright.core.errors import ValidationFault
from formwright.core.events import Event as Recorded
from formwright.domain.datasources.events import DatasourceEvent
from formwright.domain.forms.events import FormEvent
from formwright.domain.invites.events import InviteEvent
from formwright.domain.submissions import rendered_json as submission_shown
from formwright.domain.submissions.events import SubmissionEvent
from formwright.domain.tasks.events import TaskEvent
from formwright.domain.users.events import GroupEvent, RoleEvent, UserEvent
from formwright.domain.webhooks.events import SubscriberEvent
from formwright.domain.webhooks.models import matches_pattern

D = TypeVar("D")

MAX_BYTES = 256 * 1024
_INVITES = "invite status changes"

CATALOGUE: dict[str, tuple[str, type[Resource], str]] = {
    "submission.started": ("form started", submissions.Submission, "A person began to fill a form."),
    "submission.submitted": ("form submitted", submissions.Submission, "A submission came in."),
    "submission.updated": ("form updated", submissions.Submission, "A submission was corrected, approved or rejected."),
    "submission.deleted": (
        "form updated",
        submissions.Submission,
        "A submission was deleted; `data` is how it was last.",
    ),
    "form.created": ("form updated", forms.Form, "A form was made."),
    "form.updated": ("form updated", forms.Form, "A form's name, description, tags, folder or status changed."),
    "form.archived": ("form updated", forms.Form, "A form was put away; it takes no more submissions."),
    "form.published": ("form updated", forms.Form, "A version of a form was opened to be filled."),
    "task.created": ("task updates", tasks.Task, "A task was made."),
    "task.opened": ("task updates", tasks.Task, "The recipients of a task can begin."),
    "task.started": ("task updates", tasks.Task, "A recipient has begun to fill the form."),
    "task.fulfilled": (
        "task updates",
        tasks.Task,
        "A recipient has sent the form; `fulfilments` names the submission.",
    ),
    "task.completed": ("task updates", tasks.Task, "Enough recipients have sent the form, or somebody said so."),
    "task.declined": ("task updates", tasks.Task, "A recipient will not do it; `status` says whether that ended it."),
    "task.revoked": ("task updates", tasks.Task, "A task was taken back."),
    "task.updated": ("task updates", tasks.Task, "Something of a task was changed."),
    "task.overdue": ("task updates", tasks.Task, "The due time of a task has passed, and it is not done."),
    "invite.created": (_INVITES, invites.Invite, "An invite was made; its mail is on the way."),
    "invite.sent": (_INVITES, invites.Invite, "The mail server has taken the mail."),
    "invite.opened": (_INVITES, invites.Invite, "The person has the form before her."),
    "invite.started": (_INVITES, invites.Invite, "The first answer was saved."),
    "invite.completed": (_INVITES, invites.Invite, "The filled form came in; `submissionId` names it."),
    "invite.declined": (_INVITES, invites.Invite, "The person will not fill the form; `reason` may say why."),
    "invite.expired": (_INVITES, invites.Invite, "The time of the link is over."),
    "invite.revoked": (_INVITES, invites.Invite, "The invite was taken back."),
    "invite.failed": (_INVITES, invites.Invite, "The mail could not be sent; `reason` says why."),
    "invite.resent": (_INVITES, invites.Invite, "A mail with a new link is on the way; the old link has ended."),
    "datasource.imported": ("other", datasources.Datasource, "Rows came into a datasource."),
    "datasource.failed": ("other", datasources.Datasource, "A datasource could not be pulled; `pull` says why."),
    "user.created": ("other", users.User, "A person was added to the account."),
    "user.updated": ("other", users.User, "A person's name, address, language, groups or grants changed."),
    "user.disabled": ("other", users.User, "A person can no longer sign in."),
    "user.enabled": ("other", users.User, "A person who was disabled is so no longer."),
    "group.created": ("other", users.Group, "A group was made."),
    "group.updated": ("other", users.Group, "A group's name, members or grants changed."),
    "role.created": ("other", users.Role, "A role was made."),
    "role.updated": ("other", users.Role, "A role's name changed, or what it allows."),
    "subscriber.failing": (
        "other",
        subscriber_schemas.Subscriber,
        "Nothing has arrived at a subscriber for a day, although it was tried.",
    ),
    "subscriber.disabled": (
        "other",
        subscriber_schemas.Subscriber,
        "Nothing is sent to a subscriber any more: five days without a success, or an answer 410.",
    ),
}
"""Each type of event: its category, the resource in its `data`, and what caused it."""


class Event(Resource, Generic[D]):
    """Something that happened. `sequence` rises without gaps in the order in which the changes were committed."""

    id: EventId
    sequence: int
    type: str
    category: str
    timestamp: Timestamp
    customer_id: CustomerId
    data: Annotated[D, Meta(description="The resource as it was then, as the API shows it.")]
    erased: Annotated[
        bool | UnsetType, Meta(description="True where the person it told of was erased: `data` is the id alone then.")
    ] = UNSET


class DataLink(Resource):
    """Stands for a resource that is too large for an event (256 KiB): where to read it."""

    id: str
    too_large: bool
    url: Annotated[str, Meta(description="The path under which the resource is read.")]


class EventQuery(PageQuery):
    """Which events are meant."""

    after: Annotated[int, Meta(ge=0, le=2**53, description="Only events with a greater sequence.")] | None = None
    type: Annotated[
        list[str],
        Meta(
            description="A type of event, all of a noun (`submission.*`), or `*`, as for subscribers. May be repeated."
        ),
    ] = []
    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []

    def types(self) -> list[str]:
        """Every type that is asked for, by its exact name; none means all. `QueryInvalid` for an unknown one."""
        if faults := [_unknown_type(pattern) for pattern in self.type if not _types_of(pattern)]:
            raise QueryInvalid(faults)
        return [] if "*" in self.type else sorted({type_ for pattern in self.type for type_ in _types_of(pattern)})


def _types_of(pattern: str) -> list[str]:
    whole_noun = pattern == "*" or pattern.endswith(".*")
    return [name for name in CATALOGUE if (matches_pattern(pattern, name) if whole_noun else name == pattern)]


def _unknown_type(pattern: str) -> ValidationFault:
    known = [*CATALOGUE, *sorted({name.partition(".")[0] + ".*" for name in CATALOGUE})]
    near = get_close_matches(pattern, known, n=3)
    hint = f" Did you mean {' or '.join(near)}?" if near else " `GET …/event-types` lists them."
    return ValidationFault("?type", "query.value", f"There is no type of event {pattern[:100]!r}.{hint}")


class EventList(Resource):
    """A page of the event log."""

    items: list[Event[dict[str, Any]]]
    next: Annotated[str | None, Meta(description="The address of the next page; null on the last.")]
    oldest_available: Annotated[int | None, Meta(description="The sequence of the oldest event that is kept.")]
    newest_available: Annotated[
        int | None,
        Meta(description="That of the newest, of whatever type and form: where `next` is null, all up to it was read."),
    ]


class EventType(Resource):
    """A type of event."""

    type: str
    category: str
    description: Annotated[str, Meta(description="What causes it.")]
    schema: Annotated[dict[str, Any], Meta(description="The JSON Schema (2020-12) of the whole event.")]
    example: dict[str, Any]


def event_resource(event: Recorded) -> tuple[Resource | msgspec.Raw, str | None, str]:
    """What an event's `data` is, the form it concerns, and the path under which that resource is read."""
    match event:
        case SubmissionEvent(customer_id=c, submission=s):
            return msgspec.Raw(submission_shown.render(s)), s.form_id, f"/api/v1.0/customers/{c}/submissions/{s.id}"
        case FormEvent(customer_id=c, form=f):
            return forms.form(f), f.id, f"/api/v1.0/forms/customer/{c}/forms/{f.id}"
        case TaskEvent(customer_id=c, task=t):
            return tasks.task(t), t.form_id, f"/api/v1.0/customers/{c}/tasks/{t.id}"
        case InviteEvent(customer_id=c, invite=i):
            return invites.invite(i), i.form_id, f"/api/v1.0/customers/{c}/invites/{i.id}"
        case DatasourceEvent(customer_id=c, datasource=d):
            return datasources.datasource(d), None, f"/api/v1.0/customers/{c}/datasources/{d.id}"
        case UserEvent(customer_id=c, details=p):
            return users.user(p), None, f"/api/v1.0/customers/{c}/users/{p.user.id}"
        case GroupEvent(customer_id=c, group=g):
            return users.group(g), None, f"/api/v1.0/customers/{c}/groups/{g.id}"
        case RoleEvent(customer_id=c, role=r):
            return users.role(r), None, f"/api/v1.0/customers/{c}/roles/{r.id}"
        case SubscriberEvent(customer_id=c, subscriber=h):
            return subscriber_schemas.subscriber(h), None, f"/api/v1.0/webhooks/customer/{c}/subscribers/{h.id}"
    raise TypeError(f"{event.type} has no shape in version 1.0")


def encode_event(event: Recorded, event_id: str, sequence: int, at: int) -> tuple[bytes, str | None]:
    """The event exactly as it is kept and delivered, and the form it concerns."""
    data, form_id, path = event_resource(event)
    body = _encode(event, event_id, sequence, at, data)
    if len(body) > MAX_BYTES:
        body = _encode(event, event_id, sequence, at, DataLink(id=path.rpartition("/")[2], too_large=True, url=path))
    return body, form_id


def _encode(event: Recorded, event_id: str, sequence: int, at: int, data: Resource | msgspec.Raw) -> bytes:
    return msgspec.json.encode(
        Event(
            id=event_id,
            sequence=sequence,
            type=event.type,
            category=CATALOGUE[event.type][0],
            timestamp=rfc3339(at),
            customer_id=event.customer_id,
            data=data,
        )
    )
