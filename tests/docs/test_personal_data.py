"""docs/guides/personal-data.md lists every table."""

import re
import sqlite3
from pathlib import Path

from fixtures.app_contexts import open_migrated_context

from formwright.settings import Settings

PAGE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "personal-data.md"


async def test_every_table_is_listed(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    async with open_migrated_context(settings):
        pass
    with sqlite3.connect(settings.sqlite_path) as database:
        rows = database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        known = {name for (name,) in rows} - {"alembic_version"}
    database.close()
    judged = re.findall(r"^\| `(\w+)` \| .+ \|.*\|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    assert sorted(judged) == sorted(known), "say in docs/guides/personal-data.md what of a person a new table holds"
