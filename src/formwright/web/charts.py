"""Charts on pages: what they show, as a table and in words. `static/charts/page_charts.js` draws them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

MAX_SERIES = 6
"""How many colours there are. Join further series into one, called "Others"."""
DRAWN_ROWS = 20
"""How many bars a chart draws. All rows are in its table."""


class ChartKind(StrEnum):
    """How a chart is drawn."""

    BARS = "bars"
    """Horizontal bars, for the options of a choice. Only the first rows are drawn; one more line sums up the others."""
    COLUMNS = "columns"
    """Columns from left to right, for histograms, ratings and counts per day."""
    LINE = "line"
    """Lines over time."""


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """The numbers of one colour, one for each label; None if there is none. Shares are of `total`, if it is given.

    With `is_text`, they are written at the end of each bar instead of drawn.
    """

    name: str
    values: Sequence[float | None]
    total: int | None = None
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class ChartCell:
    """A number of the table: its value, and how it is written. A share has a value between 0 and 1."""

    value: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart. `id` is unique on its page and names the files to download; `heading` says what the labels are.

    Labels are texts of users or of the application. Rows stay in the order given.
    """

    id: str
    title: str
    kind: ChartKind
    heading: str
    labels: Sequence[str]
    series: Sequence[ChartSeries]
    description: str = ""
    """What the chart shows, in one sentence. Without it, the chart of counts names the label that has most."""
    stacked: bool = False
    """Whether several series are stacked instead of drawn next to each other."""
    drawn_rows: int = DRAWN_ROWS

    @property
    def columns(self) -> Iterator[tuple[str, str]]:
        """The headings of the table's numbers, and what each contains: a `series`, its `share`, or a `text`."""
        for series in self.series:
            yield series.name, "text" if series.is_text else "series"
            if series.total is not None:
                yield "Share" if len(self.series) == 1 else f"{series.name}, share", "share"

    @property
    def rows(self) -> Iterator[tuple[str, list[ChartCell]]]:
        """The rows of the table: each label and its numbers, in the order of `columns`."""
        for index, label in enumerate(self.labels):
            yield label, [cell for series in self.series for cell in _cells(series, index)]

    @property
    def text(self) -> str:
        """The text alternative."""
        return self.description or _describe_largest(self)


def format_number(value: float) -> str:
    """Format a number with separators and at most two decimal places: 1,234.5."""
    if abs(value) >= 1e15:
        return f"{value:.3g}"
    text = f"{value:,.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def format_share(share: float) -> str:
    """Format a share of 1 as a percentage. What is neither nothing nor all is never rounded to it."""
    if 0 < share < 0.005:
        return "<1%"
    if 0.995 <= share < 1:
        return ">99%"
    return f"{share:.0%}"


def _cells(series: ChartSeries, index: int) -> Iterator[ChartCell]:
    value = series.values[index]
    yield ChartCell(value, "–" if value is None else format_number(value))
    if series.total is not None:
        share = value / series.total if value is not None and series.total else None
        yield ChartCell(share, "–" if share is None else format_share(share))


def _describe_largest(chart: Chart) -> str:
    known = [
        (value, label, series)
        for series in chart.series
        for label, value in zip(chart.labels, series.values, strict=True)
        if value is not None
    ]
    largest = max(known, key=lambda one: one[0], default=None)
    if largest is None or not largest[0]:
        return "No data yet."
    value, label, series = largest
    of_series = f" ({series.name})" if len(chart.series) > 1 else ""
    share = f" of {format_number(series.total)} ({format_share(value / series.total)})" if series.total else ""
    is_cut = chart.kind is ChartKind.BARS and len(chart.labels) > chart.drawn_rows
    rows = f" The chart shows the first {chart.drawn_rows} of {len(chart.labels):,}." if is_cut else ""
    return f"Most: {label}{of_series}, {format_number(value)}{share}.{rows}"
