"""Rows by what somebody types: of 100,000 rows in a few milliseconds.

Both databases keep an index of the searched text by its groups of three letters. Where very many rows hold a text the
first ones are found soonest in their own order, so those are looked through first, and the index only after them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

import msgspec

from formwright.core.storage.database import Reading, Row
from formwright.domain.datasources.folding import BETWEEN, CELL_SEARCHED, needle, trigrams, words
from formwright.domain.datasources.model import DataRow, Datasource, Search

FURTHEST = 20_000
"""Among how many numbers single letters are looked for."""
FIRST_LOOK = 2000
"""How many numbers are looked through in order before the index is asked."""
_WORDS = 20
_PATTERN = r"'%' || replace(replace(replace(${}, '\', '\\'), '%', '\%'), '_', '\_') || '%'"
_decode = msgspec.json.Decoder(dict[str, str]).decode


async def search(tx: Reading, of: Datasource, wanted: Search, *, after: int, limit: int) -> list[DataRow]:
    """Up to `limit` rows behind the number `after` that fit, in their order (`skip` and `key` are not looked at)."""
    sought = list(dict.fromkeys(map(needle, words(wanted.text)[:_WORDS])))
    if wanted.shown is not None:
        wanted = replace(wanted, shown=wanted.shown | {of.key_column})
    found: list[DataRow] = []
    first = max(after, of.place << 32)
    # Of a single letter, PostgreSQL's index knows nothing.
    whole = FURTHEST if all(len(one.strip()) == 1 for one in sought) and not wanted.by else 2**32 - 1
    for stop in (first + FIRST_LOOK, (of.place << 32) + whole):
        step = limit + 50
        while after < stop and len(found) < limit:
            rows = await _rows(tx, of, wanted, sought, after, stop, step)
            found += [
                DataRow(number, key, data) for number, key, data, text in rows if _shows(data, text, wanted, sought)
            ]
            after = rows[-1][0] if len(rows) == step else stop
            step = 1000
    return found[:limit]


def _shows(data: str, text: str, wanted: Search, sought: Sequence[str]) -> bool:
    """Whether a row has the cells of `by`, and its shown cells hold all words.

    What is not shown must not be found out by searching.
    """
    if not wanted.by and (wanted.shown is None or not sought):
        return True
    if not has_cells(data, wanted.by):
        return False
    shown = wanted.shown
    if shown is None:
        return True
    cells = _decode(data)
    looked = BETWEEN.join(part for name, part in zip(cells, text.split(BETWEEN), strict=True) if name in shown)
    return all(one in looked for one in sought)


def has_cells(data: str, by: Mapping[str, str] | None) -> bool:
    """Whether a row has all of these cells."""
    if not by:
        return True
    cells = _decode(data)
    return all(cells.get(column, "") == value for column, value in by.items())


async def _rows(
    tx: Reading, of: Datasource, wanted: Search, sought: Sequence[str], after: int, stop: int, limit: int
) -> Sequence[Row]:
    """Rows that may fit, with their searched text: the index knows groups of letters, and of the cells their words."""
    needles = list(dict.fromkeys([*sought, *_whole_words(wanted.by or {})]))
    args = [of.customer_id, of.id, of.version, after, stop, *needles]
    if needles:
        args.append(_match(needles))
    return await tx.fetch(_sql(len(needles), limit, in_order=stop - after <= FURTHEST), *args)


@lru_cache(maxsize=256)
def _sql(needles: int, limit: int, *, in_order: bool) -> str:
    own = "f.rowid" if needles else "r.number"
    number, source, where = f"/*sqlite {own}*//*postgres r.number*/", "", ""
    for place in range(6, 6 + needles):
        held = f"strpos(r.search, ${place}) > 0" if in_order else f"r.search LIKE {_PATTERN.format(place)}"
        where += f" AND /*postgres {held}*//*sqlite instr(r.search, ${place}) > 0*/"
    if needles:
        source = "/*sqlite datasource_search AS f CROSS JOIN*/ "
        match = f"${6 + needles}"
        where += f" AND /*postgres {match}::text IS NOT NULL*//*sqlite f.datasource_search MATCH {match}"
        where += " AND r.number = f.rowid*/"
    # Left to guess which of its two indexes is better here, PostgreSQL is wrong by a factor of a hundred: each of the
    # two looks is written so that only one of them fits.
    by_letters = needles and not in_order
    customer = "/*postgres (r.customer_id || '')*//*sqlite r.customer_id*/" if by_letters else "r.customer_id"
    return (
        "/*postgres WITH hits AS MATERIALIZED (*/"
        f"SELECT r.number, r.key, r.data, r.search FROM {source}datasource_rows AS r"
        f" WHERE {customer} = $1 AND r.datasource_id = $2 AND r.since <= $3 AND r.until > $3"
        f" AND {number} > $4 AND {number} <= $5{where}"
        f"/*postgres ) SELECT * FROM hits ORDER BY number LIMIT {limit}*//*sqlite ORDER BY {own} LIMIT {limit}*/"
    )


def _match(needles: Sequence[str]) -> str:
    """The groups of letters as FTS5 reads them, all to be there."""
    parts = dict.fromkeys(part for text in needles for part in trigrams(text))
    return " ".join('"' + part.replace('"', '""') + '"' for part in parts)


def _whole_words(by: Mapping[str, str]) -> list[str]:
    """Words that a row must hold to have these cells."""
    return [f"  {word}  " for value in by.values() if len(value) <= CELL_SEARCHED for word in words(value)]
