"""The generated modules of the client."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from scripts.client import resources, schemas
from scripts.client.openapi_document import Json
from scripts.client.sync_variant import to_sync

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
PACKAGE = ROOT / "clients" / "python" / "formwright_client"
_WRITTEN = {PACKAGE / "_sync" / "runtime.py"}
_RUFF = (
    # Unused imports first: imports that are merged with them stay on several lines.
    ("check", "--fix", "--unsafe-fixes", "--select", "F401,UP028"),
    ("check", "--fix", "--select", "I"),
    ("format",),
)
_NOTICE = "# Generated from `{}` by `make openapi`. Do not edit."


def generate_modules(document: Json) -> dict[Path, str]:
    """Return the text of each generated module by its path."""
    found = {PACKAGE / "schemas" / f"{name}.py": text for name, text in schemas.generate(document).items()}
    generated = {
        PACKAGE / "_async" / "resources" / f"{name}.py": text for name, text in resources.generate(document).items()
    }
    written = {path: path.read_text(encoding="utf-8") for path in (PACKAGE / "_async").glob("*.py")}
    found |= generated
    for path, text in (generated | written).items():
        target = PACKAGE / "_sync" / path.relative_to(PACKAGE / "_async")
        if target not in _WRITTEN:
            found[target] = to_sync(text) if path in generated else _mark(to_sync(text), path)
    return _format(found)


def existing_modules() -> set[Path]:
    """Return the paths of the generated modules that exist."""
    folders = ("schemas", "_async/resources", "_sync")
    return {path for folder in folders for path in (PACKAGE / folder).rglob("*.py")} - _WRITTEN


def _mark(text: str, source: Path) -> str:
    """Add below the docstring of a module what it was generated from."""
    end = text.index('"""\n', 3) + 4
    return f"{text[:end]}\n{_NOTICE.format(source.relative_to(PACKAGE))}\n{text[end:]}"


def _format(modules: dict[Path, str]) -> dict[Path, str]:
    """Remove unused imports, sort the others, and format the text."""
    with TemporaryDirectory() as folder:
        root = Path(folder) / PACKAGE.name
        root.mkdir()
        (root / "__init__.py").touch()  # so that ruff knows which imports are those of the package
        places = {root / path.relative_to(PACKAGE): path for path in modules}
        for place, path in places.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(modules[path], encoding="utf-8")
        ruff, settings = str(Path(sys.executable).parent / "ruff"), str(ROOT / "pyproject.toml")
        for command in _RUFF:
            subprocess.run([ruff, *command, "--quiet", "--no-cache", "--config", settings, folder], check=True)
        return {path: place.read_text(encoding="utf-8") for place, path in places.items()}
