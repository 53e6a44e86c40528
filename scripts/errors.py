"""Regenerates the error tables in docs/reference/errors.md from the definitions in the code: `make errors`."""

import re
import sys
from pathlib import Path

from formwright.api.error_catalog.tables import problem_table, validation_error_table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "errors.md"
TABLE = re.compile(r"^\| code \|.*\n(?:\|.*\n)+", re.MULTILINE)


def with_tables(page: str) -> str:
    """Return the page with both tables regenerated. Raises ValueError if it does not have these two."""
    tables = iter((problem_table(), validation_error_table()))
    if len(TABLE.findall(page)) != 2:
        raise ValueError("docs/reference/errors.md must contain one table of problems and one of validation errors")
    return TABLE.sub(lambda _: next(tables), page)


def main() -> int:
    """Replace the tables, and nothing else."""
    try:
        page = with_tables(PAGE.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.stderr.write(f"errors: {error}\n")
        return 1
    PAGE.write_text(page, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
