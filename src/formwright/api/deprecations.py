"""Changes that will come, told beforehand: in a list, in the document, and in the answers of what is going away.

A change is declared once, in `v1_0/announced.py`. An operation that is deprecated names its announcement.
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
    """`name` is stable, and what links to it end with. It is so from `effective` on; what is deprecated goes at
    `sunset`. `operations` by their operationId, `fields` as `Shape.member`; none of both: the API as a whole.
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
    """`Deprecation` (RFC 9745), `Sunset` (RFC 8594), and the link to what is to be done about it."""
    fields = {
        "deprecation": f"@{_seconds(announcement.effective)}",
        "link": f'<{PAGE}#{announcement.name}>; rel="deprecation"; type="text/html"',
    }
    if announcement.sunset:
        fields["sunset"] = format_date_time(_seconds(announcement.sunset))
    return fields


def _seconds(day: date) -> int:
    return int(datetime.combine(day, time(), UTC).timestamp())
