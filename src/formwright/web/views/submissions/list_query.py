"""The query of the list of submissions in the request, and what only pages need of it."""

import re

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Window
from formwright.domain.saved_views.list_query import ListQuery, Reader, parse_list_query
from formwright.domain.submissions.models import Submission
from formwright.domain.users import service as users
from formwright.web.http import Request
from formwright.web.page import PublicPage

_MAX_PEOPLE = 500
_PERIODS = (1, 7, 30, 90, 365)


def read_list_query(page: PublicPage) -> ListQuery:
    """Parse the query of a page."""
    now = page.ctx.clock.now()
    return parse_list_query(list(page.query.multi_items()), now=now)


def is_demanding(request: Request) -> bool:
    """Whether the query may read many submissions: it searches, filters by answers, or names a view that may do so."""
    given = [name for name, text in request.query.multi_items() if text]
    return any(name in ("q", "view") or name.startswith("answers.") for name in given)


def parse_place(text: str) -> int | None:
    """Parse the number by which a list is ordered (milliseconds); None if it is malformed."""
    return int(text) if re.fullmatch(r"[0-9]{1,15}", text) else None


def row_url(record: Submission, query: ListQuery) -> str:
    """Return the URL of a submission in the list of the query, so that its page can lead to its neighbours."""
    more = {"at": str(record.updated)} if query.order.by_update else {}
    return query.url(f"/submissions/{record.id}", **more)


async def list_people(tx: ReadTransaction, reader: Reader) -> list[tuple[str, str]]:
    """Return the ids and names of the people to filter by; empty if the reader may not see people."""
    if Permission.PEOPLE_READ not in reader.actor.permissions:
        return []
    page = await users.page(tx, reader.actor, Window(_MAX_PEOPLE))
    return [(user.id, user.name) for user in page.items]


def list_periods(query: ListQuery) -> list[tuple[str, str]]:
    """Return the options of the filter by the last days, with that of the query."""
    days = sorted({*_PERIODS, query.days or 1})
    return [(str(number), "Today" if number == 1 else f"Last {number:,} days") for number in days]
