"""Lists, which the server gives in pages."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

T = TypeVar("T")
Pairs = Sequence[tuple[str, str]]


class Pages(Generic[T]):
    """An iterable over all items of a list; each page is requested when the previous one has been consumed.

    Items added at the end during the iteration are neither skipped nor repeated. Each `for` loop begins at the start.
    """

    def __init__(self, ask: Callable[[Pairs], Any], query: Pairs) -> None:
        self._ask, self._query = ask, query

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page

    def pages(self) -> Iterator[list[T]]:
        """The pages, each as a list of at most `limit` items."""
        for page in followed(self._ask, self._query):
            yield page["items"]


def followed(ask: Callable[[Pairs], Any], query: Pairs) -> Iterator[Any]:
    """The pages as they are answered.

    Of `next` only the query is taken, so that the key goes where it has always gone, whatever address is said.
    """
    following: Pairs | None = query
    while following is not None:
        page = ask(following)
        yield page
        following = parse_qsl(urlsplit(page["next"]).query, keep_blank_values=True) if page["next"] else None
