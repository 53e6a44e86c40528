"""The distribution of many numbers: exact sums and order statistics in steps short enough for the shared thread."""

import struct
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import chain
from math import floor, fsum, isinf

_RUN = 65_536
"""Numbers per sorted run. Sorting one takes a few milliseconds, during which other threads wait."""
_SCALE = 2.0**-64
"""A power of two, so that scaling changes no digits. Scaled, fewer than 2⁶⁴ values cannot overflow."""


class Distribution:
    """Collects finite numbers, which take 8 bytes each."""

    def __init__(self) -> None:
        self.count = 0
        self._runs: list[array[float]] = []
        self._pending: list[float] = []

    def add(self, values: Sequence[float]) -> None:
        """Add finite numbers."""
        self.count += len(values)
        self._pending += values
        while len(self._pending) >= _RUN:
            self._runs.append(array("d", sorted(self._pending[:_RUN])))
            del self._pending[:_RUN]

    def add_counts(self, counts: Sequence[tuple[float, int]]) -> None:
        """Add finite numbers in ascending order, each with how often it occurs."""
        run = array("d")
        for value, count in counts:
            run.extend(array("d", (value,)) * count)
        if run:
            self.count += len(run)
            self._runs.append(run)

    def _sorted_runs(self) -> list["array[float]"]:
        if self._pending:
            self._runs.append(array("d", sorted(self._pending)))
            self._pending = []
        return self._runs

    @property
    def minimum(self) -> float:
        """The smallest number. There must be at least one."""
        return min(run[0] for run in self._sorted_runs())

    @property
    def maximum(self) -> float:
        """The largest number. There must be at least one."""
        return max(run[-1] for run in self._sorted_runs())

    def mean(self) -> float:
        """Return the mean of at least one number: the exact sum, divided by the count. It does not overflow."""
        runs = self._sorted_runs()
        try:
            return fsum(chain.from_iterable(map(_exact_parts, runs))) / self.count
        except OverflowError:
            scaled = fsum(chain.from_iterable(_exact_parts([value * _SCALE for value in run]) for run in runs))
            return min(max(scaled / self.count / _SCALE, self.minimum), self.maximum)

    def count_below(self, edge: float) -> int:
        """Return how many numbers are less than `edge`."""
        return sum(bisect_left(run, edge) for run in self._sorted_runs())

    def _count_up_to(self, value: float) -> int:
        return sum(bisect_right(run, value) for run in self._sorted_runs())

    def nth(self, index: int) -> float:
        """Return the number at an index from 0 in ascending order."""
        # Search among all doubles by their position in the order: at most 64 steps, however many numbers there are.
        low, high = _to_ordinal(self.minimum), _to_ordinal(self.maximum)
        while low < high:
            middle = (low + high) // 2
            if self._count_up_to(_from_ordinal(middle)) > index:
                high = middle
            else:
                low = middle + 1
        return _from_ordinal(low)

    def quantile(self, fraction: float) -> float:
        """Return a quantile of at least one number, interpolated linearly between the two numbers next to it."""
        position = fraction * (self.count - 1)
        index = floor(position)
        low, weight = self.nth(index), position - index
        if not weight:
            return low
        high = self.nth(index + 1)
        if isinf(high - low):
            return low * (1 - weight) + high * weight
        return low + (high - low) * weight


def _exact_parts(values: Sequence[float]) -> list[float]:
    """Return a few numbers with the same sum, so that the sum of all runs does not depend on how they are divided."""
    parts: list[float] = []
    while rest := fsum(chain(values, (-part for part in parts))):
        parts.append(rest)
    return parts


def _to_ordinal(value: float) -> int:
    """Return the position of a double among all doubles: the order of the integers is that of the numbers."""
    bits: int = struct.unpack(">q", struct.pack(">d", value))[0]
    return bits if bits >= 0 else -(bits & 0x7FFF_FFFF_FFFF_FFFF)


def _from_ordinal(ordinal: int) -> float:
    bits = ordinal if ordinal >= 0 else -ordinal - 2**63
    value: float = struct.unpack(">d", struct.pack(">q", bits))[0]
    return value
