"""All checks of a change: `python -m scripts.ci`, as `.ci/run` starts it. The quickest come first."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from scripts.ci.flaky_tests import TestsFailed, make_command, rerun_command, run_tests
from scripts.ci.generated_files import FilesChanged, check_unchanged
from scripts.ci.report_log import TestRun, count_passed

GENERATORS = ("openapi", "errors", "field-types", "settings")
"""The targets of the Makefile that regenerate files."""


def main() -> int:
    """Run the checks of the working directory until one fails, and return the exit status."""
    started = time.monotonic()
    try:
        check_unchanged(["make", *GENERATORS], Path.cwd())
        subprocess.run(["make", "docs"], stdin=subprocess.DEVNULL, check=True)
        runs, flaky = _run_all_tests()
    except (FilesChanged, TestsFailed, subprocess.CalledProcessError) as error:
        print(f"ci: {error}", file=sys.stderr)
        return 1
    for test in flaky:
        print(f"FLAKY {test}: it failed, and passed when it ran again alone. Fix it next.")
    print(f"ci: {count_passed(runs)} passed, {len(flaky)} of them flaky, in {time.monotonic() - started:.0f} s")
    return 0


def _run_all_tests() -> tuple[list[TestRun], list[str]]:
    runs, flaky = list[TestRun](), list[str]()
    with tempfile.TemporaryDirectory(prefix="formwright-ci-") as folder:
        for target in ("test", "test-slow"):
            more_runs, more_flaky = run_tests(target, make_command(target), rerun_command, Path(folder))
            runs += more_runs
            flaky += more_flaky
    return runs, flaky


if __name__ == "__main__":
    sys.exit(main())
