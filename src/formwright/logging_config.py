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

_MAX_DELAY_S = 0.05
_ENTRIES_PER_WRITE = 16
"""Writes above 4 KiB to a pipe may interleave with those of another process."""

_FOREIGN_PROCESSORS: list[structlog.typing.Processor] = [
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.format_exc_info,
]
"""Processors for entries of libraries that use the logging of the standard library."""

Event = MutableMapping[str, Any]
Renderer = Callable[[Sequence[Event]], str]
"""Renders entries as lines, each with its line end."""


_encoder = msgspec.json.Encoder(enc_hook=repr)


def _render_json(events: Sequence[Event]) -> str:
    try:
        return _encoder.encode_lines(events).decode()
    except UnicodeEncodeError:
        # A lone surrogate, as paths may contain: `json` can write it, but takes seven times as long.
        return "".join(json.dumps(event, default=repr) + "\n" for event in events)


def _render_line(_: object, __: str, event: Event) -> str:
    return _render_json([event])[:-1]


def _render_text(console: structlog.dev.ConsoleRenderer, events: Sequence[Event]) -> str:
    return "".join(f"{console(None, '', event)}\n" for event in events)


class _EntryWriter:
    """Writes entries immediately or, while they are buffered, several at a time with a short delay."""

    def __init__(self) -> None:
        self.stream: TextIO = sys.stderr
        self.render: Renderer = _render_json
        self._buffer: list[tuple[str, int, Event]] = []
        self._loop: asyncio.AbstractEventLoop | None = None

    def buffer(self, loop: asyncio.AbstractEventLoop | None) -> None:
        """Buffer entries of tasks of this loop from now on; None: stop buffering."""
        self.flush()
        self._loop = loop

    def _is_buffering(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:
            # In another thread, or before the event loop runs.
            return False

    def info(self, **event: Any) -> None:
        """Write an entry, which may be buffered."""
        if self._loop is None or "exc_info" in event or not self._is_buffering():
            self._write([("info", time_ns(), event)])
            return
        if not self._buffer:
            self._loop.call_later(_MAX_DELAY_S, self.flush)
        self._buffer.append(("info", time_ns(), event))
        if len(self._buffer) == _ENTRIES_PER_WRITE:
            self.flush()

    def debug(self, **event: Any) -> None:
        """Write an entry immediately."""
        self._write([("debug", time_ns(), event)])

    def warning(self, **event: Any) -> None:
        """Write an entry immediately, because it is most important if the process ends right after it."""
        self._write_urgently("warning", event)

    def error(self, **event: Any) -> None:
        """Write an entry immediately, like a warning."""
        self._write_urgently("error", event)

    def critical(self, **event: Any) -> None:
        """Write an entry immediately, like a warning."""
        self._write_urgently("critical", event)

    def _write_urgently(self, level: str, event: Event) -> None:
        if self._is_buffering():
            self.flush()
        self._write([(level, time_ns(), event)])

    def flush(self) -> None:
        """Write the buffered entries."""
        if self._buffer:
            entries, self._buffer = self._buffer, []
            self._write(entries)

    def _write(self, entries: Sequence[tuple[str, int, Event]]) -> None:
        self.stream.write(self.render([_complete(*entry) for entry in entries]))
        self.stream.flush()


def _complete(level: str, at: int, event: Event) -> Event:
    microseconds = at // 1000
    event["level"] = level
    event["timestamp"] = f"{rfc3339(microseconds // 1000)[:-1]}{microseconds % 1000:03}Z"
    # Text only: a traceback with variables would expose answers and keys.
    return structlog.processors.format_exc_info(None, level, event) if "exc_info" in event else event


_writer = _EntryWriter()


def _logger_class(level: str) -> type[structlog.typing.BindableLogger]:
    """Return a logger class that passes entries on unchanged.

    There are no processors, and calling structlog's code for them would take a third of the time of an entry.
    """

    class DirectLogger(structlog.make_filtering_bound_logger(level)):  # type: ignore[misc]
        def _proxy_to_logger(self, method_name: str, event: str | None = None, **fields: Any) -> Any:
            return getattr(self._logger, method_name)(event=event, **self._context, **fields)

    return DirectLogger


@contextmanager
def buffer_entries() -> Iterator[None]:
    """Within the block, write the entries of tasks of the running event loop in batches, at most 50 ms late.

    Warnings and errors are written immediately, after the entries before them.
    """
    _writer.buffer(asyncio.get_running_loop())
    try:
        yield
    finally:
        _writer.buffer(None)


def configure(level: str) -> None:
    """Configure logging for this process. `level`: debug, info, warning or error."""
    console = structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else None
    _writer.stream = sys.stderr
    _writer.render = partial(_render_text, console) if console else _render_json
    # Our own entries bypass the logging of the standard library, which would double their cost per request. Rendering
    # them one by one would triple it.
    structlog.configure(
        processors=[],
        wrapper_class=_logger_class(level),
        logger_factory=lambda *_: _writer,
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(processor=console or _render_line, foreign_pre_chain=_FOREIGN_PROCESSORS)
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for quiet in ("granian.access", "alembic", "aiohttp.access", "_granian"):
        logging.getLogger(quiet).setLevel(logging.WARNING)
