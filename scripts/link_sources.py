"""Makes the running environment know the sources: `import formwright`, and the command `formwright` beside `python`.

What an editable install does, without a build backend and without the network. The command is a shell line that
hands itself to Python, because the path in a `#!` line may hold neither spaces nor more than 127 letters.
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
    """Points this interpreter at `source` and writes the command."""
    Path(sysconfig.get_path("purelib"), "formwright.pth").write_text(f"{source}\n", encoding="utf-8")
    command = Path(sysconfig.get_path("scripts"), "formwright")
    command.write_text(COMMAND.format(python=sys.executable), encoding="utf-8")
    command.chmod(0o755)


if __name__ == "__main__":
    link(Path(__file__).resolve().parents[1] / "src")
