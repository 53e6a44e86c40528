"""Schemas of the summary of a form. Their properties are those of `domain.summaries.models`."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import FileId, FormId, Resource, SubmissionId
from formwright.api.v1_0.schemas.submissions import SubmissionFilters
from formwright.domain.forms.fields.labels import Label
from formwright.domain.submissions.models import SubmissionStatus
from formwright.domain.summaries import models
from formwright.domain.summaries.models import PeriodUnit, SummaryKind

_COUNT = Meta(description="How many there are.", examples=[12])
_SHARE = Meta(description="The share of the answers, from 0 to 1.", examples=[0.25])


class FormSummaryQuery(SubmissionFilters):
    """Filters of the submissions to summarize, those of `listSubmissions`, and the choice to split them by."""

    split_by: (
        Annotated[
            str,
            Meta(
                max_length=64,
                description="The name of a single choice, outside repeats and in the published version, by whose"
                " answers the submissions are summarized, too.",
                examples=["kind"],
            ),
        ]
        | None
    ) = None


class SummaryPeriod(Resource):
    """The number of answers in a period."""

    start: Annotated[
        str,
        Meta(
            description="The local day on which the period begins, such as `2026-03-29`; for hours, the local time,"
            " such as `2026-03-29T14:00` or, by the hour of the day, `14:00`.",
            examples=["2026-03-29"],
        ),
    ]
    count: Annotated[int, _COUNT]


class SummaryPeriods(Resource):
    """A time series without gaps, from the first to the last answer. Weeks begin on Monday."""

    unit: Annotated[
        PeriodUnit,
        Meta(
            description="The length of the periods, which depends on the range. `HOUR_OF_DAY` adds up the same hour of"
            " all days."
        ),
    ]
    first: Annotated[str, Meta(description="The first day, or the time of the first answer to the minute.")]
    last: Annotated[str, Meta(description="The last day, or the time of the last answer to the minute.")]
    items: Annotated[list[SummaryPeriod], Meta(description="The periods in ascending order.")]


class SummaryOption(Resource):
    """How often an option was chosen."""

    value: Annotated[str, Meta(description="The value of the option; `true` or `false` for yes and no.")]
    label: Annotated[Label | None, Meta(description="The label of the option; null for yes and no.")]
    count: Annotated[int, _COUNT]
    share: Annotated[
        float,
        Meta(
            description="The share of the answers, from 0 to 1. For a multiple choice, of the respondents, so the"
            " shares may add up to more than 1.",
            examples=[0.25],
        ),
    ]
    removed: Annotated[bool, Meta(description="Whether the published version no longer has the option.")]


class SummaryRank(Resource):
    """How high an option was ranked."""

    value: Annotated[str, Meta(description="The value of the option.")]
    label: Annotated[Label, Meta(description="The label of the option.")]
    mean: Annotated[float | None, Meta(description="Its mean position, from 1; null if nobody ranked it.")]
    first: Annotated[int, Meta(description="How often it was the first.")]
    places: Annotated[
        list[int],
        Meta(
            description="How often it had each place, from the first to the last one of any option.",
            examples=[[7, 2, 0]],
        ),
    ]
    removed: Annotated[bool, Meta(description="Whether the published version no longer has the option.")]


class SummaryNetPromoter(Resource):
    """The net promoter score."""

    score: Annotated[
        float | None,
        Meta(
            description="The percentage of promoters less that of detractors, from -100 to 100; null without answers.",
            examples=[42.5],
        ),
    ]
    promoters: Annotated[int, Meta(description="The number of answers 9 and 10.")]
    passives: Annotated[int, Meta(description="The number of answers 7 and 8.")]
    detractors: Annotated[int, Meta(description="The number of answers from 0 to 6.")]


class SummaryBin(Resource):
    """A bin of a histogram."""

    start: Annotated[float, Meta(description="The smallest number that the bin can contain.")]
    end: Annotated[float, Meta(description="The end of the bin. Only the last bin includes it.")]
    count: Annotated[int, _COUNT]


class SummaryValue(Resource):
    """How often a number was the answer."""

    value: Annotated[int, Meta(description="The number.")]
    count: Annotated[int, _COUNT]
    share: Annotated[float, _SHARE]


class SummaryFigures(Resource):
    """Figures of numbers. The median and the quartiles are interpolated linearly between the closest numbers."""

    minimum: Annotated[float, Meta(description="The smallest number.")]
    lower_quartile: Annotated[float, Meta(description="A quarter of the numbers are not greater.")]
    median: Annotated[float, Meta(description="Half of the numbers are not greater.")]
    upper_quartile: Annotated[float, Meta(description="Three quarters of the numbers are not greater.")]
    maximum: Annotated[float, Meta(description="The largest number.")]
    mean: Annotated[float, Meta(description="The arithmetic mean.")]
    histogram: Annotated[list[SummaryBin], Meta(description="The histogram, with bins of equal width.")]


class SummaryText(Resource):
    """A text."""

    submission_id: SubmissionId
    text: Annotated[str, Meta(description=f"The text, at most {models.MAX_TEXT_LENGTH} characters of it.")]


class SummaryWord(Resource):
    """How often a word occurs."""

    word: Annotated[str, Meta(description="The word in lower case.")]
    count: Annotated[int, _COUNT]


class SummaryTexts(Resource):
    """The newest texts and the most frequent words."""

    newest: Annotated[
        list[SummaryText], Meta(description=f"Up to {models.MAX_TEXTS} texts, of the newest submissions first.")
    ]
    words: Annotated[
        list[SummaryWord],
        Meta(description=f"Up to {models.MAX_ROWS} words of 2 to 100 characters, the most frequent first."),
    ]
    words_complete: Annotated[
        bool,
        Meta(description="False if there are so many different words that those found later were not counted."),
    ]


class SummaryRow(Resource):
    """How often a row of a data source was chosen."""

    key: Annotated[str, Meta(description="The key of the row.")]
    label: Annotated[
        str, Meta(description="The cells that the form displays, as the last respondent saw them, or the key.")
    ]
    count: Annotated[int, _COUNT]
    share: Annotated[float, _SHARE]
    submission_id: Annotated[SubmissionId, Meta(description="The newest submission in which the row was chosen.")]


class SummaryRows(Resource):
    """The chosen rows of a data source."""

    different: Annotated[int, Meta(description="How many different rows were chosen.")]
    items: Annotated[list[SummaryRow], Meta(description=f"Up to {models.MAX_ROWS} rows, the most frequent first.")]


class SummaryFile(Resource):
    """A file."""

    submission_id: SubmissionId
    file_id: FileId


class SummaryFiles(Resource):
    """The uploaded files."""

    count: Annotated[int, Meta(description="The number of files.")]
    newest: Annotated[
        list[SummaryFile],
        Meta(
            description=f"Up to {models.MAX_FILES} files, of the newest submissions first. `listSubmissionFiles`"
            " returns links to them."
        ),
    ]


class SummaryRepeat(Resource):
    """The rows of a repeat."""

    rows: Annotated[int, Meta(description="The number of rows in all submissions.")]
    per_submission: Annotated[
        SummaryFigures | None,
        Meta(
            description="The number of rows per submission that has any or, in a repeat inside another one, per row of"
            " that; null if none has."
        ),
    ]


class SummaryField(Resource):
    """The summary of the answers to a field. Of the last properties, those that do not suit its `kind` are null."""

    name: Annotated[str, Meta(description="The name of the field.")]
    repeat: Annotated[
        str | None, Meta(description="The name of the repeat that contains the field. Its rows are counted then.")
    ]
    kind: Annotated[SummaryKind, Meta(description="What the summary contains. Fields of similar types share a kind.")]
    label: Annotated[Label, Meta(description="The label of the field.")]
    versions: Annotated[
        list[int], Meta(description="The numbers of the final versions that have the field.", examples=[[1, 2, 4]])
    ]
    removed: Annotated[
        bool, Meta(description="Whether the published version has no field with this name, kind and repeat.")
    ]
    renamed_to: Annotated[
        str | None, Meta(description="The name of the field in the published version, if it was renamed.")
    ]
    answered: Annotated[
        int, Meta(description="How many submissions have an answer or, for a field of a repeat, how many rows.")
    ]
    missing: Annotated[
        int,
        Meta(
            description="How many submissions with one of these `versions`, or rows of them, have no answer. Answers of"
            " drafts that do not fit the field are missing."
        ),
    ]
    options: Annotated[
        list[SummaryOption] | None,
        Meta(description="`CHOICE`, `CHOICES`, `BOOLEAN`: all options in the order of the form."),
    ]
    other: Annotated[
        int | None, Meta(description="`CHOICE`, `CHOICES`: how many values are no option, as may occur in drafts.")
    ]
    ranks: Annotated[list[SummaryRank] | None, Meta(description="`RANKING`: all options in the order of the form.")]
    net_promoter: Annotated[SummaryNetPromoter | None, Meta(description="`NPS`: the score, and what it is made of.")]
    figures: Annotated[
        SummaryFigures | None,
        Meta(description="`NUMBER`, `RATING`, `NPS`, `SLIDER`: figures of the numbers; null without answers."),
    ]
    values: Annotated[
        list[SummaryValue] | None,
        Meta(description="`RATING`, `NPS`, `SLIDER`: the numbers in ascending order; null if there are more than 101."),
    ]
    periods: Annotated[
        SummaryPeriods | None, Meta(description="`DATE`, `TIME`, `DATETIME`: answers over time; null without answers.")
    ]
    texts: Annotated[SummaryTexts | None, Meta(description="`TEXT`: texts and words.")]
    rows: Annotated[SummaryRows | None, Meta(description="`LOOKUP`, `LOOKUPS`: rows of the data source.")]
    files: Annotated[SummaryFiles | None, Meta(description="`FILES`: photos, signatures and other files.")]
    bounding_box: Annotated[
        list[float] | None,
        Meta(
            description="`LOCATION`: the box around the positions: west, south, east, north, in degrees. West is"
            " greater than east if it crosses the antimeridian. Null without answers.",
            examples=[[9.7, 53.4, 10.3, 53.7]],
        ),
    ]
    repeated: Annotated[SummaryRepeat | None, Meta(description="`REPEAT`: the number of rows.")]


class SummaryGroup(Resource):
    """The submissions with the same answer to the choice."""

    value: Annotated[str | None, Meta(description="The value of the option; null for submissions without an answer.")]
    label: Annotated[Label | None, Meta(description="The label of the option; null without an answer.")]
    submissions: Annotated[int, Meta(description="The number of submissions.")]
    fields: Annotated[list[SummaryField], Meta(description="The fields, in the order of those of all submissions.")]


class SummarySplit(Resource):
    """The submissions by their answer to a single choice."""

    field: Annotated[str, Meta(description="The name of the choice.")]
    groups: Annotated[
        list[SummaryGroup],
        Meta(
            description=f"The {models.MAX_GROUPS} most frequent options that were chosen, and the submissions without"
            " an answer, if there are any."
        ),
    ]
    others: Annotated[int, Meta(description="The number of submissions with other options.")]


class SummaryStatus(Resource):
    """The number of submissions with a status."""

    status: SubmissionStatus
    count: Annotated[int, _COUNT]


class FormSummary(Resource):
    """The summary of the submissions of a form that match the filters."""

    form_id: FormId
    time_zone: Annotated[
        str, Meta(description="The time zone of days and hours: that of the account.", examples=["Europe/Berlin"])
    ]
    submissions: Annotated[int, Meta(description="The number of submissions.")]
    statuses: Annotated[list[SummaryStatus], Meta(description="The number of submissions with each status.")]
    periods: Annotated[
        SummaryPeriods | None,
        Meta(description="When they were submitted (or started, if not submitted); null if there are none."),
    ]
    median_fill_seconds: Annotated[
        float | None,
        Meta(
            description="The median time from start to submission in seconds. Submissions that were created by another"
            " system are not included; null if there are no others."
        ),
    ]
    fields: Annotated[
        list[SummaryField],
        Meta(
            description="The fields of the published version in the order of the form, then removed fields. Fields of a"
            " repeat follow it."
        ),
    ]
    split: Annotated[
        SummarySplit | None, Meta(description="The submissions by the choice that `splitBy` names; null without it.")
    ]
