"""Reads the rows that a query asks for.

A filter is tested row by row, on records that SQL has narrowed down as far as it can. A request examines a bounded
number of records: a page may have fewer rows than its size, even none, and a link to the next one. So no query takes
long, however few rows match. Only what needs all rows at once, sorting and counting, is refused if there are too many.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.context import AppContext
from formwright.core.auth.actor import Actor
from formwright.core.offload import offload
from formwright.core.pagination import MAX_LIMIT, Page, Window
from formwright.odata.filters import Filter, compile_filter
from formwright.odata.options import PageToken, QueryOptions, check_names, option_error
from formwright.odata.sources import Selection
from formwright.odata.tables import ODataTable

MAX_EXAMINED = 20_000
"""Records that a request examines for a page."""
MAX_AT_ONCE = 50_000
"""Records that a request examines to sort or to count rows."""

Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RowPage:
    """Rows as JSON objects. `next` is where the next page begins; `count` is the number of all rows, if wanted."""

    rows: Sequence[Record]
    next: PageToken | None
    count: int | None


class TableReader:
    """Reads one query of a table."""

    def __init__(self, ctx: AppContext, actor: Actor, table: ODataTable, options: QueryOptions) -> None:
        self._ctx, self._actor, self._table, self._options = ctx, actor, table, options
        check_names(options.select or (), table.columns, "$select")
        check_names([name for name, _ in options.order], table.columns, "$orderby")
        check_names(options.expand, table.repeats, "$expand")
        self._filter: Filter | None = None
        if options.filter is not None:
            self._filter = compile_filter(options.filter, table.types, ctx.clock.now())
        in_order_of_change = [*options.order] == [("_updated", False)]
        required = self._filter.required if self._filter else ()
        self._selection = Selection(required, table.types, in_order_of_change)
        self._sorts = bool(options.order) and not in_order_of_change
        self._cells = [(name, table.columns[name].read_json) for name in options.select or table.columns]

    async def read(self) -> RowPage:
        """Return the page. Raises `QueryInvalid` if too many rows would have to be sorted or counted."""
        count = await self.count() if self._options.count and self._options.is_first_page else None
        page = await (self._sorted_page() if self._sorts else self._page())
        return RowPage(page.rows, page.next, count)

    async def count(self) -> int:
        """Return the number of rows that match the filter, regardless of `$top` and `$skip`."""
        if self._filter is None and self._table.counts_records:
            async with self._ctx.db.reading(long=True) as tx:
                total = await self._table.source.count(tx, self._actor)
            if total is not None:
                return total
        return len(await self._all_rows("$count", self._filter.names if self._filter else ()))

    async def _page(self) -> RowPage:
        token = self._options.start
        rows: list[Record] = []
        skip, top, position, examined = token.skip, token.top, token.position, 0
        while True:
            page = await self._read_records(Window(min(MAX_LIMIT, self._options.page_size), position))
            examined += len(page.items)
            batch = await offload(self._convert, page, skip, top, self._options.page_size - len(rows))
            rows += batch.rows
            skip, top = batch.skip, None if top is None else top - len(batch.rows)
            if top == 0:
                return RowPage(rows, None, None)
            # If the last record filled the page, `page.next` also says whether more records follow.
            if batch.end is not None and batch.end is not page.items[-1]:
                position = self._table.source.position(batch.end, self._selection)
            elif page.next is None:
                return RowPage(rows, None, None)
            else:
                position = page.next
            if len(rows) >= self._options.page_size or examined >= MAX_EXAMINED:
                return RowPage(rows, PageToken((position.number, position.id), skip, top, token.sequence), None)

    async def _read_records(self, window: Window) -> Page[Any]:
        async with self._ctx.db.reading(long=True, listing=True) as tx:
            return await self._table.source.read(tx, self._actor, self._selection, window)

    def _convert(self, page: Page[Any], skip: int, top: int | None, remaining: int) -> "_Batch":
        """Return the rows of records as JSON objects. It stops after the record whose rows fill the page."""
        rows: list[Record] = []
        for record in page.items:
            for row in self._table.rows(record):
                if not self.matches(row):
                    continue
                if skip:
                    skip -= 1
                elif top is None or len(rows) < top:
                    rows.append(self.to_json(row, record))
            if len(rows) >= remaining:
                return _Batch(rows, skip, record)
        return _Batch(rows, skip, None)

    def matches(self, row: Any) -> bool:
        """Whether a row matches the filter."""
        filter_ = self._filter
        if filter_ is None:
            return True
        return filter_.matches({name: self._table.columns[name].read(row) for name in filter_.names})

    def to_json(self, row: Any, record: Any) -> Record:
        """Return a row as a JSON object with the selected columns and the expanded repeats."""
        found = {name: read(row) for name, read in self._cells}
        for name in self._options.expand:
            repeat = self._table.repeats[name]
            found[name] = [
                {column.name: column.read_json(one) for column in repeat.columns.values()}
                for one in repeat.rows(record)
            ]
        return found

    async def _sorted_page(self) -> RowPage:
        """Sort all rows, and return those of the page. Nothing is kept between the requests for pages."""
        order = self._options.order
        found = await self._all_rows("$orderby", [name for name, _ in order])
        await offload(_sort, found, order)
        token = self._options.start
        size = self._options.page_size if token.top is None else min(self._options.page_size, token.top)
        part = found[token.skip : token.skip + size]
        rows = await offload(lambda: [self.to_json(row, record) for _, row, record in part])
        end, top = token.skip + len(part), None if token.top is None else token.top - len(part)
        more = end < len(found) and top != 0
        return RowPage(rows, PageToken(None, end, top, token.sequence) if more else None, None)

    async def _all_rows(self, option: str, names: Sequence[str] | frozenset[str]) -> list[tuple[Record, Any, Any]]:
        """Return all matching rows with the values of some columns: value by name, row, and record."""
        found: list[tuple[Record, Any, Any]] = []
        window: Window | None = Window(MAX_LIMIT)
        examined = 0
        while window:
            page = await self._read_records(window)
            examined += len(page.items)
            if examined > MAX_AT_ONCE:
                detail = f"This would have to read more than {MAX_AT_ONCE:,} rows. Restrict them with $filter."
                raise option_error(option, detail)
            found += await offload(self._find_matching, page, names)
            window = Window(MAX_LIMIT, page.next) if page.next else None
        return found

    def _find_matching(self, page: Page[Any], names: Sequence[str] | frozenset[str]) -> list[tuple[Record, Any, Any]]:
        columns = self._table.columns
        return [
            ({name: columns[name].read(row) for name in names}, row, record)
            for record in page.items
            for row in self._table.rows(record)
            if self.matches(row)
        ]


@dataclass(frozen=True, slots=True)
class _Batch:
    """The rows of some records. `end` is the record after which the page is full, or None if it isn't."""

    rows: list[Record]
    skip: int
    end: Any | None


def _sort(found: list[tuple[Record, Any, Any]], order: Sequence[tuple[str, bool]]) -> None:
    """Sort rows by their values. Null is less than every value (OData 4.0, Protocol, section 11.2.5.2)."""

    def key(name: str) -> Callable[[tuple[Record, Any, Any]], tuple[bool, Any]]:
        return lambda one: (one[0][name] is not None, one[0][name] if one[0][name] is not None else 0)

    # Sorting is stable, so the column that matters most is sorted last.
    for name, descending in reversed(order):
        found.sort(key=key(name), reverse=descending)
