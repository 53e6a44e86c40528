"""Type checkers understand the client: they accept correct user code, and find its errors."""

import json
import shutil
import sys
from pathlib import Path

import pytest
from fixtures.client_generators import readme_code, run, script

from scripts.client.modules import PACKAGE

pytestmark = pytest.mark.slow

SETTINGS = {
    "include": ["."],
    "extraPaths": [str(PACKAGE.parent)],
    "pythonVersion": "3.11",
    "typeCheckingMode": "strict",
    "enableTypeIgnoreComments": False,  # those are for mypy
    "reportUnnecessaryTypeIgnoreComment": "error",
}


@pytest.fixture
def user_code(tmp_path: Path) -> Path:
    """Return a folder with the code of an integrator, and the code in the README."""
    shutil.copy(Path(__file__).with_name("user_code.py"), tmp_path)
    (tmp_path / "readme.py").write_text(readme_code(), encoding="utf-8")
    return tmp_path


def test_mypy_understands_the_client(user_code: Path) -> None:
    options = ("--strict", "--config-file=", "--python-version=3.11", f"--cache-dir={user_code / 'cache'}")
    output = run(sys.executable, "-m", "mypy", *options, ".", folder=user_code, MYPYPATH=str(PACKAGE.parent))
    assert "no issues found in 2 source files" in output


def test_pyright_understands_the_client(user_code: Path) -> None:
    (user_code / "pyrightconfig.json").write_text(json.dumps(SETTINGS), encoding="utf-8")
    output = run(*script("pyright", "index.js"), "--pythonpath", sys.executable, folder=user_code)
    assert "0 errors, 0 warnings" in output
