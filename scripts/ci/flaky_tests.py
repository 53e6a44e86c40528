"""Runs tests, and runs the few that failed again alone: a flaky test must not stop a good change, nor hide."""

import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from scripts.ci.report_log import TestRun, read_log

MOST_RERUNS = 3
"""If more tests fail, the change is to blame."""


class TestsFailed(Exception):
    """The tests failed; the text says why, and why they were not run again if they were not."""


def run_tests(
    name: str, command: Callable[[Path], Sequence[str]], rerun: Callable[[Path, str], Sequence[str]], folder: Path
) -> tuple[list[TestRun], list[str]]:
    """Run all tests, and those that failed again; return the runs and the ids of the flaky tests.

    `command` returns the command that writes its log to a file, and `rerun` the same for one test. Raises
    `TestsFailed`.
    """
    first = _run(command(folder / f"{name}.jsonl"), folder / f"{name}.jsonl")
    if first.status == 0:
        return [first], []
    _check_repeatable(name, first)
    runs = [first]
    for number, test in enumerate(first.failed):
        print(f"ci: {name}: running {test} again, alone", flush=True)
        log = folder / f"{name}-{number}.jsonl"
        runs.append(_run(rerun(log, test), log))
        if runs[-1].status != 0 or test not in runs[-1].passed:
            raise TestsFailed(f"{name}: {test} failed again when it ran alone.")
        print(f"FLAKY {test}", flush=True)
    return runs, first.failed


def _run(command: Sequence[str], log: Path) -> TestRun:
    """Run a command, and return what pytest reported, without a status of 0 if the command itself failed."""
    print(f"ci: {shlex.join(command)}", flush=True)
    log.unlink(missing_ok=True)
    done = subprocess.run(command, stdin=subprocess.DEVNULL, check=False)
    run = read_log(log)
    if (done.returncode == 0) != (run.status == 0):
        run.status = None
    return run


def _check_repeatable(name: str, run: TestRun) -> None:
    if not run.has_only_failed_tests:
        raise TestsFailed(f"{name}: failed, and not only because of tests that could run again.")
    if len(run.failed) > MOST_RERUNS:
        raise TestsFailed(f"{name}: {len(run.failed)} tests failed. At most {MOST_RERUNS} are run again.")


def make_command(target: str) -> Callable[[Path], Sequence[str]]:
    """Return the command for a target of the Makefile that runs tests."""
    return lambda log: ["make", target, f"ARGS=--report-log={shlex.quote(str(log))}"]


def rerun_command(log: Path, test: str) -> Sequence[str]:
    """Return the command that runs one test in a process of its own, whether it is marked as slow or not."""
    return [sys.executable, "-m", "pytest", "-m", "", f"--report-log={log}", test]
