"""The request class of the pages.

It removes NUL characters from text, because no database accepts them. It parses cookies, queries and forms itself: the
framework unquotes cookies, which takes quadratic time in older versions of Python (CVE-2024-7592), and keeps the last
1,024 results of any size.
"""

from typing import Any
from urllib.parse import parse_qsl

from litestar import Request
from litestar.datastructures import FormMultiDict, MultiDict
from litestar.enums import RequestEncodingType
from litestar.exceptions.http_exceptions import RequestEntityTooLarge
from litestar.types import Scope

MAX_FORM = 1024 * 1024
"""Maximum size of a form without files, in bytes. The largest form lists the addresses of a thousand people."""
MAX_FORM_FIELDS = 5000


class PageRequest(Request[Any, Any, Any]):
    """A request whose form values contain no NUL characters. Files are not changed."""

    @property
    def cookies(self) -> dict[str, str]:
        """The cookies by name, as they were sent."""
        return parse_cookies(self.headers.get("cookie", ""))

    @property
    def query_params(self) -> MultiDict[Any]:
        """The query parameters in order."""
        return MultiDict(_parse_pairs(self.scope["query_string"]))

    async def form(self) -> FormMultiDict:
        if self.content_type[0] == RequestEncodingType.URL_ENCODED:
            raw = await self.body()
            if len(raw) > MAX_FORM or raw.count(b"&") >= MAX_FORM_FIELDS:
                raise RequestEntityTooLarge
            return FormMultiDict([(_remove_nul(name), _remove_nul(value)) for name, value in _parse_pairs(raw)])
        form = await super().form()
        return FormMultiDict([(_remove_nul(name), _remove_nul(value)) for name, value in form.multi_items()])


def parse_cookies(header: str) -> dict[str, str]:
    """Return the cookies by name. The last of several with a name counts.

    Values are not unquoted: ours contain no escapes, although some are set in double quotes.
    """
    pairs = (part.partition("=") for part in header.split(";"))
    return {name.strip(): value.strip().strip('"') for name, _, value in pairs if name.strip()}


def _parse_pairs(encoded: bytes) -> list[tuple[str, str]]:
    return parse_qsl(encoded.decode("latin-1"), keep_blank_values=True, errors="replace")


def _remove_nul(value: Any) -> Any:
    return value.replace("\0", "") if isinstance(value, str) else value


def remove_nul_from_scope(scope: Scope) -> None:
    """Remove NUL characters from the query string, and replace them in the path by a character that no id contains."""
    scope["path"] = scope["path"].replace("\0", "\ufffd")
    query = scope["query_string"]
    while b"%00" in query:
        # Repeat, because removing one from "%0%000" leaves another.
        query = query.replace(b"%00", b"")
    scope["query_string"] = query
