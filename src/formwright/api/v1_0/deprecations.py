"""The operation that lists announced changes to the API."""

from collections.abc import Sequence

from formwright.api import deprecations
from formwright.api.context import RequestContext
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0 import deprecation_list
from formwright.api.v1_0.schemas import deprecations as schemas
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.pagination import Position, cut_page

OPERATIONS = OperationGroup("Announcements", reads=Permission.CUSTOMER_READ)


@OPERATIONS.declare("GET", ("listAnnouncements", "/announcements"))
async def list_announcements(call: RequestContext, query: schemas.AnnouncementQuery) -> List[schemas.Announcement]:
    """List announced changes to the API.

    Returns upcoming changes, such as deprecations, with the most recent announcement first. The list is empty as long
    as no change is planned. Check it once a day; the responses of deprecated operations also carry the headers
    `Deprecation` and `Sunset`.
    """
    allow(call.actor, Permission.CUSTOMER_READ)
    window, found = query.window(), _select(deprecation_list.ANNOUNCEMENTS, query)
    start = window.after.number if window.after else 0
    rows = list(enumerate(found, 1))[start : start + window.limit + 1]
    page = cut_page(rows, window.limit, lambda row: Position(row[0], row[1].name))
    return call.listing(page, lambda row: schemas.announcement(row[1]))


def _select(
    announcements: Sequence[deprecations.Announcement], query: schemas.AnnouncementQuery
) -> list[deprecations.Announcement]:
    kinds, operations = set(query.kind), set(query.operation)
    return [
        announcement
        for announcement in announcements
        if (not kinds or announcement.kind in kinds) and (not operations or operations & set(announcement.operations))
    ]
