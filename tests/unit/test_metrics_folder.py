"""The files that say which processes share their metrics."""

import fcntl
from pathlib import Path

import pytest

from formwright.telemetry import metrics


def test_a_process_that_just_starts_is_not_taken_for_a_dead_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, file = fcntl.flock, tmp_path / "1.alive"

    def lock_after_others_looked(descriptor: int, operation: int) -> None:
        monkeypatch.undo()
        assert [metrics._is_alive(one) for one in tmp_path.glob("*.alive")] == []
        lock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", lock_after_others_looked)
    metrics._mark_alive(file)
    assert metrics._is_alive(file)
