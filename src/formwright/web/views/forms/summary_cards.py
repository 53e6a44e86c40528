"""The cards of a summary: what the tab says about each field, as charts, figures and lists."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from formwright.domain.forms.fields.labels import label_text
from formwright.domain.summaries.models import (
    Bin,
    FieldSummary,
    Figures,
    FormSummary,
    NetPromoterScore,
    Periods,
    PeriodUnit,
    SummaryKind,
    TextSample,
)
from formwright.web.charts import Chart, ChartKind, ChartSeries, format_number
from formwright.web.views.forms.summary_options import build_ranking_chart, option_label, order_options, order_values
from formwright.web.views.forms.summary_split import FieldGroup, compare_groups, field_groups

_MANY_PERIODS = 40
_HEADINGS = {
    PeriodUnit.HOUR_OF_DAY: "Hour",
    PeriodUnit.HOUR: "Hour",
    PeriodUnit.DAY: "Day",
    PeriodUnit.WEEK: "Week from",
    PeriodUnit.MONTH: "Month",
    PeriodUnit.YEAR: "Year",
    PeriodUnit.DECADE: "Decade from",
    PeriodUnit.CENTURY: "Century from",
}


@dataclass(frozen=True, slots=True)
class FileItem:
    """A file and the submission it belongs to."""

    submission_id: str
    file_id: str


@dataclass(frozen=True, slots=True)
class Card:
    """The summary of a field. `note` says that the field is of older versions; `answered` how many have an answer.

    Without answers, there is only the title and `answered`.
    """

    id: str
    title: str
    note: str
    answered: str
    charts: Sequence[Chart] = ()
    figures: Sequence[tuple[str, str]] = ()
    remark: str = ""
    texts: Sequence[TextSample] = ()
    files: Sequence[FileItem] = ()
    map_field: str = ""


@dataclass(frozen=True, slots=True)
class SummaryView:
    """The figures of all submissions, and a card for each field: those of the form, then removed ones.

    `has_order`: a chart can be in the order of the form or by count.
    """

    figures: Sequence[tuple[str, str]]
    periods: Chart | None
    cards: Sequence[Card]
    has_order: bool
    removed: Sequence[Card] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ChartSettings:
    """How charts are built. Labels are in `language`, if the form has it; `by_count`: the most frequent are first."""

    language: str
    by_count: bool = False


def build_view(summary: FormSummary, settings: ChartSettings) -> SummaryView:
    """Return what the page shows."""
    language = settings.language
    labels = {one.name: label_text(one.label, (language,)) for one in summary.fields if one.kind is SummaryKind.REPEAT}
    figures = [("Submissions", f"{summary.submissions:,}")]
    figures += [(one.status.capitalize(), f"{one.count:,}") for one in summary.statuses if one.count]
    if summary.median_fill_seconds is not None:
        figures.append(("Median time to fill in", format_duration(summary.median_fill_seconds)))
    if summary.split and summary.split.others:
        figures.append(("Not compared", f"{summary.split.others:,}"))
    groups = field_groups(summary, language)
    cards = [
        (one.removed, _card(number, one, labels, settings, groups[number - 1]))
        for number, one in enumerate(summary.fields, 1)
    ]
    return SummaryView(
        figures=figures,
        periods=_period_chart("over-time", "Submissions over time", summary.periods) if summary.periods else None,
        cards=[card for removed, card in cards if not removed],
        removed=[card for removed, card in cards if removed],
        has_order=any(one.answered and (one.options or order_values(one, by_count=False)) for one in summary.fields),
    )


def format_duration(seconds: float) -> str:
    """Format a duration with its two largest units: 42 s, 3 min 5 s, 2 h 10 min, 3 d 4 h."""
    whole = round(seconds)
    for unit, name, below, smaller in ((86_400, "d", 3600, "h"), (3600, "h", 60, "min"), (60, "min", 1, "s")):
        if whole >= unit:
            rest = whole % unit // below
            return f"{whole // unit:,} {name}" + (f" {rest} {smaller}" if rest else "")
    return f"{seconds:.1f} s" if seconds < 1 else f"{whole} s"


def _card(
    number: int, one: FieldSummary, repeats: dict[str, str], settings: ChartSettings, groups: Sequence[FieldGroup]
) -> Card:
    title = label_text(one.label, (settings.language,))
    if one.repeat:
        title = f"{repeats.get(one.repeat, one.repeat)} › {title}"
    id_, total = f"field-{number}", one.answered + one.missing
    unit = "row" if one.repeat else "submission"
    plural = unit if total == 1 else f"{unit}s"
    answered = f"{one.answered:,} of {total:,} {plural} answered" if total else "No submissions with this field"
    if not one.answered:
        return Card(id_, title, _note(one), answered)
    charts = list(_charts(id_, title, one, settings))
    first = charts[0] if charts else None
    if groups and (compared := compare_groups(id_, first, one, groups, by_count=settings.by_count)):
        charts = [compared] if charts and charts[0].id == compared.id else [*charts, compared]
    return Card(
        id=id_,
        title=title,
        note=_note(one),
        answered=answered,
        charts=charts,
        figures=_figures(one),
        remark=_remark(one),
        texts=one.texts.newest if one.texts else (),
        files=[FileItem(item.submission_id, item.file_id) for item in one.files.newest] if one.files else (),
        map_field=one.name if one.kind is SummaryKind.LOCATION else "",
    )


def _note(one: FieldSummary) -> str:
    if not one.removed:
        return ""
    versions = ", ".join(map(str, one.versions))
    text = f"Only in version {versions} of the form." if len(one.versions) == 1 else f"Only in versions {versions}."
    return f"{text} Renamed to {one.renamed_to}." if one.renamed_to else text


def _charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    build = _BUILDERS.get(one.kind)
    if build:
        yield from build(id_, title, one, settings)


def _option_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    options, language = order_options(one, by_count=settings.by_count), settings.language
    labels = [option_label(option.label, option.value, language, removed=option.removed) for option in options]
    counts: list[float | None] = [option.count for option in options]
    if one.other:
        labels.append("Other values")
        counts.append(one.other)
    of = "Respondents" if one.kind is SummaryKind.CHOICES else "Answers"
    yield Chart(id_, title, ChartKind.BARS, "Option", labels, [ChartSeries(of, counts, total=one.answered)])


def _ranking_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    yield build_ranking_chart(id_, title, one, settings.language)


def _number_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    if values := order_values(one, by_count=settings.by_count):
        counts = {item.value: item.count for item in one.values or ()}
        series = [ChartSeries("Answers", [counts.get(value, 0) for value in values], total=one.answered)]
        yield Chart(id_, title, ChartKind.COLUMNS, "Value", [str(value) for value in values], series)
    elif one.figures:
        yield _histogram(id_, title, one.figures, "Answers", integers=one.values is not None)


def _histogram(id_: str, title: str, figures: Figures, name: str, *, integers: bool = False) -> Chart:
    labels = [_bin_label(one, integers=integers) for one in figures.histogram]
    counts = [one.count for one in figures.histogram]
    return Chart(id_, title, ChartKind.COLUMNS, "From – below", labels, [ChartSeries(name, counts, sum(counts))])


def _bin_label(one: Bin, *, integers: bool) -> str:
    """Return the range of a bin; of integers, a single number if the bin can have no other."""
    if one.start == one.end or (integers and one.end - one.start == 1):
        return format_number(one.start)
    return format_range(one.start, one.end)


def format_range(start: float, end: float) -> str:
    """Format a range of numbers; with "to" if one is negative, because a dash next to a minus can't be read."""
    return f"{format_number(start)}{' – ' if start >= 0 else ' to '}{format_number(end)}"


def _period_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    del settings
    if one.periods:
        yield _period_chart(id_, title, one.periods)


def _period_chart(id_: str, title: str, periods: Periods) -> Chart:
    kind = ChartKind.LINE if len(periods.items) > _MANY_PERIODS else ChartKind.COLUMNS
    labels = [format_period(one.start, periods.unit) for one in periods.items]
    counts = [one.count for one in periods.items]
    heading = _HEADINGS[periods.unit]
    most = max(range(len(counts)), key=counts.__getitem__, default=None)
    unit = f"{heading.lower()} " if heading.endswith("from") else ""
    text = "" if most is None else f"Most: {unit}{labels[most]}, {counts[most]:,} of {sum(counts):,}."
    series = ChartSeries("Answers" if id_.startswith("field") else "Submissions", counts)
    return Chart(id_, title, kind, heading, labels, [series], text)


def format_period(start: str, unit: PeriodUnit) -> str:
    """Format the beginning of a period as its unit needs: 29 Mar 2026, Mar 2026, 2026, or 29 Mar, 14:00."""
    match unit:
        case PeriodUnit.HOUR_OF_DAY:
            return start
        case PeriodUnit.HOUR:
            at = datetime.fromisoformat(start)
            return f"{at.day} {at:%b, %H:%M}"
        case PeriodUnit.DAY | PeriodUnit.WEEK:
            day = date.fromisoformat(start)
            return f"{day.day} {day:%b} {day.year}"
        case PeriodUnit.MONTH:
            day = date.fromisoformat(start)
            return f"{day:%b} {day.year}"
    return start[:4]


def _text_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    del title, settings
    if one.texts and one.texts.words:
        labels = [item.word for item in one.texts.words]
        series = ChartSeries("Times", [item.count for item in one.texts.words])
        yield Chart(id_, "Most frequent words", ChartKind.BARS, "Word", labels, [series], drawn_rows=10)


def _row_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    del settings
    if one.rows:
        labels = [item.label for item in one.rows.items]
        of = "Respondents" if one.kind is SummaryKind.LOOKUPS else "Answers"
        series = ChartSeries(of, [item.count for item in one.rows.items], total=one.answered)
        yield Chart(id_, title, ChartKind.BARS, "Row", labels, [series])


def _repeat_charts(id_: str, title: str, one: FieldSummary, settings: ChartSettings) -> Iterator[Chart]:
    del settings
    if one.repeated and one.repeated.per_submission:
        unit = "row" if one.repeat else "submission"
        title = f"Rows per {unit}"
        yield _histogram(id_, title, one.repeated.per_submission, f"{unit.capitalize()}s", integers=True)


_BUILDERS: dict[SummaryKind, Callable[[str, str, FieldSummary, ChartSettings], Iterator[Chart]]] = {
    SummaryKind.CHOICE: _option_charts,
    SummaryKind.CHOICES: _option_charts,
    SummaryKind.BOOLEAN: _option_charts,
    SummaryKind.NUMBER: _number_charts,
    SummaryKind.RANKING: _ranking_charts,
    SummaryKind.NPS: _number_charts,
    SummaryKind.RATING: _number_charts,
    SummaryKind.SLIDER: _number_charts,
    SummaryKind.DATE: _period_charts,
    SummaryKind.TIME: _period_charts,
    SummaryKind.DATETIME: _period_charts,
    SummaryKind.TEXT: _text_charts,
    SummaryKind.LOOKUP: _row_charts,
    SummaryKind.LOOKUPS: _row_charts,
    SummaryKind.REPEAT: _repeat_charts,
}


def _figures(one: FieldSummary) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    numbers = one.figures or (one.repeated.per_submission if one.repeated else None)
    if (nps := one.net_promoter) and nps.score is not None:
        found += [
            ("Net promoter score", f"{nps.score:+.0f}"),
            *((name, f"{count:,}") for name, count in _promoter_counts(nps)),
        ]
    if one.repeated:
        found.append(("Rows", f"{one.repeated.rows:,}"))
    if numbers:
        found += [
            ("Mean", format_number(numbers.mean)),
            ("Median", format_number(numbers.median)),
            ("Quartiles", format_range(numbers.lower_quartile, numbers.upper_quartile)),
            ("Range", format_range(numbers.minimum, numbers.maximum)),
        ]
    if one.files:
        found.append(("Files", f"{one.files.count:,}"))
    if one.bounding_box:
        west, south, east, north = one.bounding_box
        found += [("Latitudes", f"{south:.4f}° – {north:.4f}°"), ("Longitudes", f"{west:.4f}° – {east:.4f}°")]
    return found


def _promoter_counts(nps: NetPromoterScore) -> list[tuple[str, int]]:
    return [
        ("Promoters (9–10)", nps.promoters),
        ("Passives (7–8)", nps.passives),
        ("Detractors (0–6)", nps.detractors),
    ]


def _remark(one: FieldSummary) -> str:
    if one.rows and one.rows.different > len(one.rows.items):
        return f"The {len(one.rows.items)} most frequent of {one.rows.different:,} different rows."
    if one.texts and not one.texts.words_complete:
        return "There are so many different words that only those found first were counted."
    return ""
