"""Rows by what somebody types: of 100,000 rows in a few milliseconds.

Both databases keep an index of the searched text by its groups of three letters. Where very many rows hold a text the
first ones are found soonest in their own order, so those are looked through first, and the index only after them.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from formwright.core.storage.database import Reading
from formwright.domain.datasources.folding import CELL_SEARCHED, needle, searched, trigrams, words
from formwright.domain.datasources.model import DataRow, Datasource, Search

FIRST_LOOK = 4000
"""How many numbers are looked through in order before the index is asked."""
_WORDS = 20
_PATTERN = r"'%' || replace(replace(replace(${}, '\', '\\'), '%', '\%'), '_', '\_') || '%'"
_decode = msgspec.json.Decoder(dict[str, str]).decode


async def search(tx: Reading, of: Datasource, wanted: Search, *, after: int, limit: int) -> list[DataRow]:
    """Up to `limit` rows behind the number `after` that fit, in their order (`skip` and `key` are not looked at)."""
    sought = list(dict.fromkeys(words(wanted.text)))[:_WORDS]
    found: list[DataRow] = []
    step = limit + 50
    for stop in (max(after, of.place << 32) + FIRST_LOOK, (of.place << 32) + 2**32 - 1):
        while len(found) < limit:
            rows = await _rows(tx, of, wanted, sought, after, stop, step)
            found += [row for row in rows if _shows(row, wanted, sought)]
            after = rows[-1].number if len(rows) == step else stop
            if after == stop:
                break
            step = 1000
    return found[:limit]


def _shows(row: DataRow, wanted: Search, sought: Sequence[str]) -> bool:
    """Whether the row has the cells of `by`, and its key and shown cells hold all words.

    What is not shown must not be found out by searching.
    """
    if not wanted.by and (wanted.shown is None or not sought):
        return True
    cells = _decode(row.data)
    if any(cells.get(column, "") != value for column, value in (wanted.by or {}).items()):
        return False
    shown = [cell for name, cell in cells.items() if wanted.shown is None or name in wanted.shown]
    text = searched([row.key, *shown])
    return all(needle(word) in text for word in sought)


async def _rows(
    tx: Reading, of: Datasource, wanted: Search, sought: Sequence[str], after: int, stop: int, limit: int
) -> list[DataRow]:
    """Rows that may fit: the index knows groups of letters, and of the cells only their words."""
    needles = list(dict.fromkeys([*map(needle, sought), *_whole_words(wanted.by or {})]))
    args = [of.customer_id, of.id, of.version, after, stop, *needles]
    if needles:
        args.append(_match(needles))
    sql = _sql(len(needles), limit, in_order=stop - after <= FIRST_LOOK)
    return [DataRow(*row) for row in await tx.fetch(sql, *args)]


@lru_cache(maxsize=256)
def _sql(needles: int, limit: int, *, in_order: bool) -> str:
    own = "f.rowid" if needles else "r.number"
    number, source, where = f"/*sqlite {own}*//*postgres r.number*/", "", ""
    for place in range(6, 6 + needles):
        where += f" AND /*postgres r.search LIKE {_PATTERN.format(place)}*//*sqlite instr(r.search, ${place}) > 0*/"
    if needles:
        source = "/*sqlite datasource_search AS f CROSS JOIN*/ "
        match = f"${6 + needles}"
        where += f" AND /*postgres {match}::text IS NOT NULL*//*sqlite f.datasource_search MATCH {match}"
        where += " AND r.number = f.rowid*/"
    # Left to itself, PostgreSQL goes through the rows in order and hopes to meet enough: so that it asks the index of
    # letters, the one of numbers is put out of its reach.
    by_letters = needles and not in_order
    customer = "/*postgres (r.customer_id || '')*//*sqlite r.customer_id*/" if by_letters else "r.customer_id"
    return (
        f"/*postgres WITH hits AS MATERIALIZED (*/SELECT r.number, r.key, r.data FROM {source}datasource_rows AS r"
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
