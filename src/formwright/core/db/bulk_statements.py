"""Statements of PostgreSQL that each have rows, put together as one: a single way to the server, however many they are.

For each row that is run by itself the server begins and ends a statement, and opens all indexes of its tables. So
`ROWS` of each statement are run at once; who has fewer than another fills up with rows of nothing, which are passed by.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, count

from formwright.core.db.interface import for_postgres

ROWS = 8
_INSERT = re.compile(r"(INSERT INTO \w+ \([^)]*\)) VALUES \((.*?)\)( ON CONFLICT .*)?", re.DOTALL)
_UPDATE = re.compile(r"(UPDATE \w+ SET .*) WHERE (.*)", re.DOTALL)

Kinds = tuple[str, ...]
"""The types of a statement's parameters, as PostgreSQL names them."""
Part = tuple[str, Kinds]


@lru_cache(maxsize=512)
def as_one(parts: tuple[Part, ...], size: int) -> str:
    """What runs each of these for `size` rows. Each that WITH names runs once, and all see what was there before.

    `ValueError` for what is neither an INSERT of VALUES nor an UPDATE.
    """
    places = count(1)
    texts = [_of_rows(for_postgres(sql), kinds, size, places) for sql, kinds in parts]
    named = ", ".join(f"part{number} AS ({text})" for number, text in enumerate(texts[:-1]))
    return f"WITH {named} {texts[-1]}" if named else texts[0]


def _of_rows(sql: str, kinds: Kinds, size: int, places: Iterator[int]) -> str:
    # The first row says of what type a column is.
    rows = [
        [f"${next(places)}::{kind}" for kind in kinds],
        *([f"${next(places)}" for _ in kinds] for _ in range(1, size)),
    ]
    values = ", ".join(f"({', '.join(row)})" for row in rows)
    names = ", ".join(f"p{place}" for place, _ in enumerate(kinds, 1))
    source = f"(VALUES {values}) AS each ({names})"
    text = re.sub(r"\$(\d+)", r"each.p\1", sql)
    if found := _INSERT.fullmatch(text):
        return f"{found[1]} SELECT {found[2]} FROM {source} WHERE each.p1 IS NOT NULL{found[3] or ''}"  # noqa: S608
    if found := _UPDATE.fullmatch(text):
        return f"{found[1]} FROM {source} WHERE {found[2]}"
    raise ValueError(f"cannot be run for many rows at once: {sql}")


def arguments(parts: Sequence[Part], rows: Sequence[Sequence[Sequence[object]]], size: int) -> list[tuple[object, ...]]:
    """The parameters of `as_one`, once for each time that it is to be run; `rows` are those of each part."""
    most = max(map(len, rows))
    padded = [
        [*some, *[(None,) * len(kinds)] * (-(-most // size) * size - len(some))]
        for (_, kinds), some in zip(parts, rows, strict=True)
    ]
    return [
        tuple(chain.from_iterable(chain.from_iterable(some[at : at + size] for some in padded)))
        for at in range(0, most, size)
    ]
