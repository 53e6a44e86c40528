"""The pages of the API reference: an overview, a page per group of operations, the schemas, events, changes and guides.

They are public.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from typing import Any

from formwright.web.api_docs.changelog import Announcement, list_announcements
from formwright.web.api_docs.guides import Guide, load_guide
from formwright.web.api_docs.markdown import Block, parse_prose
from formwright.web.api_docs.openapi_model import (
    OperationGroup,
    Property,
    SchemaDoc,
    list_events,
    list_operation_groups,
    list_schemas,
)
from formwright.web.http import NotFoundException, Response, get
from formwright.web.page import PublicPage
from formwright.web.session import SignInRequired

PATH = "/docs"


class Reference:
    """The content of the pages for one OpenAPI document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        self.groups: list[OperationGroup] = list_operation_groups(document)
        self.schemas: list[SchemaDoc] = list_schemas(document)
        self.events: list[Property] = list_events(document)
        self.changes: list[Announcement] = list_announcements(document)
        self.about: list[Block] = parse_prose(document["info"]["description"])


@cache
def _load_reference(load_document: Callable[[], Mapping[str, Any]]) -> Reference:
    return Reference(load_document())


def get_reference(page: PublicPage) -> Reference:
    """Return the reference for the document of this server. The document is parsed once."""
    return _load_reference(page.ctx.document)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferencePage:
    """A page of the reference. `here` is the last part of its path, and empty for the overview."""

    groups: Sequence[OperationGroup]
    here: str


@dataclass(frozen=True, slots=True, kw_only=True)
class OverviewPage(ReferencePage):
    """Getting started, and all operations. `base` is the base URL of the API."""

    about: Sequence[Block]
    base: str
    has_own_certificate: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemasPage(ReferencePage):
    """All schemas."""

    schemas: Sequence[SchemaDoc]


@dataclass(frozen=True, slots=True, kw_only=True)
class EventsPage(ReferencePage):
    """All event types."""

    events: Sequence[Property]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangesPage(ReferencePage):
    """Announced changes."""

    changes: Sequence[Announcement]


@dataclass(frozen=True, slots=True, kw_only=True)
class GuidePage(ReferencePage):
    """A page of the documentation."""

    guide: Guide


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupPage(ReferencePage):
    """The operations of a group."""

    group: OperationGroup


class DocsPage(PublicPage):
    """A page of the reference, which everybody may open. Signed-in people see it with the navigation."""

    async def prepare(self) -> None:
        with suppress(SignInRequired):
            self.visitor = await self.find_visitor()


@get(PATH)
async def overview_page(page: DocsPage) -> Response:
    """Getting started, and a list of all operations. The examples contain the account of signed-in people."""
    reference, origin = get_reference(page), page.origin
    view_model = OverviewPage(
        groups=reference.groups,
        here="",
        about=reference.about,
        base=f"{origin}/api/v1.0",
        has_own_certificate=origin.startswith("https://localhost"),
    )
    return page.render("api_docs/overview.html", view_model)


@get(PATH + "/shapes")
async def schemas_page(page: DocsPage) -> Response:
    """All schemas."""
    reference = get_reference(page)
    view_model = SchemasPage(groups=reference.groups, here="shapes", schemas=reference.schemas)
    return page.render("api_docs/schemas.html", view_model)


@get(PATH + "/events")
async def events_page(page: DocsPage) -> Response:
    """All event types."""
    reference = get_reference(page)
    view_model = EventsPage(groups=reference.groups, here="events", events=reference.events)
    return page.render("api_docs/events.html", view_model)


@get(PATH + "/changes")
async def changes_page(page: DocsPage) -> Response:
    """Announced changes."""
    reference = get_reference(page)
    view_model = ChangesPage(groups=reference.groups, here="changes", changes=reference.changes)
    return page.render("api_docs/changes.html", view_model)


@get(PATH + "/guides")
async def guides_page(page: DocsPage) -> Response:
    """The table of contents of the documentation."""
    return _render_guide(page, "")


@get(PATH + "/guides/{section:str}/{name:str}")
async def guide_page(page: DocsPage, section: str, name: str) -> Response:
    """A page of the documentation, such as `guides/tasks`."""
    return _render_guide(page, f"{section}/{name}")


def _render_guide(page: DocsPage, path: str) -> Response:
    guide = load_guide(path)
    if guide is None:
        raise NotFoundException
    view_model = GuidePage(groups=get_reference(page).groups, here="guides", guide=guide)
    return page.render("api_docs/guide.html", view_model)


@get(PATH + "/{slug:str}")
async def group_page(page: DocsPage, slug: str) -> Response:
    """The operations of a group."""
    groups = get_reference(page).groups
    group = next((group for group in groups if group.slug == slug), None)
    if group is None:
        raise NotFoundException
    return page.render("api_docs/group.html", GroupPage(groups=groups, here=slug, group=group))
