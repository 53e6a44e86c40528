"""The log: one line of JSON per entry, in order, even if several lines are written at once."""

import asyncio
import io
import json
import threading
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from fixtures.server_process import eventually

from formwright import logging_config


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Return what is written to standard error."""
    stream = io.StringIO()
    before = structlog.get_config()
    monkeypatch.setattr("sys.stderr", stream)
    monkeypatch.setattr(logging_config, "_writer", logging_config._EntryWriter())
    with monkeypatch.context() as patch:
        patch.setattr("logging.Logger.setLevel", lambda *_: None)
        patch.setattr("logging.root.handlers", [])
        logging_config.configure("info")
    yield stream
    structlog.configure(**before)


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


async def _lines_of(stream: io.StringIO) -> list[dict[str, Any]]:
    return lines(stream)


def test_a_line_contains_the_message_and_the_time(written: io.StringIO) -> None:
    structlog.get_logger("x").info("request", path="/ü", ms=1.5)
    structlog.get_logger("x").debug("nobody hears this")
    line = lines(written)[0]
    assert line.pop("timestamp").endswith("Z")
    assert [line] == [{"path": "/ü", "ms": 1.5, "event": "request", "level": "info"}]
    assert len(lines(written)) == 1


def test_an_error_is_logged_with_its_traceback_as_text(written: io.StringIO) -> None:
    try:
        raise ValueError("nothing of it")
    except ValueError as error:
        structlog.get_logger("x").error("failed", exc_info=error)
    assert "ValueError: nothing of it" in lines(written)[0]["exception"]


async def test_buffered_lines_are_written_soon_in_order_and_completely(written: io.StringIO) -> None:
    log = structlog.get_logger("x")
    with logging_config.buffer_entries():
        log.info("first")
        assert not lines(written)
        assert [line["event"] for line in await eventually(lambda: _lines_of(written))] == ["first"]
        for number in range(40):
            log.info("many", number=number)
        log.warning("at once")
        assert [line.get("number") for line in lines(written)] == [None, *range(40), None]
        log.info("last")
    assert lines(written)[-1]["event"] == "last"
    log.info("nobody gathers any more")
    assert lines(written)[-1]["event"] == "nobody gathers any more"


async def test_lines_of_other_threads_are_written_immediately(written: io.StringIO) -> None:
    with logging_config.buffer_entries():
        thread = threading.Thread(target=lambda: structlog.get_logger("x").info("from beside"))
        thread.start()
        await asyncio.to_thread(thread.join)
        assert lines(written)[0]["event"] == "from beside"
