"""Records are written to columns that are named like their attributes."""

from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import msgspec
from fixtures.app_contexts import open_migrated_context, settings_for

from formwright.core.db.record_table import RecordTable


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
