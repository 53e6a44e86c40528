"""Collects the results of a run: a part that fails is reported, and the others continue."""

import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench import report
from bench.measurements import Measurement
from bench.rounds import Comparison, RoundResults


@dataclass(slots=True)
class Results:
    """The results so far, and the failed parts with their reasons."""

    comparisons: list[Comparison] = field(default_factory=list)
    measurements: list[Measurement] = field(default_factory=list)
    ceilings: dict[str, RoundResults] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Run the block, and continue after it even if it fails."""
        try:
            yield
        except (Exception, SystemExit) as error:  # noqa: BLE001 (an error in one part must not lose the results of the others)
            traceback.print_exc()
            print(f"{name}: failed", file=sys.stderr, flush=True)
            self.failed.append(f"{name} ({' '.join(str(error).split())[:200] or type(error).__name__})")

    def add(self, name: str, results: Iterable[Comparison | Measurement]) -> None:
        """Add the results of a part one by one, and print each."""
        with self.part(name):
            for result in results:
                if isinstance(result, Comparison):
                    print(report.format_comparison(result), flush=True)
                    self.comparisons.append(result)
                else:
                    print(report.format_measurement(result), flush=True)
                    self.measurements.append(result)

    @property
    def has_failures(self) -> bool:
        """Whether any response was wrong, or a part failed."""
        return bool(self.failed) or any(result.ours.wrong or result.baseline.wrong for result in self.comparisons)
