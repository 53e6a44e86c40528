"""How large a table of outside data may be."""

MAX_ROWS = 1_000_000
MAX_COLUMNS = 200
MAX_NAME = 200
MAX_COLUMN_NAME = 200
MAX_KEY = 500
MAX_CELL = 10_000
SEGMENT_ROWS = 2000
"""How many rows an import writes in one transaction; their searched text lies together."""
ROW_RETENTION_MS = 7 * 24 * 3600 * 1000
"""How long a row is kept that has ended: who filled a form without a network may have chosen it."""
