"""The charts of a summary: which columns they have, and how ranges and periods are written."""

from typing import Any

import pytest

from formwright.domain.forms.fields.choices import RankingField
from formwright.domain.forms.fields.labels import Label
from formwright.domain.summaries.fields import FieldId, SummaryField
from formwright.domain.summaries.models import (
    Bin,
    FieldSummary,
    Figures,
    FormSummary,
    OptionCount,
    Period,
    Periods,
    PeriodUnit,
    SummaryGroup,
    SummaryKind,
    SummarySplit,
    ValueCount,
)
from formwright.domain.summaries.rankings import RankingAccumulator
from formwright.web.charts import Chart
from formwright.web.views.forms.summary_cards import ChartSettings, SummaryView, build_view, format_range

CHOICES = {SummaryKind.CHOICE, SummaryKind.CHOICES}
WEEKS = Periods(PeriodUnit.WEEK, "2026-11-09", "2026-11-16", [Period("2026-11-09", 4), Period("2026-11-16", 7)])


def view_of(kind: SummaryKind, counts: dict[int, int], *groups: dict[int, int], by_count: bool = False) -> SummaryView:
    """Return the summary of one field with these answers, also by group."""
    found = [
        SummaryGroup(str(number), str(number), sum(one.values()), [summary_of(kind, one)])
        for number, one in enumerate(groups)
    ]
    split = SummarySplit("town", found, 0) if found else None
    submissions = sum(counts.values())
    fields = [summary_of(kind, counts)]
    return build_view(
        FormSummary("frm_1", "UTC", submissions, [], WEEKS, None, fields, split), ChartSettings("en", by_count)
    )


def summary_of(kind: SummaryKind, counts: dict[int, int]) -> FieldSummary:
    """Return the summary of a field with these answers, whose histogram has two bins."""
    total = sum(counts.values())
    bins = [Bin(-50, 0, 0), Bin(0, 50, total)]
    figures = Figures(min(counts), 2, 3, 4, max(counts), 3, bins)
    values = [ValueCount(value, count, count / total) for value, count in counts.items()]
    options = [OptionCount(str(value), f"Option {value}", count, count / total) for value, count in counts.items()]
    parts: dict[str, Any] = {"options": options} if kind in CHOICES else {"figures": figures, "values": values}
    return FieldSummary("f", None, kind, "Field", [1], False, None, answered=total, missing=0, **parts)


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


@pytest.mark.parametrize("kind", [SummaryKind.CHOICE, SummaryKind.CHOICES, SummaryKind.RATING, SummaryKind.NPS])
def test_charts_are_in_the_order_of_the_form_or_by_count(kind: SummaryKind) -> None:
    counts = {1: 3, 2: 1, 3: 9}
    found = {by_count: view_of(kind, counts, {1: 3}, {2: 1, 3: 9}, by_count=by_count) for by_count in (False, True)}
    assert all(view.has_order for view in found.values())
    charts = [chart_of(view) for view in found.values()]
    assert [[label[-1] for label in chart.labels] for chart in charts] == [["1", "2", "3"], ["3", "1", "2"]]
    compared = [[list(series.values) for series in chart.series] for chart in charts]
    assert compared == [[[3, 0, 0], [0, 1, 9]], [[0, 3, 0], [9, 0, 1]]]


def test_of_more_options_than_a_chart_draws_the_most_frequent_are_first() -> None:
    chart = chart_of(view_of(SummaryKind.CHOICE, {number: number for number in range(1, 22)}))
    assert chart.labels[:2] == ["Option 21", "Option 20"]


def test_a_ranking_shows_how_often_each_option_had_which_place_and_its_mean_place() -> None:
    orders = [[f"o{(start + step) % 7}" for step in range(7)] for start in (0, 0, 1)]
    definition = RankingField(name="f", label="F", options=[])
    options: dict[str, Label] = {f"o{number}": f"Option {number}" for number in range(7)}
    id_ = FieldId("", "f", SummaryKind.RANKING)
    ranking = RankingAccumulator(SummaryField(id_, definition, removed=False, options=options))
    ranking.add(orders, [])
    one = FieldSummary("f", None, SummaryKind.RANKING, "F", [1], False, None, 3, 0, **ranking.result())
    chart = chart_of(build_view(FormSummary("frm_1", "UTC", 3, [], None, None, [one]), ChartSettings("en")))
    *places, mean = chart.series
    assert [series.name for series in places] == ["1st", "2nd", "3rd", "4th", "5th", "6th or lower"]
    assert chart.stacked
    assert mean.is_text
    rows = [list(row) for row in zip(chart.labels, *(series.values for series in chart.series), strict=True)]
    assert rows[0] == ["Option 1", 1, 2, 0, 0, 0, 0, pytest.approx(5 / 3)]
    assert rows[1] == ["Option 2", 0, 1, 2, 0, 0, 0, pytest.approx(8 / 3)]
    assert ["Option 0", 2, 0, 0, 0, 0, 1, 3] in rows
    assert chart.text == "Highest: Option 1, mean place 1.67."


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
