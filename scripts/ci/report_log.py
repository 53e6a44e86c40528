"""Reads the log that pytest-reportlog writes: one JSON object per line, also for the tests of other processes."""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

_PHASES = {"setup", "call", "teardown"}
_TESTS_FAILED = 1
"""The exit status of pytest if it ran to its end, and the only reason against success are failed tests."""


@dataclass(slots=True)
class TestRun:
    """What pytest reported about one run."""

    status: int | None = None
    """The exit status, or None if pytest did not end as it should."""
    passed: set[str] = field(default_factory=set)
    failed: list[str] = field(default_factory=list)
    """The ids of the failed tests, in the order of their failures."""
    is_broken: bool = False
    """Whether something failed that is not a test: a module that cannot be collected, or a process that crashed."""

    @property
    def has_only_failed_tests(self) -> bool:
        """Whether running the failed tests again can tell more about this run."""
        return self.status == _TESTS_FAILED and bool(self.failed) and not self.is_broken


def read_log(path: Path) -> TestRun:
    """Return what the log says. It is broken if there is no log, and has no status if its end is missing."""
    if not path.exists():
        return TestRun(is_broken=True)
    run = TestRun()
    for line in path.read_text(encoding="utf-8").splitlines():
        _add(run, json.loads(line))
    run.passed.difference_update(run.failed)
    return run


def _add(run: TestRun, entry: dict[str, object]) -> None:
    kind, outcome, test = entry.get("$report_type"), entry.get("outcome"), str(entry.get("nodeid"))
    if kind == "SessionFinish":
        run.status = int(str(entry["exitstatus"]))
    elif kind == "CollectReport":
        run.is_broken |= outcome == "failed"
    elif kind == "TestReport" and outcome == "failed":
        # pytest-xdist reports the test of a process that crashed as failed, in an unknown phase.
        run.is_broken |= entry["when"] not in _PHASES
        run.failed += [] if test in run.failed else [test]
    elif kind == "TestReport" and outcome == "passed" and entry["when"] == "call":
        run.passed.add(test)


def count_passed(runs: Iterable[TestRun]) -> int:
    """Return the number of tests that passed in these runs."""
    return sum(len(run.passed) for run in runs)
