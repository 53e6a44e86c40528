"""The announcements of the document, as the page shows them."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from formwright.web.api_docs.markdown import Block, prose
from formwright.web.api_docs.openapi_model import slug_of

_KINDS = {"DEPRECATION": ("Deprecated", "since"), "CHANGE": ("Change", "from")}


@dataclass(frozen=True, slots=True)
class Place:
    """An operation or a member, and where it is described; nowhere for what the document does not name."""

    name: str
    address: str


@dataclass(frozen=True, slots=True)
class Change:
    """One announcement; its days as they are written (2027-02-01)."""

    name: str
    title: str
    kind: str
    from_when: str
    text: list[Block]
    announced: str
    effective: str
    sunset: str
    operations: list[Place]
    fields: list[str]
    replacement: Place | None


def changes(document: Mapping[str, Any]) -> list[Change]:
    """All of them, as the document has them."""
    places = {
        operation["operationId"]: f"/docs/{slug_of(operation['tags'][0])}#{operation['operationId']}"
        for methods in document["paths"].values()
        for operation in methods.values()
    }
    return [_change(one, places) for one in document["x-announcements"]]


def _change(one: Mapping[str, Any], places: Mapping[str, str]) -> Change:
    kind, from_when = _KINDS[one["kind"]]
    return Change(
        name=one["name"],
        title=one["title"],
        kind=kind,
        from_when=from_when,
        text=prose(one["description"]),
        announced=one["announced"],
        effective=one["effective"],
        sunset=one["sunset"] or "",
        operations=[Place(name, places.get(name, "")) for name in one["operations"]],
        fields=one["fields"],
        replacement=Place(one["replacement"], places.get(one["replacement"], "")) if one["replacement"] else None,
    )
