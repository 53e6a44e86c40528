"""Building a summary from batches of submissions."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from formwright.domain.submissions.answer_pages import AnswersPage
from formwright.domain.submissions.models import SubmissionStatus
from formwright.domain.summaries import accumulators
from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.fields import FieldId, SummaryField, SummaryFields
from formwright.domain.summaries.models import FieldSummary, FormSummary, Periods, StatusCount, SummaryKind
from formwright.domain.summaries.periods import count_moments

Answers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Batch:
    """Submissions, from the newest to the oldest, in columns as `AnswersPage` has them."""

    ids: Sequence[str]
    versions: Sequence[str]
    statuses: Sequence[str]
    times: Sequence[int]
    spans: Sequence[int]
    answers: Sequence[Answers]

    def select(self, indexes: Sequence[int]) -> "Batch":
        """Return the submissions at these indexes, in the same order."""
        return Batch(*([column[index] for index in indexes] for column in self._columns()))

    def _columns(self) -> Iterator[Sequence[Any]]:
        return (getattr(self, name) for name in self.__slots__)


def decode_batch(page: AnswersPage) -> Batch:
    """Return the submissions of a page. Answers that are no object are none."""
    answers = [one if isinstance(one, dict) else {} for one in page.decode()]
    return Batch(page.ids, page.versions, page.statuses, page.times, page.spans, answers)


class FieldBuilder:
    """Counts the answers to one field: so many are `answered`, of a `total` of submissions or rows."""

    def __init__(self, field: SummaryField, time_zone: str) -> None:
        self._field = field
        self.accumulator = accumulators.create(field, time_zone)
        self.answered = self.total = 0

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> None:
        self.total += len(values)
        self.answered += self.accumulator.add(values, ids)

    def build(self) -> FieldSummary:
        field, id_ = self._field, self._field.id
        return FieldSummary(
            name=id_.name,
            repeat=id_.repeat or None,
            kind=id_.kind,
            label=field.definition.label,
            versions=field.versions,
            removed=field.removed,
            renamed_to=field.renamed_to,
            answered=self.answered,
            missing=self.total - self.answered,
            **self.accumulator.result(),
        )


class SummaryBuilder:
    """Counts submissions, which must be added from the newest to the oldest."""

    def __init__(self, fields: SummaryFields, time_zone: str) -> None:
        self._by_version, self.time_zone = fields.by_version, time_zone
        self.fields = {id_: FieldBuilder(field, time_zone) for id_, field in fields.fields.items()}
        self.statuses: Counter[str] = Counter()
        self._times, self._fill_times = Distribution(), Distribution()
        self._periods: Periods | None = None

    def add(self, batch: Batch) -> int:
        """Add submissions, and return how many there are in total."""
        self.statuses.update(batch.statuses)
        self._times.add(batch.times)
        self.add_fill_times(batch.spans)
        # Not sorted by version, because the newest answers must come first.
        start = 0
        for version_id, run in groupby(batch.versions):
            end = start + sum(1 for _ in run)
            of_version = self._by_version.get(version_id, ())
            self._add_answers(of_version, batch.answers[start:end], batch.ids[start:end])
            start = end
        return self.submissions

    @property
    def submissions(self) -> int:
        """How many submissions there are."""
        return self.statuses.total()

    def set_periods(self, periods: Periods) -> None:
        """Set the number of submissions over time, instead of adding their times."""
        self._periods = periods

    def add_fill_times(self, spans: Sequence[int]) -> None:
        """Add how long it took to fill in submissions (milliseconds)."""
        # Submissions that another system created have no time to fill in: both times are equal.
        self._fill_times.add([span / 1000 for span in spans if span > 0])

    def _add_answers(self, of_version: Sequence[FieldId], answers: Sequence[Answers], ids: Sequence[str]) -> None:
        inside: dict[str, tuple[Sequence[Answers], Sequence[str]]] = {"": (answers, ids)}
        for id_ in of_version:
            if id_.repeat in inside:
                rows, owners = inside[id_.repeat]
                values = [row.get(id_.name) for row in rows]
                self.fields[id_].add(values, owners)
                if id_.kind is SummaryKind.REPEAT:
                    inside[id_.name] = accumulators.iter_rows(values, owners)

    def build_fields(self) -> list[FieldSummary]:
        """Return the summaries of the fields."""
        return [field.build() for field in self.fields.values()]

    def build(self, form_id: str) -> FormSummary:
        """Return the summary of all submissions that were added."""
        return FormSummary(
            form_id=form_id,
            time_zone=self.time_zone,
            submissions=self.submissions,
            statuses=[StatusCount(status, self.statuses[status]) for status in SubmissionStatus],
            periods=self._periods or count_moments(self._times, self.time_zone),
            median_fill_seconds=self._fill_times.quantile(0.5) if self._fill_times.count else None,
            fields=self.build_fields(),
        )
