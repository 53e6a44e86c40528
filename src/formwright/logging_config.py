"""Logging to standard error: one JSON object per line or, on a terminal, readable lines."""

import asyncio
import json
import logging
import sys
from collections.abc import Callable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager
from functools import partial
from time import time_ns
from typing import Any, TextIO

import msgspec
import structlog

from formwright.core.clock import rfc3339

_LATEST_S = 0.05
_TOGETHER = 16
"""Lines per write. Writes above 4 KiB to a pipe may interleave with those of another process."""

_OF_OTHERS: list[structlog.typing.Processor] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
"""Processors for log entries of libraries that use the standard library."""

Event = MutableMapping[str, Any]
Written = Callable[[Sequence[Event]], str]
"""Lines, each with its end, put together at once."""


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _as_json(events: Sequence[Event]) -> str:
    try:
        return _encoder.encode_lines(events).decode()
    except UnicodeEncodeError:
        # Half a letter, as a path may hold it: this writes it as it came, and takes seven times as long.
        return "".join(json.dumps(event, default=repr) + "\n" for event in events)


def _line(_: object, __: str, event: Event) -> str:
    return _as_json([event])[:-1]


def _for_people(console: structlog.dev.ConsoleRenderer, events: Sequence[Event]) -> str:
    return "".join(f"{console(None, '', event)}\n" for event in events)


class _Lines:
    """Writes lines: each at once or, while they are gathered, some together a moment later."""

    def __init__(self) -> None:
        self.stream: TextIO = sys.stderr
        self.written: Written = _as_json
        self._held: list[tuple[str, int, Event]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def gather(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """From here on what this loop's tasks say is gathered; with None it no longer is."""
        self.flush()
        self._loop = loop

    def _gathers(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            # In another thread, or before the event loop runs.
            return False

    def info(self, **event: Any) -> None:
        """A line that may wait."""
        if self._loop is None or "exc_info" in event or not self._gathers():
            self._write([("info", time_ns(), event)])
            return
        if not self._held:
            self._loop.call_later(_LATEST_S, self.flush)
        self._held.append(("info", time_ns(), event))
        if len(self._held) == _TOGETHER:
            self.flush()

    def debug(self, **event: Any) -> None:
        """A line for who looks for something."""
        self._write([("debug", time_ns(), event)])

    def warning(self, **event: Any) -> None:
        """A line that is needed most where the process ends right behind it."""
        self._urgent("warning", event)

    def error(self, **event: Any) -> None:
        """As a warning."""
        self._urgent("error", event)

    def critical(self, **event: Any) -> None:
        """As a warning."""
        self._urgent("critical", event)

    def _urgent(self, level: str, event: Event) -> None:
        if self._gathers():
            self.flush()
        self._write([(level, time_ns(), event)])

    def flush(self) -> None:
        """Write what was gathered."""
        if self._held:
            held, self._held = self._held, []
            self._write(held)

    def _write(self, lines: Sequence[tuple[str, int, Event]]) -> None:
        self.stream.write(self.written([_whole(*line) for line in lines]))
        self.stream.flush()


def _whole(level: str, at: int, event: Event) -> Event:
    microseconds = at // 1000
    event["level"] = level
    event["timestamp"] = f"{rfc3339(microseconds // 1000)[:-1]}{microseconds % 1000:03}Z"
    # Text only: a traceback with variables would expose answers and keys.
    return structlog.processors.format_exc_info(None, level, event) if "exc_info" in event else event


_writer = _Lines()


def _logger(level: str) -> type[structlog.typing.BindableLogger]:
    """Hands on what is said as it is. No processors are here, and to ask for them takes a third of a line's time."""

    class Straight(structlog.make_filtering_bound_logger(level)):  # type: ignore[misc]
        def _proxy_to_logger(self, method_name: str, event: str | None = None, **said: Any) -> Any:
            return getattr(self._logger, method_name)(event=event, **self._context, **said)

    return Straight


@contextmanager
def buffer_entries() -> Iterator[None]:
    """While this lasts, what the running event loop's tasks log is written some lines at a time, 50 ms late at most.

    Warnings and errors are written at once, behind what was there before them.
    """
    _writer.gather(asyncio.get_running_loop())
    try:
        yield
    finally:
        _writer.gather(None)


def configure(level: str) -> None:
    """Set up logging for this process. `level`: debug, info, warning or error."""
    console = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else None
    _writer.stream = sys.stderr
    _writer.written = partial(_for_people, console) if console else _as_json
    # Our own lines are put together and written by `_Lines` alone: by way of the standard library each would cost a
    # request twice as much, and even to put them together one by one costs three times as much as some at once.
    structlog.configure(
        processors=[],
        wrapper_class=_logger(level),
        logger_factory=lambda *_: _writer,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=console or _line, foreign_pre_chain=_OF_OTHERS))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for quiet in ("granian.access", "alembic", "aiohttp.access", "_granian"):
        logging.getLogger(quiet).setLevel(logging.WARNING)
