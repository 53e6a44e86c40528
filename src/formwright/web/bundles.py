"""The files that pages load: bundles of the scripts and style sheets in `static`, which `scripts/assets.py` creates.

In a checkout, bundles that are older than their sources are created again when a process first needs them, so that
neither a server nor a test serves an older script than the one that was just edited.
"""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import msgspec

_WEB_FOLDER = Path(__file__).parent
_ROOT = _WEB_FOLDER.parents[2]
_SCRIPT = _ROOT / "scripts" / "assets.py"
STATIC = _WEB_FOLDER / "static"
"""The sources, which a running server does not need."""
FOLDER = _WEB_FOLDER / "bundles"
MANIFEST = FOLDER / "manifest.json"


class Bundle(msgspec.Struct, frozen=True):
    """A file in `FOLDER`, and the files that it imports, which are better loaded at the same time."""

    file: str
    imports: tuple[str, ...] = ()


def are_built() -> bool:
    """Return whether there are bundles. Without them, pages have neither scripts nor styles."""
    return bool(load_manifest())


def find_bundle(name: str) -> Bundle:
    """Return the bundle of a script or style sheet by its path in `static`, or in `node_modules` for packages."""
    return load_manifest().get(name) or Bundle(name)


@cache
def load_manifest() -> Mapping[str, Bundle]:
    """Return all bundles by the names of their sources; none if they are not built."""
    if _SCRIPT.exists() and _is_outdated():
        # It prints why if it fails, for example without Node. What was built before may still do.
        subprocess.run(  # noqa: S603 - our own script
            [sys.executable, str(_SCRIPT), "--bundles"], cwd=_ROOT, check=False
        )
    return msgspec.json.decode(MANIFEST.read_bytes(), type=dict[str, Bundle]) if MANIFEST.exists() else {}


def _is_outdated() -> bool:
    built = MANIFEST.stat().st_mtime if MANIFEST.exists() else 0.0
    return any(path.stat().st_mtime > built for path in _sources())


def _sources() -> Iterator[Path]:
    """Yield what bundles depend on. Folders are newer than a file that was removed from them."""
    for folder in (STATIC, _WEB_FOLDER / "templates"):
        yield folder
        yield from folder.rglob("*")
    yield from (_SCRIPT, *_SCRIPT.parent.glob("*.mjs"), _ROOT / "package-lock.json")
