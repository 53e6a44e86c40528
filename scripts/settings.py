"""Regenerates the settings table in docs/reference/settings.md from the definitions in the code: `make settings`."""

import re
import sys
from pathlib import Path

import typer

from formwright.cli.main import app
from formwright.cli.settings_reference import render_table

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "settings.md"
TABLE = re.compile(r"^\| Variable \|.*\n(?:\|.*\n)+", re.MULTILINE)


def main() -> int:
    """Replace the table, and nothing else."""
    text, count = TABLE.subn(lambda _: render_table(typer.main.get_command(app)), PAGE.read_text(encoding="utf-8"))
    if count != 1:
        sys.stderr.write("settings: docs/reference/settings.md has no table of settings\n")
        return 1
    PAGE.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
