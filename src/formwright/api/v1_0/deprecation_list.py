"""What will change in version 1.0: every announcement, and the only place where one is made. The newest first.

    CSV_ROWS = Announcement(
        "2027-csv-rows", AnnouncementKind.DEPRECATION, "Rows of a datasource as CSV", "Send them as JSON.",
        announced=date(2027, 1, 4), effective=date(2027, 2, 1), sunset=date(2028, 2, 1),
        operations=("replaceDatasourceRows",), replacement="upsertDatasourceRows",
    )

An operation that goes names it: `@operation(..., deprecated=announced.CSV_ROWS)`.
"""

from formwright.api.deprecations import Announcement

ANNOUNCEMENTS: tuple[Announcement, ...] = ()
