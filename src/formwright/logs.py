"""The log: one JSON object a line on standard error or, on a terminal, a line for people."""

import json
import logging
import sys
from typing import Any

import msgspec
import structlog


def _json(line: object, **options: Any) -> str:
    try:
        return msgspec.json.encode(line, enc_hook=repr).decode()
    except UnicodeEncodeError:
        # Half a letter, as a path may hold it: this writes it as it came, and takes seven times as long.
        return json.dumps(line, **options)


def configure(level: str) -> None:
    """Set up logging for this process. `level`: debug, info, warning or error."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        # Text only: a traceback that shows variables would show answers and keys.
        structlog.processors.format_exc_info,
    ]
    last = (
        structlog.dev.ConsoleRenderer() if sys.stderr.isatty() else structlog.processors.JSONRenderer(serializer=_json)
    )
    # Our own lines are written as they are: by way of the standard library each would cost a request twice as much.
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=last, foreign_pre_chain=shared))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for quiet in ("granian.access", "alembic", "aiohttp.access", "_granian"):
        logging.getLogger(quiet).setLevel(logging.WARNING)
