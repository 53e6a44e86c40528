"""Lists, which the server returns in pages."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from formwright_client.encoding import QueryPairs

T = TypeVar("T")
FetchPage = Callable[[QueryPairs], Awaitable[Any]]


class AsyncPaginator(Generic[T]):
    """All items of a list, for `async for`. Each page is requested when the previous one has been consumed.

    Items added at the end during the iteration are neither skipped nor repeated. Each loop begins at the start.
    """

    def __init__(self, fetch: FetchPage, query: QueryPairs) -> None:
        self._fetch, self._query = fetch, query

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page:
                yield item

    async def pages(self) -> AsyncIterator[list[T]]:
        """Return an iterator over the pages: lists of at most `limit` items."""
        async for page in fetch_pages(self._fetch, self._query):
            yield page["features"] if "features" in page else page["items"]


async def fetch_pages(fetch: FetchPage, query: QueryPairs) -> AsyncIterator[Any]:
    """Return an iterator over the pages as the server returns them.

    Only the query of `next` is used, so the API key never goes to another address.
    """
    following: QueryPairs | None = query
    while following is not None:
        page = await fetch(following)
        yield page
        following = parse_qsl(urlsplit(page["next"]).query, keep_blank_values=True) if page["next"] else None
