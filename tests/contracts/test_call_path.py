"""The paths of a submission and of some pages, from HTTP to SQL, stay short enough to read."""

import os
import subprocess
import sys

import pytest

from bench.call_path import LIMITS

_PAGES = [pytest.param(name, marks=pytest.mark.slow) for name in LIMITS if name != "submission"]


@pytest.mark.parametrize("request_name", ["submission", *_PAGES])
def test_a_request_passes_few_files(request_name: str) -> None:
    # With this allocator, what msgspec frees twice at the end (decision 76) ends the process every time, not sometimes.
    own = os.environ | {"PYTHONMALLOC": "malloc"}
    command = [sys.executable, "-m", "bench.call_path", request_name, "--check"]
    done = subprocess.run(command, env=own, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
