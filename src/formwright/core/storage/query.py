"""A SELECT that is put together from conditions, for lists that can be filtered."""

from collections.abc import Sequence

from formwright.core.kernel.paging import Window


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

    def one_of(self, column: str, values: "Sequence[str]") -> "Query":
        """The column has one of `values`; none at all means that it does not matter."""
        return self.where(f"{column} IN ({', '.join('?' * len(values))})", *values) if values else self

    def sql(self) -> str:
        """The SQL of all that fits."""
        return f"{self._select} WHERE {' AND '.join(self._conditions)}"

    def window(self, window: Window, number: str, *, descending: bool = False) -> str:
        """The SQL of one page in the order of `number`, then id; it reads one row more than the limit."""
        sign, direction = ("<", "DESC") if descending else (">", "ASC")
        if window.after:
            self.where(f"({number}, id) {sign} (?, ?)", *window.after)
        return f"{self.sql()} ORDER BY {number} {direction}, id {direction} LIMIT {window.limit + 1}"


def among(place: str, kind: str = "text") -> str:
    """The condition that a column has one of many values: a JSON array, handed in as the parameter `place`.

    As an array, or PostgreSQL guesses how many there are and goes through all rows.
    """
    array = f"/*postgres = ANY (ARRAY(SELECT jsonb_array_elements_text({place}::jsonb)::{kind}))*/"
    return f"{array}/*sqlite IN (SELECT value FROM json_each({place}))*/"  # noqa: S608
