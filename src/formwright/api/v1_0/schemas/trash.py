"""Schemas of the trash."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import CustomerId, RequestBody, Resource, Timestamp, optional_time
from formwright.domain.trash import models
from formwright.domain.trash.models import TrashKind

Key = Annotated[str, Meta(min_length=1, max_length=500, description="The key of the row.")]


class DeletionQuery(msgspec.Struct, rename="camel", kw_only=True):
    """How to delete."""

    permanent: Annotated[
        bool,
        Meta(
            description="Delete permanently instead of moving to the trash. This cannot be undone. Also deletes what is"
            " in the trash already."
        ),
    ] = False


class RowDeletionQuery(DeletionQuery, kw_only=True):
    """Which row to delete, and how."""

    key: Key


class RowRestoration(RequestBody):
    """The row to restore."""

    key: Key


class Affected(Resource):
    """What disappears with a resource, or no longer has an effect, until it is restored."""

    folders: Annotated[int, Meta(description="Folders, with the deleted one.")] = 0
    forms: Annotated[int, Meta(description="Forms.")] = 0
    submissions: Annotated[int, Meta(description="Submissions and drafts of submissions.")] = 0
    tasks: Annotated[int, Meta(description="Tasks that have not ended.")] = 0
    invites: Annotated[int, Meta(description="Invites that have not ended.")] = 0
    webhooks: Annotated[int, Meta(description="Subscribers that are restricted to forms, among them these.")] = 0
    grants: Annotated[int, Meta(description="Grants of the user or group, or for the form or folder.")] = 0
    groups: Annotated[int, Meta(description="Groups of the user.")] = 0
    members: Annotated[int, Meta(description="Members of the group.")] = 0
    rows: Annotated[int, Meta(description="Rows of the data source.")] = 0


class TrashActor(Resource):
    """Who deleted it."""

    type: Annotated[str, Meta(description="`user`, `key` or `system`.")]
    id: Annotated[str, Meta(description="The id of the user or key.")]
    name: Annotated[str, Meta(description="The name of the user or key at that time.")]


class TrashItem(Resource):
    """A deleted resource."""

    id: Annotated[str, Meta(description="The id of the deleted resource; for a row, that of its entry in the trash.")]
    customer_id: CustomerId
    kind: Annotated[TrashKind, Meta(description="The type of the deleted resource.")]
    name: Annotated[str, Meta(description="Its name when it was deleted; for a row, its key.")]
    parent_id: Annotated[
        str | None, Meta(description="The form of a form version, or the data source of a row; otherwise null.")
    ]
    deleted: Annotated[Timestamp, Meta(description="When it was deleted.")]
    deleted_by: TrashActor
    restorable_until: Annotated[
        Timestamp | None,
        Meta(description="When it will be deleted permanently. Null if it is being deleted permanently already."),
    ]
    affected: Affected


def trash_item(entry: models.TrashEntry) -> TrashItem:
    deleter = entry.deleted_by
    return TrashItem.of(
        entry,
        deleted_by=TrashActor(type=deleter.kind, id=deleter.id, name=deleter.name),
        restorable_until=optional_time(entry.expires or None),
        affected=Affected(**msgspec.structs.asdict(entry.affected)),
    )


class TrashQuery(PageQuery):
    """Filters of the trash."""

    kind: Annotated[TrashKind | None, Meta(description="Only resources of this type.")] = None
