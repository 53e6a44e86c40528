"""Charts that compare groups of submissions: those with the same answer to a choice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from formwright.domain.forms.fields.labels import label_text
from formwright.domain.summaries.models import FieldSummary, Figures, FormSummary
from formwright.web.charts import Chart, ChartKind, ChartSeries, format_number
from formwright.web.views.forms.summary_options import order_options, order_values

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """The answers to a field in one group of submissions, by the name of the group."""

    name: str
    summary: FieldSummary


def field_groups(summary: FormSummary, language: str) -> list[list[FieldGroup]]:
    """Return the groups of each field, in the order of the fields; empty lists if the summary is not split."""
    if summary.split is None:
        return [[] for _ in summary.fields]
    names = [
        "No answer" if group.label is None else label_text(group.label, (language,)) for group in summary.split.groups
    ]
    return [
        [FieldGroup(name, group.fields[index]) for name, group in zip(names, summary.split.groups, strict=True)]
        for index, _ in enumerate(summary.fields)
    ]


def compare_groups(
    id_: str, chart: Chart | None, one: FieldSummary, groups: Sequence[FieldGroup], *, by_count: bool
) -> Chart | None:
    """Return the chart of a field with a series per group, or None if its kind cannot be compared.

    `chart` is that of all submissions, in the same order. `id_` begins the ids of charts besides it.
    """
    if one.options is not None and chart:
        values = [option.value for option in order_options(one, by_count=by_count)]
        return _stack(chart, len(values), [_option_series(group, values) for group in groups])
    if (numbers := order_values(one, by_count=by_count)) and chart:
        return _stack(chart, len(numbers), [_value_series(group, numbers) for group in groups])
    figures = [(group.name, found) for group in groups if (found := _figures(group.summary))]
    return _compare_means(id_, one, figures) if figures else None


def _stack(chart: Chart, rows: int, series: Sequence[ChartSeries]) -> Chart:
    # Values that are no option are not part of the comparison.
    return Chart(chart.id, chart.title, chart.kind, chart.heading, chart.labels[:rows], series, stacked=True)


def _option_series(group: FieldGroup, values: Sequence[str]) -> ChartSeries:
    counts = {option.value: option.count for option in group.summary.options or ()}
    return _series(group, counts, values)


def _value_series(group: FieldGroup, values: Sequence[int]) -> ChartSeries:
    counts = {item.value: item.count for item in group.summary.values or ()}
    return _series(group, counts, values)


def _series(group: FieldGroup, counts: Mapping[T, int], values: Sequence[T]) -> ChartSeries:
    return ChartSeries(group.name, [counts.get(value, 0) for value in values], total=group.summary.answered)


def _figures(one: FieldSummary) -> Figures | None:
    return one.repeated.per_submission if one.repeated else one.figures


def _compare_means(id_: str, one: FieldSummary, figures: Sequence[tuple[str, Figures]]) -> Chart:
    title = "Rows per submission by group" if one.repeated else "Mean and median by group"
    series = [
        ChartSeries("Mean", [found.mean for _, found in figures]),
        ChartSeries("Median", [found.median for _, found in figures]),
    ]
    highest, of_highest = max(figures, key=lambda one: one[1].mean)
    text = f"Highest mean: {highest}, {format_number(of_highest.mean)}."
    return Chart(f"{id_}-groups", title, ChartKind.COLUMNS, "Group", [name for name, _ in figures], series, text)
