"""Installs the sources in editable mode into the running environment, without a build backend or network access.

Afterwards `import formwright` and the command `formwright` work. The command is a shell script that starts Python,
because the path in a `#!` line cannot contain spaces or more than 127 characters.
"""

import sys
import sysconfig
from pathlib import Path

COMMAND = """\
#!/bin/sh
'''exec' "{python}" "$0" "$@"
'''
import sys

from formwright.cli.main import main

sys.exit(main())
"""


def link(source: Path) -> None:
    """Add `source` to the import path of this interpreter and write the command."""
    _write(Path(sysconfig.get_path("purelib"), "formwright.pth"), f"{source}\n")
    command = Path(sysconfig.get_path("scripts"), "formwright")
    _write(command, COMMAND.format(python=sys.executable))
    command.chmod(0o755)


def _write(path: Path, text: str) -> None:
    """Write a new file. The old one may be linked into other environments, which have sources of their own."""
    path.unlink(missing_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    link(Path(__file__).resolve().parents[1] / "src")
