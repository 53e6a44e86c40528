"""Collects the results of a run: a part that fails is reported, and the others continue."""

import sys
import traceback
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from bench import report
from bench.measurements import Measured
from bench.rounds import Figures, Result


@dataclass(slots=True)
class Found:
    """The results so far, and the failed parts with their reasons."""

    results: list[Result] = field(default_factory=list)
    others: list[Measured] = field(default_factory=list)
    ceilings: dict[str, Figures] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @contextmanager
    def trying(self, what: str) -> Iterator[None]:
        """Run the block, and continue after it even if it fails."""
        try:
            yield
        except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever it is, the other figures are kept)
            traceback.print_exc()
            print(f"{what}: failed", file=sys.stderr, flush=True)
            self.failed.append(f"{what} ({' '.join(str(error).split())[:200] or type(error).__name__})")

    def keep(self, what: str, figures: Iterable[Result | Measured]) -> None:
        """Add the results of a part one by one, and print each."""
        with self.trying(what):
            for one in figures:
                print(report.line(one) if isinstance(one, Result) else report.said(one), flush=True)
                if isinstance(one, Result):
                    self.results.append(one)
                else:
                    self.others.append(one)

    @property
    def wrong(self) -> bool:
        """Whether any response was wrong, or a part failed."""
        return bool(self.failed) or any(one.ours.wrong or one.bare.wrong for one in self.results)
