"""Records are written to columns that are named like their attributes, and read from their fields in order."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import msgspec
from fixtures.app_contexts import open_migrated_context, settings_for

from formwright.core.db.query import Query
from formwright.core.db.record_reader import RecordReader
from formwright.core.db.record_table import RecordTable
from formwright.core.pagination import Window


class Color(StrEnum):
    RED = "RED"


class Size(msgspec.Struct):
    height: int


@dataclass(frozen=True, slots=True)
class Box:
    """A record with each kind of value."""

    customer_id: str
    id: str
    color: Color
    tags: tuple[str, ...]
    size: Size | None
    is_open: bool
    weight: float | None
    cover: Color | None = None
    owner: str = "nobody"


BOXES = RecordTable[Box](
    "boxes",
    "id, customer_id, color, tags, height, size, open, weight, kind",
    "tags, size, open",
    open="is_open",
    height="size.height",
    kind=lambda box: f"{box.color} box",
)
_ALL = "SELECT id, customer_id, color, tags, height, size, open, weight, kind FROM boxes ORDER BY id"


async def test_a_record_is_inserted_and_updated(tmp_path: Path) -> None:
    box = Box("cus_1", "b1", Color.RED, ("a", "b"), Size(3), True, 1.5)
    others = [replace(box, id="b2", is_open=False, weight=None), replace(box, id="b3", customer_id="cus_2")]
    async with open_migrated_context(settings_for(tmp_path)) as ctx, ctx.db.writing() as tx:
        await tx.execute("CREATE TABLE boxes (id, customer_id, color, tags, height, size, open, weight, kind)")
        await BOXES.insert(tx, box, kind="a given kind")
        await BOXES.insert_many(tx, others)
        inserted = [tuple(row) for row in await tx.fetch(_ALL)]
        changed = replace(box, tags=(), size=None, is_open=False, weight=9.0, color=Color("RED"))
        await BOXES.update(tx, changed)
        await BOXES.update(tx, replace(others[1], customer_id="cus_1"))
        updated = [tuple(row) for row in await tx.fetch(_ALL)]
    assert inserted == [
        ("b1", "cus_1", "RED", '["a","b"]', 3, '{"height":3}', 1, 1.5, "a given kind"),
        ("b2", "cus_1", "RED", '["a","b"]', 3, '{"height":3}', 0, None, "RED box"),
        ("b3", "cus_2", "RED", '["a","b"]', 3, '{"height":3}', 1, 1.5, "RED box"),
    ]
    assert updated == [
        ("b1", "cus_1", "RED", "[]", 3, None, 0, 1.5, "a given kind"),
        *inserted[1:],
    ], "an update changes only its columns, and only rows of the account"


async def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = RecordTable[Box]("boxes", "customer_id, id, color, tags, size, is_open, weight, cover")
    reader = RecordReader(Box, weight=lambda weight: weight and weight * 2)
    first = Box("cus_1", "b1", Color.RED, ("a", "b"), Size(3), True, 1.5, Color.RED)
    others = [replace(first, id="b2", tags=(), size=None, is_open=False, weight=None, cover=None)]
    async with open_migrated_context(settings_for(tmp_path)) as ctx, ctx.db.writing() as tx:
        await tx.execute("CREATE TABLE boxes (customer_id, id, color, tags, size, is_open, weight, cover)")
        await table.insert_many(tx, [first, *others])

        def query() -> Query:
            return Query("SELECT customer_id, id, color, tags, size, is_open, weight, cover FROM boxes", "cus_1")

        read = sorted(await reader.fetch(tx, query()), key=lambda box: box.id)
        assert read == [replace(first, weight=3.0), *others]
        assert (type(read[0].is_open), type(read[0].cover)) == (bool, Color)
        assert await reader.find(tx, query().where("id = ?", "b2")) == others[0]
        assert await reader.find(tx, query().where("id = ?", "b3")) is None
        page = await reader.page(tx, query(), Window(1), "weight", descending=True)
        assert (page.items, page.next and page.next.number) == ([replace(first, weight=3.0)], 3.0)
