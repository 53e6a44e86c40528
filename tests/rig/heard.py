"""Hears each statement that the sources run in this process: what reading them did not find is judged as it runs."""

import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

from formwright.core.storage import connection, many, sqlite
from formwright.core.storage.database import for_postgres, for_sqlite
from rig import statements
from rig.judge import strays

TESTS = str(Path(__file__).resolve().parents[1])
_OF_TRANSACTIONS = re.compile(r"(SAVEPOINT|RELEASE|ROLLBACK)\b")
STORAGE = str(Path(sqlite.__file__).parent)


def _of_a_test() -> bool:
    """Whether it is a test that asks, which may look at everything."""
    frame: FrameType | None = sys._getframe(2)
    while frame and frame.f_code.co_filename.startswith(STORAGE):
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(TESTS)


@contextmanager
def hearing() -> Iterator[set[str]]:
    """The texts that run while the block lasts, as the rooms wrote them."""
    heard: set[str] = set()
    put_together: set[str] = set()
    putting_together = many.as_one

    def as_one(parts: tuple[many.Part, ...], size: int) -> str:
        """The parts are heard, which the rooms wrote; nobody wrote the whole."""
        text = putting_together(parts, size)
        put_together.add(text)
        heard.update(sql for sql, _ in parts)
        return text

    def listening(dialect: Callable[[str], str]) -> Callable[[str], str]:
        def listened(sql: str) -> str:
            if sql not in heard and sql not in put_together and not _of_a_test():
                heard.add(sql)
            return dialect(sql)

        return listened

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(many, "as_one", as_one)
        patch.setattr(sqlite, "for_sqlite", listening(for_sqlite))
        patch.setattr(connection, "for_postgres", listening(for_postgres))
        yield heard


def strangers(heard: set[str], tables: set[str]) -> list[str]:
    """Those among them that are in no source as they are, and touch what belongs to a customer without naming it."""
    read = {_shape(one.text) for one in statements.read() if not one.condition}
    new = {shape: sql for sql in heard if (shape := _shape(sql)) not in read and not _OF_TRANSACTIONS.match(sql)}
    return sorted(sql for sql in new.values() if for_postgres(sql) and strays(for_postgres(sql), tables))


def _shape(sql: str) -> str:
    """The text whatever its numbers: how many parameters there are, and how many rows are asked for."""
    return re.sub(r"(\$?\d+)(, \$?\d+)*", "$9", " ".join(sql.split()))
