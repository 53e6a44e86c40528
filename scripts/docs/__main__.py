"""Builds the site: `python -m scripts.docs [--version NAME] [--into FOLDER]`.

Each version is a folder of the site. `main` is the working tree; build a release with its number as the name. Other
versions in the folder stay, and the home page opens the newest release, or `main` if there is none.
"""

import argparse
import json
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.docs.navigation import ROOT, sort_versions
from scripts.docs.other_hosts import find_other_hosts
from scripts.docs.sources import InvalidSources, write_sources

HERE = Path(__file__).resolve().parent
SPHINX = ROOT / ".venv" / "docs" / "bin" / "sphinx-build"
SOURCES = ROOT / ".venv" / "docs-sources"
WORKING_TREE = "main"


def main() -> int:
    """Build a version, and return the exit status: warnings are errors."""
    options = _parse_options()
    target = options.into / options.version
    try:
        write_sources(SOURCES)
    except InvalidSources as problem:
        print(problem, file=sys.stderr)
        return 1
    shutil.rmtree(target, ignore_errors=True)
    command: list[str | Path] = [SPHINX, "-b", "html", "-c", HERE, "-j", "auto", "-q", "--fail-on-warning", "-E"]
    command += ["-d", SOURCES.with_name("docs-cache"), "-D", f"version={options.version}", SOURCES, target]
    if status := subprocess.run(command, check=False).returncode:
        return status
    if others := list(find_other_hosts(target)):
        print("The pages load from other hosts:", *others, sep="\n", file=sys.stderr)
        return 1
    _write_index(options.into)
    print(f"docs: {target}/index.html")
    return 0


def _parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="scripts.docs", description="Build the documentation site.")
    parser.add_argument("--version", default=WORKING_TREE, help="name of the version, such as 0.1.0")
    parser.add_argument("--into", type=Path, default=ROOT / "site", help="folder of the site")
    return parser.parse_args()


def _write_index(site: Path) -> None:
    """Write the list of versions, newest first, and the page that opens the newest."""
    names = sort_versions([path.parent.name for path in site.glob("*/searchindex.js")])
    (site / "versions.js").write_text(f"window.DOCS_VERSIONS = {json.dumps(names)};\n", encoding="utf-8")
    newest = next((name for name in names if name != WORKING_TREE), WORKING_TREE)
    page = f'<!doctype html><title>Formwright</title><meta http-equiv="refresh" content="0; url={newest}/index.html">\n'
    (site / "index.html").write_text(page, encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
