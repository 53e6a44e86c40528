"""Copies the files of npm packages that the pages load into the static folder, and the fonts of PDF reports.

Run `python scripts/assets.py` after `npm ci` and `npm run minify`. It fails and leaves the old files in place if a
package is missing, or if a file would load something from another host.
"""

import json
import re
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODULES = ROOT / "node_modules"
VENDOR = ROOT / "src" / "formwright" / "web" / "static" / "vendor"
FONTS = ROOT / "src" / "formwright" / "domain" / "reports" / "fonts"

SERVED = {
    "survey-core": ("survey.core.min.js", "survey-core.fontless.min.css", "i18n/*.min.js"),
    "survey-js-ui": ("survey-js-ui.min.js",),
    "@marcbachmann/cel-js": ("lib/*.js",),
    "re2js": ("build/index.min.js",),
    "leaflet": ("dist/leaflet.min.js", "dist/leaflet.css"),
    "protomaps-leaflet": ("dist/protomaps-leaflet.min.js",),
    "topojson-client": ("dist/topojson-client.min.js",),
    "world-atlas": ("countries-110m.json",),
    "chart.js": ("dist/chart.min.js",),
}
# The fonts of PDF reports. Chinese, Japanese and Korean come from a Python package.
FONT_FILES = {
    "@expo-google-fonts/noto-sans": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-arabic": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-devanagari": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-sans-hebrew": ("400Regular/*.ttf", "700Bold/*.ttf"),
    "@expo-google-fonts/noto-color-emoji": ("400Regular/*.ttf",),
}
# Packages inside the files of others.
BUNDLED = (
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
# Packages without a licence file, and others by the same authors under the same licence.
SAME_LICENCE = {"@protomaps/basemaps": "protomaps-leaflet", "pmtiles": "protomaps-leaflet"}
# The modules of cel-js import others next to them, and the file of re2js is called index.
FOLDERS = {"@marcbachmann/cel-js": "cel", "re2js": "re2js"} | dict.fromkeys(
    ("leaflet", "protomaps-leaflet", "topojson-client", "world-atlas"), "map"
)

LOCALE = re.compile(r"localeCode:\s*\"([A-Za-z-]+)\"")

# Style sheets can load other files. Developer tools request a script's source map, which does not exist here.
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
    """Copy the files and write their licences. Return 1 and print a message if that fails."""
    try:
        found = {place: source.read_text(encoding="utf-8") for place, source in list_files()}
        fonts = list(list_sources(FONT_FILES))
        licences = [licence(package) for package in (*SERVED, *BUNDLED, *FONT_FILES)]
        for place, text in found.items():
            check_no_requests(place, text)
    except (OSError, ValueError) as fault:
        print(f"assets: {fault}\nassets: run `npm ci --ignore-scripts` and `npm run minify` first", file=sys.stderr)
        return 1
    shutil.rmtree(VENDOR, ignore_errors=True)
    for place, text in found.items():
        (VENDOR / place).parent.mkdir(parents=True, exist_ok=True)
        (VENDOR / place).write_text(text, encoding="utf-8")
    shutil.rmtree(FONTS, ignore_errors=True)
    FONTS.mkdir()
    for _, source in fonts:
        shutil.copyfile(source, FONTS / source.name)
    (VENDOR / "LICENCES.txt").write_text("\n".join(licences), encoding="utf-8")
    print(f"assets: {len(found)} files in {VENDOR.relative_to(ROOT)}, {len(fonts)} in {FONTS.relative_to(ROOT)}")
    return 0


def list_files() -> Iterator[tuple[str, Path]]:
    """Yield the path of each file in the static folder, and its source."""
    for package, source in list_sources(SERVED):
        if place := target_path(package, source):
            yield place, source


def list_sources(patterns_by_package: Mapping[str, Sequence[str]]) -> Iterator[tuple[str, Path]]:
    """Yield the package and the path of each file that matches one of the patterns."""
    for package, patterns in patterns_by_package.items():
        for pattern in patterns:
            sources = sorted((MODULES / package).glob(pattern))
            if not sources:
                raise ValueError(f"{package} has no {pattern}")
            yield from ((package, source) for source in sources)


def target_path(package: str, source: Path) -> str | None:
    """Return the path of a file in the static folder, or None to skip it.

    Translations are named after their language tag. English is built in, and the file with all languages is skipped.
    """
    if source.parent.name != "i18n":
        return f"{FOLDERS[package]}/{source.name}" if package in FOLDERS else source.name
    tags = set(LOCALE.findall(source.read_text(encoding="utf-8")))
    return f"i18n/{tags.pop()}.js" if len(tags) == 1 else None


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
    return f"{title}MIT License\n{holder(folder / SERVED[package][0])}\n\n{MIT}"


def holder(file: Path) -> str:
    head = file.read_text(encoding="utf-8")[:1000]
    if not (match := re.search(r"Copyright \(c\).*", head)):
        raise ValueError(f"{file.name} contains no copyright notice")
    return match[0].strip()


if __name__ == "__main__":
    sys.exit(main())
