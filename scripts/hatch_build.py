"""Build hook: puts the front-end assets into the distributions.

A source distribution contains the assets, so building a wheel from it needs neither npm nor a network connection.
"""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# The same packages as in `make assets`, because `npm ci` replaces all of node_modules.
_STEPS = (
    ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"],
    [sys.executable, "scripts/assets.py"],
)
_TOOLS = ("acorn", "esbuild")


class AssetsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds the assets that the pages load, unless they are up to date."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the assets, or end the build with exit status 1 and one line that says why."""
        root = Path(self.root)
        if version == "editable" or _is_current(root):
            return
        if shutil.which("npm") is None:
            self.app.abort(
                "The form library is missing or out of date, and forms cannot be filled in without it. Install Node.js"
                " with npm 7 or newer, or build from the source distribution, which contains it."
            )
        for step in _STEPS:
            done = subprocess.run(step, cwd=root, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode:
                reason = " ".join((done.stderr or done.stdout).split())[-500:]
                self.app.abort(f"The form library could not be built: `{' '.join(step[:3])}` failed: {reason}")


def _is_current(root: Path) -> bool:
    """Return whether the assets were built by these scripts from these sources and the versions in package.json."""
    bundles = root / "src" / "formwright" / "web" / "bundles"
    built = bundles / "LICENCES.txt"
    if not built.exists():
        return False
    if (root / "PKG-INFO").exists():  # A source distribution
        return True
    pinned = json.loads((root / "package.json").read_text(encoding="utf-8"))["dependencies"]
    # The licences begin with name and version of each package. The tools of the bundler are not served.
    titles = built.read_text(encoding="utf-8").splitlines()
    sources = [root / "scripts" / "assets.py", *(root / "scripts").glob("*.mjs")]
    sources += (root / "src" / "formwright" / "web" / "static").rglob("*")
    is_recent = all(source.stat().st_mtime <= built.stat().st_mtime for source in sources)
    # A checkout creates bundles without compressing them.
    is_compressed = (bundles / "fill_form.css.br").exists()
    is_pinned = all(f"{name} {version}" in titles for name, version in pinned.items() if name not in _TOOLS)
    return is_recent and is_compressed and is_pinned
