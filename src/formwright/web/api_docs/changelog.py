"""The announcements of the OpenAPI document, prepared for the page of changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formwright.web.api_docs.markdown import Block, parse_prose
from formwright.web.api_docs.openapi_model import slugify

_KIND_LABELS = {"DEPRECATION": ("Deprecated", "since"), "CHANGE": ("Change", "from")}


@dataclass(frozen=True, slots=True)
class Link:
    """The name of an operation or property, and the URL of its description; empty if it is not described."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Announcement:
    """One announcement. Dates are written as in the document (2027-02-01)."""

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
    """Return all announcements in the order of the document."""
    urls = {
        operation["operationId"]: f"/docs/{slugify(operation['tags'][0])}#{operation['operationId']}"
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    return [_announcement(announcement, urls) for announcement in document["x-announcements"]]


def _announcement(data: Mapping[str, Any], urls: Mapping[str, str]) -> Announcement:
    kind, from_when = _KIND_LABELS[data["kind"]]
    return Announcement(
        name=data["name"],
        title=data["title"],
        kind=kind,
        from_when=from_when,
        text=parse_prose(data["description"]),
        announced=data["announced"],
        effective=data["effective"],
        sunset=data["sunset"] or "",
        operations=[Link(name, urls.get(name, "")) for name in data["operations"]],
        fields=data["fields"],
        replacement=Link(data["replacement"], urls.get(data["replacement"], "")) if data["replacement"] else None,
    )
