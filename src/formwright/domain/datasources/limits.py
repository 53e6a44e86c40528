"""Limits of data sources."""

from formwright.core.tables.base import DEFAULT_RULES

MAX_ROWS = 1_000_000
MAX_NAME = 200
MAX_KEY = 500
MAX_CELL = DEFAULT_RULES.max_length
SEGMENT_ROWS = 2000
"""How many rows an import writes per transaction, and a search segment contains at most."""
ROW_RETENTION_MS = 7 * 24 * 3600 * 1000
"""How long deleted and replaced rows are kept, because somebody filling in a form offline may have chosen them."""
