"""Schemas of announced changes."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api import deprecations
from formwright.api.deprecations import PAGE, AnnouncementKind
from formwright.api.pagination import PageQuery


class Announcement(msgspec.Struct, rename="camel"):
    """An announced change to the API. Nothing that is documented is removed without one."""

    name: Annotated[str, Meta(description="A unique name of the announcement, which never changes.")]
    kind: AnnouncementKind
    title: Annotated[str, Meta(description="A short title.")]
    description: Annotated[str, Meta(description="What changes, and what you have to do.")]
    announced: Annotated[date, Meta(description="The day of the announcement.")]
    effective: Annotated[date, Meta(description="The day from which the change applies.")]
    sunset: Annotated[date | None, Meta(description="The day from which the deprecated part may be removed.")]
    operations: Annotated[
        list[str],
        Meta(description="The affected operations, by operationId. Empty together with `fields`: the whole API."),
    ]
    fields: Annotated[list[str], Meta(description="The affected properties, as `Schema.property`.")]
    replacement: Annotated[str | None, Meta(description="What to use instead: an operationId or `Schema.property`.")]
    url: Annotated[str, Meta(description="A page on this server that describes the change.")]


class AnnouncementQuery(PageQuery, rename="camel", kw_only=True):
    """Filters of the list of announcements."""

    kind: Annotated[list[AnnouncementKind], Meta(description="Only announcements of this kind. May be repeated.")] = []
    operation: Annotated[
        list[str], Meta(description="Only announcements about this operation, by operationId. May be repeated.")
    ] = []


def announcement(record: deprecations.Announcement) -> Announcement:
    return Announcement(
        name=record.name,
        kind=record.kind,
        title=record.title,
        description=record.text,
        announced=record.announced,
        effective=record.effective,
        sunset=record.sunset,
        operations=list(record.operations),
        fields=list(record.fields),
        replacement=record.replacement or None,
        url=f"{PAGE}#{record.name}",
    )
