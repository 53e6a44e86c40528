"""Put the few files of npm packages that our pages serve into the package's static folder.

Run `python scripts/assets.py` after `npm ci` and `npm run minify`. It fails and leaves the old files in place if a
package is missing, or if a file would load something from another host.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "src" / "formwright" / "web" / "static" / "vendor"

SERVED = {
    "survey-core": ("survey.core.min.js", "survey-core.fontless.min.css", "i18n/*.min.js"),
    "survey-js-ui": ("survey-js-ui.min.js",),
    "@marcbachmann/cel-js": ("lib/*.js",),
    "re2js": ("build/index.min.js",),
}
# The modules of cel-js import others next to them, and the file of re2js is called index.
FOLDERS = {"@marcbachmann/cel-js": "cel", "re2js": "re2js"}

LOCALE = re.compile(r"localeCode:\s*\"([A-Za-z-]+)\"")

# Style sheets fetch by themselves; a script's source map is asked for by the browser's tools and would answer 404.
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


def main() -> int:
    """Copy the files and their licence; 1 and a sentence where that cannot be done."""
    try:
        found = {place: source.read_text(encoding="utf-8") for place, source in places()}
        licences = [licence(package) for package in SERVED]
        for place, text in found.items():
            refuse_fetching(place, text)
    except (OSError, ValueError) as fault:
        print(f"assets: {fault}\nassets: run `npm ci --ignore-scripts` and `npm run minify` first", file=sys.stderr)
        return 1
    shutil.rmtree(VENDOR, ignore_errors=True)
    for place, text in found.items():
        (VENDOR / place).parent.mkdir(parents=True, exist_ok=True)
        (VENDOR / place).write_text(text, encoding="utf-8")
    (VENDOR / "LICENCES.txt").write_text("\n".join(licences), encoding="utf-8")
    print(f"assets: {len(found)} files in {VENDOR.relative_to(ROOT)}")
    return 0


def places() -> Iterator[tuple[str, Path]]:
    """Where each file goes in the folder, and where it comes from."""
    for package, patterns in SERVED.items():
        for pattern in patterns:
            sources = sorted((MODULES / package).glob(pattern))
            if not sources:
                raise ValueError(f"{package} has no {pattern}")
            for source in sources:
                if place := place_of(package, source):
                    yield place, source


def place_of(package: str, source: Path) -> str | None:
    """Sentences go by their language's tag; the collection of all, and English, which is built in, stay away."""
    if source.parent.name != "i18n":
        return f"{FOLDERS[package]}/{source.name}" if package in FOLDERS else source.name
    tags = set(LOCALE.findall(source.read_text(encoding="utf-8")))
    return f"i18n/{tags.pop()}.js" if len(tags) == 1 else None


def refuse_fetching(place: str, text: str) -> None:
    if match := FETCHES.search(text):
        raise ValueError(f"{place} would fetch something by itself: {match[0]!r}")


def licence(package: str) -> str:
    """The package's licence file, or, as the packages ship none, the licence it names and the holder it states."""
    folder = MODULES / package
    about = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    title = f"{about['name']} {about['version']}\n"
    for file in sorted(folder.glob("LICEN[CS]E*")):
        return title + file.read_text(encoding="utf-8")
    if about["license"] != "MIT":
        raise ValueError(f"{package} is under {about['license']}, not MIT: decide before it is served")
    return f"{title}MIT License\n{holder(folder / SERVED[package][0])}\n\n{MIT}"


def holder(file: Path) -> str:
    head = file.read_text(encoding="utf-8")[:1000]
    if not (match := re.search(r"Copyright \(c\).*", head)):
        raise ValueError(f"{file.name} names no copyright holder")
    return match[0].strip()


if __name__ == "__main__":
    sys.exit(main())
