"""The modules that are made, and where they stand."""

from pathlib import Path

from scripts.client import calls, shapes
from scripts.client.document import Json

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
PLACE = ROOT / "clients" / "python" / "formwright_client"


def made(document: Json) -> dict[Path, str]:
    """The text of each module."""
    return {
        PLACE / package / f"{name}.py": text
        for package, modules in (("calls", calls.modules(document)), ("shapes", shapes.modules(document)))
        for name, text in modules.items()
    }


def standing() -> set[Path]:
    """The modules that are there."""
    return {path for package in ("calls", "shapes") for path in (PLACE / package).glob("*.py")}
