"""Put the few files of npm packages that our pages serve into the package's static folder.

Run after `npm ci`: `python scripts/assets.py`. It fails, and leaves the old files, if a package is missing or if a file
would load something by itself from another host.
"""

import json
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "src" / "formwright" / "web" / "static" / "vendor"

SERVED = {
    "survey-core": ("survey.core.min.js", "survey-core.fontless.min.css"),
    "survey-js-ui": ("survey-js-ui.min.js",),
}

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
        found = {source: source.read_text(encoding="utf-8") for source in sources()}
        licences = [licence(package) for package in SERVED]
        for source, text in found.items():
            refuse_fetching(source, text)
    except (OSError, ValueError) as fault:
        print(f"assets: {fault}\nassets: run `npm ci --ignore-scripts` first", file=sys.stderr)
        return 1
    shutil.rmtree(VENDOR, ignore_errors=True)
    VENDOR.mkdir(parents=True)
    for source in found:
        shutil.copyfile(source, VENDOR / source.name)
    (VENDOR / "LICENCES.txt").write_text("\n".join(licences), encoding="utf-8")
    print(f"assets: {len(found)} files in {VENDOR.relative_to(ROOT)}")
    return 0


def sources() -> list[Path]:
    return [MODULES / package / name for package, names in SERVED.items() for name in names]


def refuse_fetching(source: Path, text: str) -> None:
    if match := FETCHES.search(text):
        raise ValueError(f"{source.name} would fetch something by itself: {match[0]!r}")


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
