"""Histograms with round edges."""

from fractions import Fraction
from itertools import pairwise
from math import ceil, floor, log10, sqrt
from sys import float_info

from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.models import Bin, Figures

_MAX_BINS = 20
_ROUND_STEPS = (1, 2, 5, 10)


def build_figures(numbers: Distribution, *, integers: bool) -> Figures | None:
    """Return the figures of the numbers; None without any. Bins of `integers` have integer edges."""
    if not numbers.count:
        return None
    return Figures(
        minimum=numbers.minimum,
        lower_quartile=numbers.quantile(0.25),
        median=numbers.quantile(0.5),
        upper_quartile=numbers.quantile(0.75),
        maximum=numbers.maximum,
        mean=numbers.mean(),
        histogram=build_histogram(numbers, integers=integers),
    )


def build_histogram(numbers: Distribution, *, integers: bool) -> list[Bin]:
    """Return up to about 20 bins of equal width from the smallest to the largest number."""
    edges = bin_edges(numbers.minimum, numbers.maximum, numbers.count, integers=integers)
    counts = [numbers.count_below(edge) for edge in edges[:-1]] + [numbers.count]
    return [
        Bin(start, end, after - before)
        for (start, end), (before, after) in zip(pairwise(edges), pairwise(counts), strict=True)
    ]


def bin_edges(minimum: float, maximum: float, count: int, *, integers: bool) -> list[float]:
    """Return the edges of the bins: multiples of 1, 2 or 5 times a power of ten, at least two of them.

    Edges are computed exactly, because the difference of two doubles may be infinite, or too small to add to them.
    """
    low, high = Fraction(minimum), Fraction(maximum)
    if low == high:
        return [minimum, maximum]
    wanted = min(_MAX_BINS, max(5, ceil(sqrt(count))))
    step = _round_up((high - low) / wanted)
    if integers:
        step = max(step, Fraction(1))
    first, last = floor(low / step), floor(high / step) + 1
    edges = [_to_float(step * index) for index in range(first, last + 1)]
    # Doubles next to each other may have no round number between them.
    distinct = sorted(set(edges))
    return distinct if len(distinct) > 1 else [minimum, maximum]


def _round_up(width: Fraction) -> Fraction:
    """Return the smallest step that is not less than a positive width."""
    # The logarithm of a fraction can overflow, that of its parts cannot: it may be off by one, which the search allows.
    exponent = floor(_log10(width.numerator) - _log10(width.denominator)) - 1
    power = Fraction(10) ** exponent
    while True:
        for factor in _ROUND_STEPS:
            if power * factor >= width:
                return power * factor
        power *= 10


def _log10(number: int) -> float:
    shift = max(0, number.bit_length() - 512)
    return log10(number >> shift) + shift * log10(2)


def _to_float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return float_info.max if value > 0 else -float_info.max
