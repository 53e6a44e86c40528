"""A start does not import large libraries that most processes never use."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from fixtures.server_process import command, environment

SELDOM = {"alembic", "sqlalchemy", "pyxform", "openpyxl", "pydantic"}
STARTED = """
import asyncio, sys
from formwright import migrations
from formwright.app import from_environment
from formwright.cli import main
from formwright.settings import Settings

asyncio.run(migrations.upgrade(Settings.from_environment()))
from_environment()
print(*{name.partition(".")[0] for name in sys.modules})
"""


def test_a_start_imports_only_what_it_uses(tmp_path: Path) -> None:
    def start() -> set[str]:
        own = environment(DATA_DIR=str(tmp_path)) | {"PYTHONPATH": os.pathsep.join(sys.path)}
        done = subprocess.run([sys.executable, "-c", STARTED], env=own, capture_output=True, text=True, check=True)
        return set(done.stdout.split())

    assert start() & SELDOM == {"alembic", "sqlalchemy"}, "the tables are created"
    assert start() & SELDOM == set()


@pytest.mark.slow
def test_a_key_name_is_printed_on_a_terminal_without_its_characters(tmp_path: Path) -> None:
    def values(output: str) -> dict[str, str]:
        return {name: rest.strip() for name, _, rest in (line.partition("  ") for line in output.splitlines())}

    variables = {"DATA_DIR": str(tmp_path), "PASSWORD": "correct horse battery"}
    created = command("account", "create", "--name", "Harbour", "--email", "a@example.org", **variables)
    words = ["keys", "create", "--customer", values(created.stdout)["customerId"], "--name", "Kräne 🏗"]
    own = environment(**variables)
    own |= {"PYTHONPATH": os.pathsep.join(sys.path), "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = subprocess.run([sys.executable, "-m", "formwright", *words], env=own, capture_output=True, check=True)
    new_created = values(done.stdout.decode("latin-1"))
    assert new_created["name"] == "Kräne \\U0001f3d7"
    assert new_created["apiKey"].startswith("fwk_")
