"""What a run found: a part of it that fails is told, and loses nothing of the others."""

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
    """The figures so far, and the parts that failed, each with why."""

    results: list[Result] = field(default_factory=list)
    others: list[Measured] = field(default_factory=list)
    ceilings: dict[str, Figures] = field(default_factory=dict)
    failed: list[str] = field(default_factory=list)

    @contextmanager
    def trying(self, what: str) -> Iterator[None]:
        """Go on behind it also when it fails."""
        try:
            yield
        except (Exception, SystemExit) as error:  # noqa: BLE001 (whatever it is, the other figures are kept)
            traceback.print_exc()
            print(f"{what}: failed", file=sys.stderr, flush=True)
            self.failed.append(f"{what} ({' '.join(str(error).split())[:200] or type(error).__name__})")

    def keep(self, what: str, figures: Iterable[Result | Measured]) -> None:
        """Take in what a part measures, one by one, and say each."""
        with self.trying(what):
            for one in figures:
                print(report.line(one) if isinstance(one, Result) else report.said(one), flush=True)
                if isinstance(one, Result):
                    self.results.append(one)
                else:
                    self.others.append(one)

    @property
    def wrong(self) -> bool:
        """Whether any answer was, or a part failed."""
        return bool(self.failed) or any(one.ours.wrong or one.bare.wrong for one in self.results)
