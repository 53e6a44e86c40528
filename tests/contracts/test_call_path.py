"""The path of a submission from HTTP to SQL stays short enough to read."""

import subprocess
import sys


def test_a_submission_passes_few_files() -> None:
    done = subprocess.run([sys.executable, "-m", "bench.call_path", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
