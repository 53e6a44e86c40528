"""How much of a spreadsheet is read. What is beyond is refused before anything is unpacked or laid out in memory."""

MAX_FILE = 10 * 1024 * 1024
"""Bytes as uploaded."""

MAX_UNPACKED = 50 * 1024 * 1024
"""Bytes of all parts unpacked."""

MAX_CELLS = 1_000_000
"""Of one sheet, counted as the rectangle from A1 to its last cell: the reader lays out all of it."""

MAX_TEXT = 50_000_000
"""Characters of one sheet, a text counted as often as cells name it: the reader lays out each."""

MAX_CELL = 32_767
"""Characters: what Excel itself allows."""

MAX_SURVEY_ROWS = 3_000
MAX_CHOICE_ROWS = 20_000
MAX_OPTIONS = 1_000
MAX_XPATH = 4_000
