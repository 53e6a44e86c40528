"""Shapes of announcements."""

from datetime import date
from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api import deprecations
from formwright.api.deprecations import PAGE, AnnouncementKind
from formwright.api.pagination import PageQuery


class Announcement(msgspec.Struct, rename="camel"):
    """A change that will come. Nothing that is documented is taken away without one."""

    name: Annotated[str, Meta(description="Stands for it, and never for another.")]
    kind: Annotated[
        AnnouncementKind,
        Meta(description="`DEPRECATION`: it works, and will go. `CHANGE`: something will be different."),
    ]
    title: str
    description: Annotated[str, Meta(description="What changes, and what to do.")]
    announced: Annotated[date, Meta(description="The day on which it was first told.")]
    effective: Annotated[date, Meta(description="The day from which it is so.")]
    sunset: Annotated[date | None, Meta(description="The day from which what is deprecated may be gone.")]
    operations: Annotated[list[str], Meta(description="The operations that it is about, by operationId.")]
    fields: Annotated[list[str], Meta(description="The members that it is about, as `Shape.member`.")]
    replacement: Annotated[str | None, Meta(description="What to use instead: an operationId or `Shape.member`.")]
    url: Annotated[str, Meta(description="Where people read of it, on this server.")]


class AnnouncementQuery(PageQuery, rename="camel", kw_only=True):
    """Which announcements."""

    kind: Annotated[list[AnnouncementKind], Meta(description="Only of these kinds.")] = []
    operation: Annotated[list[str], Meta(description="Only about these operations, by operationId.")] = []


def announcement(one: deprecations.Announcement) -> Announcement:
    """An announcement as the API shows it."""
    return Announcement(
        name=one.name,
        kind=one.kind,
        title=one.title,
        description=one.text,
        announced=one.announced,
        effective=one.effective,
        sunset=one.sunset,
        operations=list(one.operations),
        fields=list(one.fields),
        replacement=one.replacement or None,
        url=f"{PAGE}#{one.name}",
    )
