"""A SELECT that is put together from conditions, for lists that can be filtered."""

from collections.abc import Callable, Iterable, Sequence
from functools import reduce

import msgspec

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import Place, RenderedPage, Window

_SMALL = {"ς": "σ", "İ": "i", "ẞ": "ß"}
"""Letters whose small one `lower` gives by those around, as two, or as one that has another big one."""
_AT_ONCE = 6


def _small(letter: str) -> str:
    return _SMALL.get(letter) or letter.lower()


def folded(text: str) -> str:
    """As `Query.holding` compares texts: upper and lower case are one."""
    return "".join(map(_small, text))


def _others(text: str) -> list[tuple[str, str]]:
    """The letters beyond ASCII that are one with a letter of the text, each with the small one."""
    small = {_small(letter) for letter in text}
    big = {letter.upper() for letter in small}
    known = {*text, *_SMALL, *(letter for letter in big if len(letter) == 1)}
    pairs = ((letter, _small(letter)) for letter in sorted(known) if not letter.isascii())
    return [(letter, to) for letter, to in pairs if letter != to and to in small]


def _translated(text: str, known: str, small: str, count: int) -> str:
    """What SQLite has no function for. Many calls in one another it does not read, and step by step takes longer."""
    if count > _AT_ONCE:
        one = f"replace(t, substr({known}, n, 1), substr({small}, n, 1))"
        steps = f"SELECT 1, {text} UNION ALL SELECT n + 1, {one} FROM step WHERE n <= {count}"  # noqa: S608
        return f"(WITH RECURSIVE step (n, t) AS ({steps}) SELECT t FROM step WHERE n > {count})"  # noqa: S608
    parts = (f"substr({known}, {n}, 1), substr({small}, {n}, 1)" for n in range(1, count + 1))
    return reduce(lambda sql, part: f"replace({sql}, {part})", parts, text)


class Query:
    """Collects conditions and their parameters; values only ever travel as parameters."""

    def __init__(self, select: str, customer_id: str) -> None:
        self._select = select
        self.args: list[object] = [customer_id]
        self._conditions = ["customer_id = $1"]

    def where(self, condition: str, *values: object) -> "Query":
        """Add a condition in which each `?` stands for the next of `values`."""
        for value in values:
            self.args.append(value)
            condition = condition.replace("?", f"${len(self.args)}", 1)
        self._conditions.append(condition)
        return self

    def place(self, value: object) -> str:
        """Hand a value in, and say where: for a condition that names it more than once."""
        self.args.append(value)
        return f"${len(self.args)}"

    def holding(self, text: str, postgres: str, sqlite: str) -> tuple[str, str]:
        """The condition of each database that a text expression holds `text`, upper and lower case being one.

        `lower` is sure of ASCII alone, so the other letters of the text are told it.
        """
        if others := _others(text):
            known, small = (self.place("".join(part)) for part in zip(*others, strict=True))
            postgres = f"translate({postgres}, {known}::text, {small}::text)"
            sqlite = _translated(sqlite, known, small, len(others))
        at = self.place(folded(text))
        return f"strpos(lower({postgres}), {at}::text) > 0", f"instr(lower({sqlite}), {at}) > 0"

    def one_of(self, column: str, values: "Sequence[str]") -> "Query":
        """The column has one of `values`; none at all means that it does not matter."""
        return self.where(f"{column} IN ({', '.join('?' * len(values))})", *values) if values else self

    def any_of(self, column: str, values: Iterable[str]) -> "Query":
        """The column has one of `values`, however many they are; with none of them nothing fits."""
        self._conditions.append(self._among(column, values))
        return self

    def inside(self, scope: Scope, form: str = "form_id") -> "Query":
        """Only what belongs to a form in the scope; `form` is the column with that form's id.

        Each list and each finder of what belongs to forms says this, so that none shows what another hides.
        """
        reach = scope.reach
        if reach is None:
            return self
        if reach.folder_ids:
            near = f"{self._among('id', reach.form_ids)} OR {self._among('folder_id', reach.folder_ids)}"
            self._conditions.append(f"{form} IN (SELECT id FROM forms WHERE customer_id = $1 AND ({near}))")  # noqa: S608
        elif len(reach.form_ids) == 1:
            # A link's only case, and a frequent one of people: found by the index, as with any other filter.
            self.where(f"{form} = ?", *reach.form_ids)
        else:
            self.any_of(form, reach.form_ids)
        return self

    def inside_folders(self, scope: Scope, folder: str = "id") -> "Query":
        """Only folders in the scope; `folder` is the column with their id."""
        return self if scope.reach is None else self.any_of(folder, scope.reach.folder_ids)

    def _among(self, column: str, values: Iterable[str]) -> str:
        return f"{column} {among(self.place(msgspec.json.encode(sorted(values)).decode()))}"

    def sql(self) -> str:
        """The SQL of all that fits."""
        return f"{self._select} WHERE {' AND '.join(self._conditions)}"

    def union(self, parts: Sequence[str]) -> str:
        """The SQL of several parts of it, as of one moment: each is a condition more, with an order and a limit."""
        return " UNION ALL ".join(f"SELECT * FROM ({self.sql()} AND {part}) AS part" for part in parts)  # noqa: S608

    def window(self, window: Window, number: str, *, descending: bool = False) -> str:
        """The SQL of one page in the order of `number`, then id; it reads one row more than the limit."""
        return self._ordered(window.after, window.limit + 1, number, descending=descending)

    def joined(self, window: Window, number: str, *, descending: bool = False) -> str:
        """The SQL of one page by the columns `_JOINED`: a row for each row, or one row for all."""
        rows = self._ordered(window.after, window.limit, number, descending=descending)
        text = "CASE WHEN count(text) = count(*) THEN CAST(group_concat(text) AS BLOB) END"
        last = f"count(*), {'min' if descending else 'max'}(number), group_concat(id, ' ')"
        return f"/*sqlite SELECT {text}, {last} FROM (*/{rows}/*sqlite ) AS page*/"  # noqa: S608

    def _ordered(self, after: Place | None, limit: int, number: str, *, descending: bool) -> str:
        sign, direction = ("<", "DESC") if descending else (">", "ASC")
        if after:
            self.where(f"({number}, id) {sign} (?, ?)", *after)
        return f"{self.sql()} ORDER BY {number} {direction}, id {direction} LIMIT {limit}"


_JOINED = "/*postgres textsend(({text})::text), 1, {number}, id*//*sqlite {text} AS text, {number} AS number, id*/"
"""The text of a row, or of some joined, as bytes; of how many; the number of the last; the ids."""


async def read_joined(
    tx: ReadTransaction,
    query: Callable[[str], Query],
    column: str,
    window: Window,
    number: str,
    *,
    descending: bool = False,
) -> RenderedPage | None:
    """A page of a list whose rows have their JSON in a column (or an expression); None where one has none there.
    `query` is the list, with columns of one's choice.

    On SQLite the page comes as one row: row by row a thousand of them take three times as long, and many times where
    threads do so side by side, for Python's sqlite3 lets the others in at each. PostgreSQL sends them one by one: it
    takes more than twice as long to make one text of them.
    """
    page = query(_JOINED.format(text=column, number=number))
    found = await tx.fetch(page.joined(window, number, descending=descending), *page.args)
    rows = [row for row in found if row[1]]
    texts = [row[0] for row in rows]
    if None in texts:
        return None
    items = b",".join(texts)
    if sum(row[1] for row in rows) < window.limit:
        return RenderedPage(items, None)
    *_, last, ids = rows[-1]
    place = Place(last, ids.rpartition(" ")[2])
    rest, behind = query("1"), Window(0, place)
    more = await tx.fetch_one(rest.window(behind, number, descending=descending), *rest.args)
    return RenderedPage(items, place if more else None)


def among(place: str, kind: str = "text") -> str:
    """The condition that a column has one of many values: a JSON array, handed in as the parameter `place`.

    As an array, or PostgreSQL guesses how many there are and goes through all rows.
    """
    array = f"/*postgres = ANY (ARRAY(SELECT jsonb_array_elements_text({place}::jsonb)::{kind}))*/"
    return f"{array}/*sqlite IN (SELECT value FROM json_each({place}))*/"  # noqa: S608
