"""How much of a workbook is read."""

MAX_FILE = 10 * 1024 * 1024
"""Bytes as uploaded."""

MAX_UNPACKED = 50 * 1024 * 1024
"""Bytes of the parts that are read, unpacked."""

MAX_CELLS = 1_000_000
"""In all sheets that are read, without empty cells."""

MAX_TEXT = 50_000_000
"""Characters in all sheets that are read."""

MAX_MEMORY = 384 * 1024 * 1024
"""Bytes that the process may use that reads the workbook."""

MAX_SECONDS = 30
"""Processor time of that process."""

MAX_CELL = 32_767
"""Characters: what Excel itself allows."""

MAX_SURVEY_ROWS = 3_000
MAX_CHOICE_ROWS = 20_000
MAX_OPTIONS = 1_000
MAX_XPATH = 4_000
