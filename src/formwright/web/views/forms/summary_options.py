"""The options and numbers of a summary: their names, their order, and the places of rankings."""

from collections.abc import Sequence

from formwright.domain.forms.fields.labels import Label, label_text
from formwright.domain.summaries.models import FieldSummary, OptionCount, OptionRank
from formwright.web.charts import DRAWN_ROWS, MAX_SERIES, Chart, ChartKind, ChartSeries, format_number

_MAX_COLUMNS = 25


def order_options(one: FieldSummary, *, by_count: bool) -> Sequence[OptionCount]:
    """Return the options of a choice. Equally frequent ones stay in the order of the form."""
    options = one.options or ()
    # A chart draws only the first options, which have to be the most frequent ones if there are more.
    if by_count or len(options) > DRAWN_ROWS:
        return sorted(options, key=lambda option: -option.count)
    return options


def order_values(one: FieldSummary, *, by_count: bool) -> Sequence[int]:
    """Return the numbers that have a column of their own; none if there are too many, as for most sliders.

    They include numbers that nobody chose: without them, the distances between columns would be wrong.
    """
    counts = {item.value: item.count for item in one.values or ()}
    if not counts or max(counts) - min(counts) >= _MAX_COLUMNS:
        return ()
    values = range(min(counts), max(counts) + 1)
    return sorted(values, key=lambda value: -counts.get(value, 0)) if by_count else values


def option_label(label: Label | None, value: str, language: str, *, removed: bool) -> str:
    """Return the name of an option, in a language if the form has it. Yes and no have no label."""
    if label is None:
        return "Yes" if value == "true" else "No"
    return label_text(label, (language,)) + (" (removed)" if removed else "")


def build_ranking_chart(id_: str, title: str, one: FieldSummary, language: str) -> Chart:
    """Return how often each option had which place. The highest one is first."""
    ranks = sorted((rank for rank in one.ranks or () if rank.mean), key=lambda rank: rank.mean or 0)
    labels = [option_label(rank.label, rank.value, language, removed=rank.removed) for rank in ranks]
    text = f"Highest: {labels[0]}, mean place {format_number(ranks[0].mean or 0)}." if ranks else ""
    means = ChartSeries("Mean", [rank.mean for rank in ranks], is_text=True)
    series = [*_place_series(ranks, one.answered), means]
    return Chart(id_, title, ChartKind.BARS, "Option", labels, series, text, stacked=True)


def _place_series(ranks: Sequence[OptionRank], total: int) -> list[ChartSeries]:
    last = max((len(rank.places) for rank in ranks), default=0)
    # If there are more places than colours, the last colour is that of all lower places.
    single = last if last <= MAX_SERIES else MAX_SERIES - 1
    series = [
        ChartSeries(_format_place(place), [rank.places[place - 1] for rank in ranks], total)
        for place in range(1, single + 1)
    ]
    if last > single:
        lower = [sum(rank.places[single:]) for rank in ranks]
        series.append(ChartSeries(f"{_format_place(single + 1)} or lower", lower, total))
    return series


def _format_place(place: int) -> str:
    return {1: "1st", 2: "2nd", 3: "3rd"}.get(place, f"{place}th")
