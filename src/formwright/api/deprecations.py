"""Announced changes to the API: in a list, in the OpenAPI document, and in responses of deprecated operations.

Each change is declared once, in `v1_0/deprecation_list.py`. A deprecated operation refers to its announcement.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from enum import StrEnum
from functools import cache
from wsgiref.handlers import format_date_time

PAGE = "/docs/changes"


class AnnouncementKind(StrEnum):
    """The kind of an announced change. `DEPRECATION`: something still works and will be removed. `CHANGE`: any other
    change.
    """

    DEPRECATION = "DEPRECATION"
    CHANGE = "CHANGE"


@dataclass(frozen=True)
class Announcement:
    """An announced change.

    `name` never changes, because links end with it. The change applies from `effective` on; what is deprecated may be
    removed from `sunset` on. It affects `operations` (operationIds) and `fields` (`Schema.property`), or the whole API
    if both are empty.
    """

    name: str
    kind: AnnouncementKind
    title: str
    text: str
    announced: date
    effective: date
    sunset: date | None = None
    operations: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    replacement: str = ""


@cache
def fields_of(announcement: Announcement) -> Mapping[str, str]:
    """Return the headers `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and `Link`, which explains what to do."""
    fields = {
        "deprecation": f"@{_seconds(announcement.effective)}",
        "link": f'<{PAGE}#{announcement.name}>; rel="deprecation"; type="text/html"',
    }
    if announcement.sunset:
        fields["sunset"] = format_date_time(_seconds(announcement.sunset))
    return fields


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
