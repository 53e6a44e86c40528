"""Benchmarks: each result next to its baseline from the same run. `python -m bench` measures and writes them."""

import sys
from pathlib import Path

# The benchmarks use the PostgreSQL server of the tests.
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
