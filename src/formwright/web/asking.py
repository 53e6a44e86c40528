"""A request as pages read it: whatever was typed, no text in it holds a NUL, which no database takes."""

from typing import Any

from litestar import Request
from litestar.datastructures import FormMultiDict
from litestar.types import Scope


class PageRequest(Request[Any, Any, Any]):
    """A request whose form has no NUL in its texts; files stay as they are."""

    async def form(self) -> FormMultiDict:
        sent = await super().form()
        return FormMultiDict([(_plain(name), _plain(value)) for name, value in sent.multi_items()])


def _plain(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


def without_nul(scope: Scope) -> None:
    """Take it out of the query too; in a path it becomes a letter that no id has: nothing is there."""
    scope["path"] = scope["path"].replace("\0", "\ufffd")
    query = scope["query_string"]
    while b"%00" in query:
        # Again, as what was around one may be one then.
        query = query.replace(b"%00", b"")
    scope["query_string"] = query
