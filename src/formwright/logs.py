"""The log: one JSON object a line on standard error or, on a terminal, a line for people."""

import logging
import sys

import structlog


def configure(level: str) -> None:
    """Set up logging for this process. `level`: debug, info, warning or error."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        # Text only: a traceback that shows variables would show answers and keys.
        structlog.processors.format_exc_info,
    ]
    terminal = sys.stderr.isatty()
    last = structlog.dev.ConsoleRenderer() if terminal else structlog.processors.JSONRenderer()
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(structlog.stdlib.ProcessorFormatter(processor=last, foreign_pre_chain=shared))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    for quiet in ("granian.access", "alembic", "aiohttp.access", "_granian"):
        logging.getLogger(quiet).setLevel(logging.WARNING)
