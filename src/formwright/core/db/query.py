"""A SELECT composed of conditions, for filtered lists."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Position, RenderedPage, TimeFilter, Window

_SMALL = {"ς": "σ", "İ": "i", "ẞ": "ß"}
"""Letters for which `lower` depends on the context, returns two letters, or is not reversible."""
_AT_ONCE = 6
"""SQLite refuses statements with many more nested calls."""


def form_exists(column: str = "form_id") -> str:
    """Return the condition that a row belongs to no form in the trash; `column` has the form's id.

    What hangs on a deleted form stays in its tables, so that deleting and restoring a form with a million submissions
    takes no longer than one with none. The subquery does not depend on the row: databases run it once per statement.
    """
    return f"{column} NOT IN (SELECT id FROM trash_rows WHERE customer_id = $1 AND source = 'forms')"  # noqa: S608


def _lower(letter: str) -> str:
    return _SMALL.get(letter) or letter.lower()


def fold_case(text: str) -> str:
    """Fold the case of a text as `Query.contains` does."""
    return "".join(map(_lower, text))


def _case_pairs(text: str) -> list[tuple[str, str]]:
    """Pairs of a non-ASCII upper-case letter and its lower case, for the letters of the text."""
    small = {_lower(letter) for letter in text}
    big = {letter.upper() for letter in small}
    known = {*text, *_SMALL, *(letter for letter in big if len(letter) == 1)}
    pairs = ((letter, _lower(letter)) for letter in sorted(known) if not letter.isascii())
    return [(letter, to) for letter, to in pairs if letter != to and to in small]


def _replace_sql(text: str, letters: str, small: str, count: int) -> str:
    """Emulate `translate` for SQLite with nested `replace` calls or, beyond its depth limit, a slower recursive CTE."""
    if count > _AT_ONCE:
        one = f"replace(t, substr({letters}, n, 1), substr({small}, n, 1))"
        steps = f"SELECT 1, {text} UNION ALL SELECT n + 1, {one} FROM step WHERE n <= {count}"  # noqa: S608
        return f"(WITH RECURSIVE step (n, t) AS ({steps}) SELECT t FROM step WHERE n > {count})"  # noqa: S608
    parts = (f"substr({letters}, {n}, 1), substr({small}, {n}, 1)" for n in range(1, count + 1))
    return reduce(lambda sql, part: f"replace({sql}, {part})", parts, text)


class Query:
    """Collects conditions and their parameters. Values are always passed as parameters, never in the SQL text."""

    def __init__(self, select: str, customer_id: str) -> None:
        self._select = select
        self.args: list[object] = [customer_id]
        self._conditions = ["customer_id = $1"]

    def where(self, condition: str, *values: object) -> "Query":
        """Add a condition; each `?` is replaced by the next of `values`."""
        for value in values:
            self.args.append(value)
            condition = condition.replace("?", f"${len(self.args)}", 1)
        self._conditions.append(condition)
        return self

    def bind(self, value: object) -> str:
        """Add a parameter and return its placeholder, for conditions that use it more than once."""
        self.args.append(value)
        return f"${len(self.args)}"

    def bind_columns(self, **values: object) -> "Query":
        """Add the parameters that the selected columns name, such as `:field`."""
        for name, value in values.items():
            if f":{name}" in self._select:
                self._select = self._select.replace(f":{name}", self.bind(value))
        return self

    def contains(self, text: str, postgres: str, sqlite: str) -> tuple[str, str]:
        """Return the PostgreSQL and the SQLite condition that an expression contains `text`, ignoring case.

        `lower` reliably folds ASCII only, so other letters of the text are replaced explicitly.
        """
        if others := _case_pairs(text):
            known, small = (self.bind("".join(part)) for part in zip(*others, strict=True))
            postgres = f"translate({postgres}, {known}::text, {small}::text)"
            sqlite = _replace_sql(sqlite, known, small, len(others))
        at = self.bind(fold_case(text))
        return f"strpos(lower({postgres}), {at}::text) > 0", f"instr(lower({sqlite}), {at}) > 0"

    def one_of(self, column: str, values: "Sequence[str]") -> "Query":
        """Require one of `values` in the column; an empty list adds no condition."""
        return self.where(f"{column} IN ({', '.join('?' * len(values))})", *values) if values else self

    def any_of(self, column: str, values: Iterable[str]) -> "Query":
        """Require one of `values` in the column, in any number; an empty list matches nothing."""
        self._conditions.append(self._in_values(column, values))
        return self

    def form_by_form(self) -> "Query":
        """Have SQLite read an index that begins with the form, one form after the other.

        To exclude the forms in the trash, it needs the form of each row, and would rather read all entries of such an
        index than the few rows that another index finds.
        """
        self._conditions.append("/*sqlite form_id IN (SELECT id FROM forms WHERE customer_id = $1)*//*postgres true*/")
        return self

    def in_scope(self, scope: Scope, form: str = "form_id", *, optional: bool = False) -> "Query":
        """Restrict to forms in the scope that are not in the trash; `form` is the column with the form's id.

        `id` is that of the table of forms, which has none that are in the trash. If `optional`, rows without a form
        match, too.

        Lists and single lookups use the same condition, so neither returns what the other hides.
        """
        if form != "id" and not scope.with_deleted:
            self._conditions.append(f"({form} IS NULL OR {form_exists(form)})" if optional else form_exists(form))
        reach = scope.reach
        if reach is None:
            return self
        if reach.folder_ids or optional:
            near = f"{self._in_values('id', reach.form_ids)} OR {self._in_values('folder_id', reach.folder_ids)}"
            inside = f"{form} IN (SELECT id FROM forms WHERE customer_id = $1 AND ({near}))"  # noqa: S608
            self._conditions.append(f"({form} IS NULL OR {inside})" if optional else inside)
        elif len(reach.form_ids) == 1:
            # The case of public links, and frequent for people: `=` lets the database use the index.
            self.where(f"{form} = ?", *reach.form_ids)
        else:
            self.any_of(form, reach.form_ids)
        return self

    def folders_in_scope(self, scope: Scope, folder: str = "id", *, optional: bool = False) -> "Query":
        """Restrict to folders in the scope; `folder` is the column with the folder's id.

        If `optional`, rows without a folder match, too.
        """
        if scope.reach is None:
            return self
        inside = self._in_values(folder, scope.reach.folder_ids)
        self._conditions.append(f"({folder} IS NULL OR {inside})" if optional else inside)
        return self

    def _in_values(self, column: str, values: Iterable[str]) -> str:
        return f"{column} {in_array(self.bind(msgspec.json.encode(sorted(values)).decode()))}"

    def in_times(self, times: TimeFilter) -> "Query":
        """Restrict to rows that were created and last changed in these periods."""
        for condition, value in (
            ("created >= ?", times.created_from),
            ("created < ?", times.created_to),
            ("updated >= ?", times.updated_from),
            ("updated < ?", times.updated_to),
        ):
            if value is not None:
                self.where(condition, value)
        return self

    def timed_window(self, window: Window, times: TimeFilter) -> str:
        """Return the SQL of a page of the rows in these periods. It reads one row more than the limit."""
        self.in_times(times)
        return self.window(window, times.order.column, descending=times.order.is_descending)

    def sql(self) -> str:
        """Return the SQL for all matching rows."""
        return f"{self._select} WHERE {' AND '.join(self._conditions)}"

    def union(self, parts: Sequence[str]) -> str:
        """Return the SQL of several parts in one snapshot: each adds a condition, an order and a limit."""
        return " UNION ALL ".join(f"SELECT * FROM ({self.sql()} AND {part}) AS part" for part in parts)  # noqa: S608

    def window(self, window: Window, number: str, *, descending: bool = False) -> str:
        """Return the SQL of a page ordered by `number`, then id. It reads one row more than the limit."""
        return self._ordered_sql(window.after, window.limit + 1, number, descending=descending)

    def joined_window(self, window: Window, number: str, *, descending: bool = False) -> str:
        """Return the SQL of a page with the columns `_JOINED`: one row per row, or one row for the whole page."""
        rows = self._ordered_sql(window.after, window.limit, number, descending=descending)
        # `group_concat` skips NULL, so a row without its JSON would be missing from the page.
        text = "CASE WHEN count(text) = count(*) THEN CAST(group_concat(text) AS BLOB) END"
        last = f"count(*), {'min' if descending else 'max'}(number), group_concat(id, ' ')"
        return f"/*sqlite SELECT {text}, {last} FROM (*/{rows}/*sqlite ) AS page*/"  # noqa: S608

    def _ordered_sql(self, after: Position | None, limit: int, number: str, *, descending: bool) -> str:
        sign, direction = ("<", "DESC") if descending else (">", "ASC")
        if after:
            self.where(f"({number}, id) {sign} (?, ?)", after.number, after.id)
        return f"{self.sql()} ORDER BY {number} {direction}, id {direction} LIMIT {limit}"


async def fetch_count(tx: ReadTransaction, query: Query) -> int:
    """Return the number that a `SELECT count(*)` returns."""
    row = await tx.fetch_one(query.sql(), *query.args)
    return int(row[0]) if row else 0


_JOINED = (
    "/*postgres textsend(({postgres})::text), 1, {number}, id*//*sqlite {sqlite} AS text, {number} AS number, id*/"
)
"""The JSON of one or several joined rows as bytes, their count, the number of the last row, and the ids."""


async def read_joined(
    tx: ReadTransaction,
    query: Callable[[str], Query],
    column: str | tuple[str, str],
    window: Window,
    number: str,
    *,
    descending: bool = False,
) -> RenderedPage | None:
    """Return a page of a list whose rows have their JSON in `column`; None if a row of the page has none.

    `column` is an expression, or one for PostgreSQL and one for SQLite. `query` builds the list query for the given
    columns. SQLite returns the page as one row: a thousand single rows take
    three times as long, and much longer with concurrent threads, because Python's sqlite3 switches threads at each row.
    PostgreSQL returns row by row, because joining them there takes more than twice as long.
    """
    postgres, sqlite = (column, column) if isinstance(column, str) else column
    page = query(_JOINED.format(postgres=postgres, sqlite=sqlite, number=number))
    found = await tx.fetch(page.joined_window(window, number, descending=descending), *page.args)
    rows = [row for row in found if row[1]]
    texts = [row[0] for row in rows]
    if None in texts:
        return None
    items = b",".join(texts)
    if sum(row[1] for row in rows) < window.limit:
        return RenderedPage(items, None)
    *_, last, ids = rows[-1]
    position = Position(last, ids.rpartition(" ")[2])
    rest, behind = query("1"), Window(0, position)
    more = await tx.fetch_one(rest.window(behind, number, descending=descending), *rest.args)
    return RenderedPage(items, position if more else None)


def in_array(parameter: str, kind: str = "text") -> str:
    """Return the condition that a column has one of many values, passed as a JSON array in `parameter`, such as `$2`.

    For PostgreSQL it is converted to an array; with a subquery the planner misjudges the count and scans all rows.
    """
    array = f"/*postgres = ANY (ARRAY(SELECT jsonb_array_elements_text({parameter}::jsonb)::{kind}))*/"
    return f"{array}/*sqlite IN (SELECT value FROM json_each({parameter}))*/"  # noqa: S608
