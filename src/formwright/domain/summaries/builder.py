"""Building a summary from batches of submissions."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import msgspec

from formwright.domain.submissions.models import SubmissionStatus
from formwright.domain.summaries import accumulators
from formwright.domain.summaries.accumulators import Accumulator, Context
from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.fields import FieldId, SummaryField, SummaryFields
from formwright.domain.summaries.models import FieldSummary, FormSummary, StatusCount, SummaryKind
from formwright.domain.summaries.periods import count_moments

Row = tuple[str, str, str, int, int | None, Any]
"""The id of a submission, its version, status, start and submission in milliseconds, and its answers."""
_rows = msgspec.json.Decoder(list[Row])
_version_of = itemgetter(1)


def decode_rows(items: bytes) -> list[Row]:
    """Decode submissions as `submissions.answers_page` returns them."""
    return _rows.decode(b"[%b]" % items)


class _FieldBuilder:
    """Counts the answers to one field."""

    def __init__(self, field: SummaryField, context: Context) -> None:
        self._field = field
        self._accumulator: Accumulator = accumulators.create(field, context)
        self._answered = self._total = 0

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> None:
        self._total += len(values)
        self._answered += self._accumulator.add(values, ids)

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
            answered=self._answered,
            missing=self._total - self._answered,
            **self._accumulator.result(),
        )


class SummaryBuilder:
    """Counts submissions, which must be added from the newest to the oldest."""

    def __init__(self, fields: SummaryFields, context: Context) -> None:
        self._by_version, self._context = fields.by_version, context
        self._fields = {id_: _FieldBuilder(field, context) for id_, field in fields.fields.items()}
        self._statuses: Counter[str] = Counter()
        self._times, self._fill_times = Distribution(), Distribution()

    def add(self, items: bytes) -> int:
        """Add submissions as `submissions.answers_page` returns them, and return how many there are in total."""
        return self.add_rows(decode_rows(items))

    def add_rows(self, rows: Sequence[Row]) -> int:
        """Add submissions, and return how many there are in total."""
        self._statuses.update(status for _, _, status, _, _, _ in rows)
        self._times.add([started if submitted is None else submitted for _, _, _, started, submitted, _ in rows])
        # Submissions that another system created have no time to fill in: both times are equal.
        spans = [submitted - started for _, _, _, started, submitted, _ in rows if submitted is not None]
        self._fill_times.add([span / 1000 for span in spans if span > 0])
        # Not sorted by version, because the newest answers must come first.
        for version_id, group in groupby(rows, key=_version_of):
            of_version = list(group)
            answers = [row[5] if isinstance(row[5], dict) else {} for row in of_version]
            self._add_answers(self._by_version.get(version_id, ()), answers, [row[0] for row in of_version])
        return self._times.count

    def _add_answers(self, of_version: Sequence[FieldId], answers: Sequence[Mapping[str, Any]], ids: list[str]) -> None:
        inside: dict[str, tuple[list[Mapping[str, Any]], list[str]]] = {"": (list(answers), ids)}
        for id_ in of_version:
            if id_.repeat in inside:
                rows, owners = inside[id_.repeat]
                values = [row.get(id_.name) for row in rows]
                self._fields[id_].add(values, owners)
                if id_.kind is SummaryKind.REPEAT:
                    inside[id_.name] = accumulators.iter_rows(values, owners)

    def build_fields(self) -> list[FieldSummary]:
        """Return the summaries of the fields."""
        return [field.build() for field in self._fields.values()]

    def build(self, form_id: str) -> FormSummary:
        """Return the summary of all submissions that were added."""
        return FormSummary(
            form_id=form_id,
            time_zone=self._context.time_zone,
            submissions=self._times.count,
            statuses=[StatusCount(status, self._statuses[status]) for status in SubmissionStatus],
            periods=count_moments(self._times, self._context.time_zone),
            median_fill_seconds=self._fill_times.quantile(0.5) if self._fill_times.count else None,
            fields=self.build_fields(),
        )
