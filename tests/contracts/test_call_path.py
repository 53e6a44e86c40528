"""The path of a submission from HTTP to SQL stays short enough to read."""

import os
import subprocess
import sys


def test_a_submission_passes_few_files() -> None:
    # With this allocator, what msgspec frees twice at the end (decision 76) ends the process every time, not sometimes.
    own = os.environ | {"PYTHONMALLOC": "malloc"}
    done = subprocess.run([sys.executable, "-m", "bench.call_path", "--check"], env=own, capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
