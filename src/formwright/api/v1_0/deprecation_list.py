"""Every announced change to version 1.0, newest first. This is the only place where a change is announced.

    CSV_ROWS = Announcement(
        "2027-csv-rows", AnnouncementKind.DEPRECATION, "CSV rows of data sources", "Send rows as JSON.",
        announced=date(2027, 1, 4), effective=date(2027, 2, 1), sunset=date(2028, 2, 1),
        operations=("replaceDatasourceRows",), replacement="upsertDatasourceRows",
    )

A deprecated operation refers to its announcement: `@OPERATIONS.declare(..., deprecated=deprecation_list.CSV_ROWS)`.
"""

from formwright.api.deprecations import Announcement

ANNOUNCEMENTS: tuple[Announcement, ...] = ()
