"""Bundles the scripts and style sheets of the pages with their npm packages, and copies the fonts of PDF reports.

Run `python scripts/assets.py` after `npm ci`. It fails and leaves the old files in place if a package is missing, or if
a file would load something from another host. With `--bundles`, it only creates the bundles, without compressing them,
which takes most of the time: that is what a checkout does when a script has changed. `--compress` does the rest.
`--without-node` finishes bundles that `bundle.mjs` has created elsewhere, as in the container image.
"""

import fcntl
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
BUNDLES = ROOT / "src" / "formwright" / "web" / "bundles"
FONTS = ROOT / "src" / "formwright" / "domain" / "reports" / "fonts"

# Packages of which bundles contain parts. What these import is in IMPORTED.
PACKAGES = (
    "survey-core",
    "survey-js-ui",
    "@marcbachmann/cel-js",
    "@noble/hashes",
    "re2js",
    "leaflet",
    "protomaps-leaflet",
    "topojson-client",
    "world-atlas",
    "chart.js",
)
# The fonts of PDF reports. Chinese, Japanese and Korean come from a Python package.
FONT_FILES = {
    "@expo-google-fonts/noto-sans": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-arabic": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-devanagari": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-hebrew": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-color-emoji": ("400Regular/*.ttf",),
}
# Packages that the others import.
IMPORTED = (
    "@kurkle/color",
    "@mapbox/point-geometry",
    "@mapbox/vector-tile",
    "@protomaps/basemaps",
    "color2k",
    "fflate",
    "pbf",
    "pmtiles",
    "potpack",
    "quickselect",
    "rbush",
)
# Packages without a licence file: sources with their copyright, and others by the same authors under the same licence.
WITH_COPYRIGHT = {"survey-core": "survey.core.min.js", "survey-js-ui": "survey-js-ui.min.js"}
SAME_LICENCE = {"@protomaps/basemaps": "protomaps-leaflet", "pmtiles": "protomaps-leaflet"}
# Style sheets can load other files. A script names no source map: the server does that, if there is one.
FETCHES = re.compile(r"@import|@font-face|url\(\s*['\"]?(?:https?:)?//|sourceMappingURL", re.IGNORECASE)

MIT = """\
Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
persons to whom the Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.
"""


def main(option: str = "") -> int:
    """Create the files. Return 1 and print a message if that fails."""
    asked = time.time()
    with Path(__file__).open() as lock:
        # Processes that find outdated bundles at the same time wait for the first of them.
        fcntl.flock(lock, fcntl.LOCK_EX)
        if option == "--bundles" and _built_at() >= asked:
            return 0
        try:
            if option == "--without-node":
                check_bundles(BUNDLES)
            elif option != "--compress":
                build_bundles()
            if option in ("", "--compress"):
                _run_bundler("--compress", str(BUNDLES))
            if option != "--bundles":
                copy_fonts()
        except (OSError, ValueError, subprocess.CalledProcessError) as error:
            detail = error.stderr if isinstance(error, subprocess.CalledProcessError) else error
            print(f"assets: {detail}\nassets: run `npm ci --ignore-scripts` first", file=sys.stderr)
            return 1
    return 0


def _built_at() -> float:
    manifest = BUNDLES / "manifest.json"
    return manifest.stat().st_mtime if manifest.exists() else 0.0


def build_bundles() -> None:
    """Replace the bundles."""
    started_at, new, old = time.time(), BUNDLES.with_name("bundles.new"), BUNDLES.with_name("bundles.old")
    shutil.rmtree(new, ignore_errors=True)
    _run_bundler(str(new))
    check_bundles(new)
    # A source that is edited meanwhile is newer than this.
    os.utime(new / "manifest.json", (started_at, started_at))
    # Another process may read them at any time.
    if BUNDLES.exists():
        BUNDLES.rename(old)
    new.rename(BUNDLES)
    shutil.rmtree(old, ignore_errors=True)


def _run_bundler(*arguments: str) -> None:
    """Run `bundle.mjs`, with Node.js of the machine or, if there is none, of the Python environment."""
    path = os.pathsep.join((os.environ.get("PATH", os.defpath), str(Path(sys.executable).parent)))
    command = ["node", str(ROOT / "scripts" / "bundle.mjs"), *arguments]
    subprocess.run(command, env=os.environ | {"PATH": path}, capture_output=True, text=True, check=True)


def check_bundles(folder: Path) -> None:
    """Add the licences of what is in the bundles, and check that these load nothing from another host."""
    licences = [licence(package) for package in (*PACKAGES, *IMPORTED, *FONT_FILES)]
    for path in (*folder.rglob("*.js"), *folder.rglob("*.css")):
        check_no_requests(path.name, path.read_text(encoding="utf-8"))
    (folder / "LICENCES.txt").write_text("\n".join(licences), encoding="utf-8")


def copy_fonts() -> None:
    """Replace the fonts."""
    sources = list(list_sources(FONT_FILES))
    shutil.rmtree(FONTS, ignore_errors=True)
    FONTS.mkdir()
    for source in sources:
        shutil.copyfile(source, FONTS / source.name)


def list_sources(patterns_by_package: Mapping[str, Sequence[str]]) -> Iterator[Path]:
    """Yield the path of each file that matches one of the patterns of its package."""
    for package, patterns in patterns_by_package.items():
        for pattern in patterns:
            sources = sorted((MODULES / package).glob(pattern))
            if not sources:
                raise ValueError(f"{package} has no {pattern}")
            yield from sources


def check_no_requests(place: str, text: str) -> None:
    if match := FETCHES.search(text):
        raise ValueError(f"{place} would load a file from elsewhere: {match[0]!r}")


def licence(package: str) -> str:
    """Return the licence text of a package.

    Most packages contain no licence file. Theirs is composed of the licence they name and the copyright in a source.
    """
    folder = MODULES / package
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    title = f"{about['name']} {about['version']}\n"
    if files := sorted((MODULES / SAME_LICENCE.get(package, package)).glob("LICEN[CS]E*")):
        return title + "\n".join(file.read_text(encoding="utf-8") for file in files)
    if about["license"] != "MIT":
        raise ValueError(f"{package} is licensed under {about['license']}, not MIT: check the terms before serving it")
    return f"{title}MIT License\n{holder(folder / WITH_COPYRIGHT[package])}\n\n{MIT}"


def holder(file: Path) -> str:
    head = file.read_text(encoding="utf-8")[:1000]
    if not (match := re.search(r"Copyright \(c\).*", head)):
        raise ValueError(f"{file.name} contains no copyright notice")
    return match[0].strip()


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
