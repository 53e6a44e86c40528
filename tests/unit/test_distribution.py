"""Order statistics and histograms at the limits of a double."""

from fractions import Fraction
from statistics import fmean, quantiles
from sys import float_info

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.domain.summaries import distribution
from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.histogram import build_histogram

NUMBERS = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(2**53), 2**53).map(float)


def collect(values: list[float]) -> Distribution:
    numbers = Distribution()
    numbers.add(values)
    return numbers


@given(values=st.lists(NUMBERS, min_size=1), run=st.integers(1, 9))
def test_order_statistics_are_exact_across_runs(values: list[float], run: int) -> None:
    before = distribution._RUN
    distribution._RUN = run
    try:
        numbers = collect(values)
    finally:
        distribution._RUN = before
    assert [numbers.nth(index) for index in range(len(values))] == sorted(values)
    exact = sum(map(Fraction, values)) / len(values)
    spread = max(abs(value) for value in values)
    assert abs(Fraction(numbers.mean()) - exact) <= Fraction(spread) * Fraction(1, 10**12) + Fraction(5e-324)


def test_figures_match_the_standard_library() -> None:
    values = [0.1, 7.0, -3.5, 2.25, 2.25, 1e6, 12.0]
    numbers = collect(values)
    assert [numbers.quantile(q) for q in (0.25, 0.5, 0.75)] == pytest.approx(quantiles(values, method="inclusive"))
    assert numbers.mean() == pytest.approx(fmean(values))


@given(values=st.lists(NUMBERS, min_size=1), integers=st.booleans())
def test_histograms_contain_all_numbers(values: list[float], integers: bool) -> None:
    bins = build_histogram(collect(values), integers=integers)
    assert sum(one.count for one in bins) == len(values)
    assert len(bins) <= 25
    assert bins[0].start <= min(values) <= max(values) <= bins[-1].end
    assert all(one.start < one.end for one in bins) or len(set(values)) == 1


def test_edges_of_histograms_are_round() -> None:
    bins = build_histogram(collect([0.0, 0.35, 0.7, 1.0]), integers=False)
    assert [one.start for one in bins] == [0, 0.2, 0.4, 0.6, 0.8, 1.0]
    largest = float_info.max
    assert build_histogram(collect([-largest, largest]), integers=False)[-1].end == largest
