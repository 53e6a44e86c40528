"""The summary of a form and its parts."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.domain.forms.fields.labels import Label
from formwright.domain.submissions.models import SubmissionStatus

MAX_ROWS = 20
"""How many rows of a data source and words a summary names: the most frequent ones."""
MAX_GROUPS = 5
"""How many options a summary is split by: the most frequent ones."""
MAX_TEXTS = 5
MAX_TEXT_LENGTH = 500
MAX_FILES = 12


class SummaryKind(StrEnum):
    """What a summary of a field contains. Fields of similar types have the same kind."""

    CHOICE = "CHOICE"
    CHOICES = "CHOICES"
    BOOLEAN = "BOOLEAN"
    NUMBER = "NUMBER"
    RATING = "RATING"
    NPS = "NPS"
    RANKING = "RANKING"
    SLIDER = "SLIDER"
    DATE = "DATE"
    TIME = "TIME"
    DATETIME = "DATETIME"
    TEXT = "TEXT"
    LOOKUP = "LOOKUP"
    LOOKUPS = "LOOKUPS"
    FILES = "FILES"
    LOCATION = "LOCATION"
    REPEAT = "REPEAT"


class PeriodUnit(StrEnum):
    """The length of the periods of a time series. `HOUR_OF_DAY` adds up the same hour of all days."""

    HOUR_OF_DAY = "HOUR_OF_DAY"
    HOUR = "HOUR"
    DAY = "DAY"
    WEEK = "WEEK"
    MONTH = "MONTH"
    YEAR = "YEAR"
    DECADE = "DECADE"
    CENTURY = "CENTURY"


@dataclass(frozen=True, slots=True)
class Period:
    """The number of answers in a period, which begins at the local day `2026-03-29` or hour `2026-03-29T14:00`."""

    start: str
    count: int


@dataclass(frozen=True, slots=True)
class Periods:
    """A time series without gaps, from the first to the last answer."""

    unit: PeriodUnit
    first: str
    last: str
    items: Sequence[Period]


@dataclass(frozen=True, slots=True)
class OptionCount:
    """How often an option was chosen. `share` is of the answers, from 0 to 1. `removed`: not in the published version.

    The label of a boolean is None.
    """

    value: str
    label: Label | None
    count: int
    share: float
    removed: bool = False


@dataclass(frozen=True, slots=True)
class OptionRank:
    """The places of an option in rankings: the mean, None without rankings, and how often it had which place."""

    value: str
    label: Label
    mean: float | None
    first: int
    places: Sequence[int]
    removed: bool = False


@dataclass(frozen=True, slots=True)
class NetPromoterScore:
    """The percentage of promoters (9 and 10) less that of detractors (0 to 6); None without answers."""

    score: float | None
    promoters: int
    passives: int
    detractors: int


@dataclass(frozen=True, slots=True)
class Bin:
    """The number of values with start <= value < end; the last bin of a histogram includes its end."""

    start: float
    end: float
    count: int


@dataclass(frozen=True, slots=True)
class ValueCount:
    """How often a number was the answer."""

    value: int
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of at least one number. Quartiles and the median are interpolated linearly between values."""

    minimum: float
    lower_quartile: float
    median: float
    upper_quartile: float
    maximum: float
    mean: float
    histogram: Sequence[Bin]


@dataclass(frozen=True, slots=True)
class TextSample:
    """One of the newest texts, cut after 500 characters."""

    submission_id: str
    text: str


@dataclass(frozen=True, slots=True)
class WordCount:
    """How often a word occurs."""

    word: str
    count: int


@dataclass(frozen=True, slots=True)
class Texts:
    """The newest texts, and the most frequent words.

    `words_complete` is False if the texts have so many different words that only the earlier found ones were counted.
    """

    newest: Sequence[TextSample]
    words: Sequence[WordCount]
    words_complete: bool


@dataclass(frozen=True, slots=True)
class RowCount:
    """How often a row of a data source was chosen, and the newest submission with it.

    `label` has the cells that the person saw who chose it last; the key, if there are none.
    """

    key: str
    label: str
    count: int
    share: float
    submission_id: str


@dataclass(frozen=True, slots=True)
class Rows:
    """The most frequent rows of a data source, and how many different rows were chosen."""

    different: int
    items: Sequence[RowCount]


@dataclass(frozen=True, slots=True)
class FileSample:
    """One of the newest files."""

    submission_id: str
    file_id: str


@dataclass(frozen=True, slots=True)
class Files:
    """The number of files and the newest ones."""

    count: int
    newest: Sequence[FileSample]


@dataclass(frozen=True, slots=True)
class RepeatFigures:
    """The number of rows in all submissions, and in those that have rows."""

    rows: int
    per_submission: Figures | None


@dataclass(frozen=True, slots=True)
class FieldSummary:
    """The summary of a field's answers. Only the properties that suit its `kind` are set.

    `versions` are the numbers of the final versions that have the field. It is `removed` if the published version has
    no field with this name, repeat and kind; `renamed_to` is then the name that the field has got, if it was renamed.

    `answered` and `missing` count submissions with these versions or, in a repeat, their rows. Answers that do not
    fit the field, as in drafts, count as missing. `other` counts answers to a choice that are no option.
    """

    name: str
    repeat: str | None
    kind: SummaryKind
    label: Label
    versions: Sequence[int]
    removed: bool
    renamed_to: str | None
    answered: int
    missing: int
    options: Sequence[OptionCount] | None = None
    other: int | None = None
    ranks: Sequence[OptionRank] | None = None
    net_promoter: NetPromoterScore | None = None
    figures: Figures | None = None
    values: Sequence[ValueCount] | None = None
    periods: Periods | None = None
    texts: Texts | None = None
    rows: Rows | None = None
    files: Files | None = None
    bounding_box: Sequence[float] | None = None
    repeated: RepeatFigures | None = None


@dataclass(frozen=True, slots=True)
class SummaryGroup:
    """The submissions with the same answer to a choice; None without an answer."""

    value: str | None
    label: Label | None
    submissions: int
    fields: Sequence[FieldSummary]


@dataclass(frozen=True, slots=True)
class SummarySplit:
    """The submissions by their answer to a single choice: the most frequent options, then those without an answer.

    `others` counts the submissions that are in no group.
    """

    field: str
    groups: Sequence[SummaryGroup]
    others: int


@dataclass(frozen=True, slots=True)
class StatusCount:
    """The number of submissions with a status."""

    status: SubmissionStatus
    count: int


@dataclass(frozen=True, slots=True)
class FormSummary:
    """The summary of the submissions of a form that match a filter.

    `periods` are the submissions over time, by when they were submitted or, for drafts, started. `median_fill_seconds`
    is of the submissions that were filled in on a page. Days and hours are in `time_zone`, that of the account.
    """

    form_id: str
    time_zone: str
    submissions: int
    statuses: Sequence[StatusCount]
    periods: Periods | None
    median_fill_seconds: float | None
    fields: Sequence[FieldSummary]
    split: SummarySplit | None = None
