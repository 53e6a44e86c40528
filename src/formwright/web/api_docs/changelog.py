"""The announcements of the document, as the page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formwright.web.api_docs.markdown import Block, parse_prose
from formwright.web.api_docs.openapi_model import slugify

_KIND_LABELS = {"DEPRECATION": ("Deprecated", "since"), "CHANGE": ("Change", "from")}


@dataclass(frozen=True, slots=True)
class Link:
    """An operation or a member, and where it is described; nowhere for what the document does not name."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """One announcement; its days as they are written (2027-02-01)."""

    name: str
    title: str
    kind: str
    from_when: str
    text: list[Block]
    announced: str
    effective: str
    sunset: str
    operations: list[Link]
    fields: list[str]
    replacement: Link | None


def list_announcements(document: Mapping[str, Any]) -> list[Announcement]:
    """All of them, as the document has them."""
    places = {
        operation["operationId"]: f"/docs/{slugify(operation['tags'][0])}#{operation['operationId']}"
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    return [_announcement(one, places) for one in document["x-announcements"]]


def _announcement(one: Mapping[str, Any], places: Mapping[str, str]) -> Announcement:
    kind, from_when = _KIND_LABELS[one["kind"]]
    return Announcement(
        name=one["name"],
        title=one["title"],
        kind=kind,
        from_when=from_when,
        text=parse_prose(one["description"]),
        announced=one["announced"],
        effective=one["effective"],
        sunset=one["sunset"] or "",
        operations=[Link(name, places.get(name, "")) for name in one["operations"]],
        fields=one["fields"],
        replacement=Link(one["replacement"], places.get(one["replacement"], "")) if one["replacement"] else None,
    )
