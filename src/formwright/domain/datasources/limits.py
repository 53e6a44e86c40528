"""Limits of data sources."""

MAX_ROWS = 1_000_000
MAX_COLUMNS = 200
MAX_NAME = 200
MAX_COLUMN_NAME = 200
MAX_KEY = 500
MAX_CELL = 10_000
SEGMENT_ROWS = 2000
"""How many rows an import writes per transaction, and a search segment contains at most."""
ROW_RETENTION_MS = 7 * 24 * 3600 * 1000
"""How long deleted and replaced rows are kept, because somebody filling in a form offline may have chosen them."""
