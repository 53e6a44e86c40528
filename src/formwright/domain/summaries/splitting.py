"""Summaries of the submissions with the same answer to a choice."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from formwright.domain.summaries.builder import Batch, SummaryBuilder
from formwright.domain.summaries.fields import SummaryField, SummaryFields
from formwright.domain.summaries.models import MAX_GROUPS, FormSummary, SummaryGroup, SummarySplit


class AnswerReader:
    """Reads the answers to a single choice. Answers of versions in which the field was none are no answers to it."""

    def __init__(self, fields: SummaryFields, field: SummaryField) -> None:
        self._name, self._options = field.id.name, field.options
        self._versions = {version for version, ids in fields.by_version.items() if field.id in ids}

    def read(self, batch: Batch) -> list[str | None]:
        """Return the chosen option of each submission: None without an answer, "" if the answer is not an option."""
        return [
            self._to_option(answers.get(self._name)) if version in self._versions else None
            for version, answers in zip(batch.versions, batch.answers, strict=True)
        ]

    def _to_option(self, value: Any) -> str | None:
        if not isinstance(value, str) or not value:
            return None
        return value if value in self._options else ""


class AnswerCounter:
    """Counts the answers, to find the most frequent options before their submissions are summarized."""

    def __init__(self, reader: AnswerReader) -> None:
        self._reader = reader
        self._counts: Counter[str | None] = Counter()

    def add(self, batch: Batch) -> int:
        """Add submissions, and return how many there are in total."""
        self._counts.update(self._reader.read(batch))
        return self._counts.total()

    def groups(self) -> list[str | None]:
        """Return the most frequent options, and None if there are submissions without an answer."""
        options = sorted((-count, value) for value, count in self._counts.items() if value)
        none: list[str | None] = [None] if self._counts[None] else []
        return [value for _, value in options[:MAX_GROUPS]] + none


class SplitBuilder:
    """Builds the summary of all submissions, and one of each group."""

    def __init__(
        self,
        fields: SummaryFields,
        selected: SummaryFields,
        time_zone: str,
        field: SummaryField,
        groups: Sequence[str | None],
    ) -> None:
        self._field, self._reader = field, AnswerReader(fields, field)
        self._all = SummaryBuilder(selected, time_zone)
        self._groups = {value: SummaryBuilder(selected, time_zone) for value in groups}
        self._counts = dict.fromkeys(groups, 0)
        self._total = 0

    def add(self, batch: Batch) -> int:
        """Add submissions, and return how many there are in total."""
        by_value: dict[str | None, list[int]] = {value: [] for value in self._groups}
        for index, value in enumerate(self._reader.read(batch)):
            if value in by_value:
                by_value[value].append(index)
        for value, indexes in by_value.items():
            self._counts[value] = self._groups[value].add(batch.select(indexes))
        self._total = self._all.add(batch)
        return self._total

    def build(self, form_id: str) -> FormSummary:
        """Return the summary of all submissions that were added, with the groups."""
        labels = self._field.options
        groups = [
            SummaryGroup(value, labels.get(value) if value else None, self._counts[value], builder.build_fields())
            for value, builder in self._groups.items()
        ]
        split = SummarySplit(self._field.id.name, groups, self._total - sum(self._counts.values()))
        return replace(self._all.build(form_id), split=split)
