"""Clients that generators make of our document: made once, and again when the document or a generator changes."""

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from rig.machine import Missing
from rig.node import node

ROOT = Path(__file__).resolve().parents[2]
DOCUMENT = ROOT / "docs" / "openapi.json"
CONFIG = ROOT / "clients" / "openapi-python-client.yml"
EXAMPLES = ROOT / "clients" / "examples"
ENVIRONMENT = Path(sys.prefix) / "clients"
"""Programs of others that do not bear our own dependencies beside them."""
MODULES = ROOT / "node_modules"
TSC = ["--strict", "--skipLibCheck", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom"]


def program(name: str) -> str:
    """A program of the environment of its own."""
    found = ENVIRONMENT / "bin" / name
    if not found.exists():
        raise Missing(f"The tests of generated clients need {name} in {ENVIRONMENT}: make .venv/.clients brings it.")
    return str(found)


def script(package: str, place: str) -> list[str]:
    """The command that runs a program of an npm package."""
    found = MODULES / package / place
    if not found.exists():
        raise Missing(
            f"The tests of generated clients need {package} in {MODULES}: make node_modules/.stamp brings it."
        )
    return [str(node()), str(found)]


def python_client() -> Path:
    """The folder in which the package `formwright_api_client` is; AssertionError where its generator warns."""

    def make(folder: Path) -> None:
        run(
            program("openapi-python-client"),
            *("generate", "--path", str(DOCUMENT), "--config", str(CONFIG), "--meta", "none", "--fail-on-warning"),
            *("--output-path", str(folder / "formwright_api_client")),
        )

    return _made(ENVIRONMENT / "made", [DOCUMENT, CONFIG, ROOT / "requirements" / "clients.txt"], make)


def typescript_client() -> Path:
    """The folder with the compiled example; AssertionError where the generator warns or the types do not fit."""

    def make(folder: Path) -> None:
        (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
        shutil.copy(EXAMPLES / "generated.ts", folder)
        types = str(folder / "formwright.d.ts")
        generator = script("openapi-typescript", "bin/cli.js")
        said = run(*generator, str(DOCUMENT), "-o", types, "--default-non-nullable", "false")
        assert "warn" not in said.lower(), said
        run(*script("typescript", "bin/tsc"), *TSC, str(folder / "generated.ts"))

    sources = [DOCUMENT, EXAMPLES / "generated.ts", ROOT / "package-lock.json"]
    return _made(MODULES / ".cache" / "formwright", sources, make)


def run(*words: str, folder: Path = ROOT, **variables: str) -> str:
    """What a program says that runs in `folder`; AssertionError where it fails."""
    path = f"{ENVIRONMENT / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, **variables}
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def _made(place: Path, sources: list[Path], make: Callable[[Path], None]) -> Path:
    """The folder that `make` filled for these sources; another process that fills one too comes first or second."""
    digest = hashlib.sha256(b"\0".join(source.read_bytes() for source in [*sources, Path(__file__)])).hexdigest()
    folder = place / digest[:16]
    if not folder.exists():
        new = place / f"{digest[:16]}.{os.getpid()}"
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir(parents=True)
        make(new)
        try:
            new.rename(folder)
        except OSError:
            shutil.rmtree(new)
    return folder
