"""How fast the platform is, each time beside its bare limit in the same run. `python -m bench` measures and writes."""

import sys
from pathlib import Path

# The PostgreSQL server that the tests stand on serves here too.
sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))
