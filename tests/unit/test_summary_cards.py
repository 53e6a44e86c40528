"""The charts of a summary: which columns they have, and how ranges and periods are written."""

import pytest

from formwright.domain.summaries.models import (
    Bin,
    FieldSummary,
    Figures,
    FormSummary,
    Period,
    Periods,
    PeriodUnit,
    SummaryGroup,
    SummaryKind,
    SummarySplit,
    ValueCount,
)
from formwright.web.charts import Chart
from formwright.web.views.forms.summary_cards import SummaryView, build_view, format_range

WEEKS = Periods(PeriodUnit.WEEK, "2026-11-09", "2026-11-16", [Period("2026-11-09", 4), Period("2026-11-16", 7)])


def view_of(kind: SummaryKind, counts: dict[int, int], *groups: dict[int, int]) -> SummaryView:
    """Return the summary of one field with these answers, also by group."""
    found = [
        SummaryGroup(str(number), str(number), sum(one.values()), [summary_of(kind, one)])
        for number, one in enumerate(groups)
    ]
    split = SummarySplit("town", found, 0) if found else None
    submissions = sum(counts.values())
    fields = [summary_of(kind, counts)]
    return build_view(FormSummary("frm_1", "UTC", submissions, [], WEEKS, None, fields, split), "en")


def summary_of(kind: SummaryKind, counts: dict[int, int]) -> FieldSummary:
    """Return the summary of a field with these answers, whose histogram has two bins."""
    total = sum(counts.values())
    bins = [Bin(-50, 0, 0), Bin(0, 50, total)]
    figures = Figures(min(counts), 2, 3, 4, max(counts), 3, bins)
    values = [ValueCount(value, count, count / total) for value, count in counts.items()]
    return FieldSummary(
        "f", None, kind, "Field", [1], False, None, answered=total, missing=0, figures=figures, values=values
    )


def chart_of(view: SummaryView) -> Chart:
    [chart] = view.cards[0].charts
    return chart


def test_a_rating_has_a_column_for_each_value_between_the_lowest_and_the_highest() -> None:
    chart = chart_of(view_of(SummaryKind.RATING, {1: 3, 4: 2, 5: 9}))
    assert list(zip(chart.labels, chart.series[0].values, strict=True)) == [
        ("1", 3),
        ("2", 0),
        ("3", 0),
        ("4", 2),
        ("5", 9),
    ]
    assert chart.text == "Most: 5, 9 of 14 (64%)."


def test_a_slider_with_many_values_is_a_histogram() -> None:
    chart = chart_of(view_of(SummaryKind.SLIDER, {-40: 1, 0: 1, 40: 1}))
    assert list(chart.labels) == ["-50 to 0", "0 – 50"]


def test_groups_are_compared_by_the_columns_of_a_rating_and_by_the_means_of_a_slider() -> None:
    [stacked] = view_of(SummaryKind.RATING, {1: 3, 3: 2}, {1: 3}, {3: 2}).cards[0].charts
    assert [list(series.values) for series in stacked.series] == [[3, 0, 0], [0, 0, 2]]
    histogram, means = view_of(SummaryKind.SLIDER, {-40: 1, 40: 1}, {-40: 1}, {40: 1}).cards[0].charts
    assert len(histogram.series) == 1
    assert means.text == "Highest mean: 0, 3."
    assert [(series.name, list(series.values)) for series in means.series] == [("Mean", [3, 3]), ("Median", [3, 3])]


def test_the_text_of_a_time_series_names_the_period() -> None:
    periods = view_of(SummaryKind.RATING, {1: 1}).periods
    assert periods
    assert periods.text == "Most: week from 16 Nov 2026, 7 of 11."


@pytest.mark.parametrize(("start", "end", "text"), [(0, 10, "0 – 10"), (-15, -10, "-15 to -10"), (-5, 3, "-5 to 3")])
def test_ranges_of_negative_numbers_have_no_dash(start: float, end: float, text: str) -> None:
    assert format_range(start, end) == text
