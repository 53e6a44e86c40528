"""Accumulators: each collects the answers to one field, and returns what the summary says about them.

Values come as the submissions contain them. Drafts can contain anything, so values of another type are missing answers.
Or they come from the index of answers, which has values of one type, with how often each occurs.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from itertools import chain, islice
from operator import attrgetter
from sys import float_info
from typing import Any, Protocol

from formwright.core.clock import parse_timestamp
from formwright.core.ids import is_id
from formwright.domain.submissions.answer_counts import Counts
from formwright.domain.submissions.answer_filters import add_seconds
from formwright.domain.submissions.geojson import GeoPosition, bounding_box, read_positions
from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.fields import SummaryField
from formwright.domain.summaries.histogram import build_figures
from formwright.domain.summaries.models import (
    MAX_FILES,
    MAX_ROWS,
    MAX_TEXT_LENGTH,
    MAX_TEXTS,
    Files,
    FileSample,
    NetPromoterScore,
    OptionCount,
    RepeatFigures,
    RowCount,
    Rows,
    SummaryKind,
    Texts,
    TextSample,
    ValueCount,
    WordCount,
)
from formwright.domain.summaries.periods import count_days, count_moments, count_times_of_day
from formwright.domain.summaries.rankings import RankingAccumulator
from formwright.domain.summaries.word_counts import WordCounter

Parts = dict[str, Any]
"""Properties of `FieldSummary`."""
_LARGEST = float_info.max
_LONGITUDE, _LATITUDE = attrgetter("longitude"), attrgetter("latitude")


class Accumulator(Protocol):
    """Collects the answers to a field. `ids` are the submissions of the values, newest first; None is no answer."""

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        """Add values, and return how many of them are answers."""

    def result(self) -> Parts:
        """Return the properties that suit the kind of the field."""


class IndexedAccumulator(Accumulator, Protocol):
    """Can collect answers from the index, too."""

    def add_counts(self, counts: Counts) -> int:
        """Add different values in ascending order, each with its number, and return how many answers they are."""


def create(field: SummaryField, time_zone: str) -> Accumulator:
    """Return the accumulator of a field. Days and hours are in `time_zone`, that of the account."""
    return _ACCUMULATORS[field.id.kind](field, time_zone)


class _Keys:
    """Counts how often each of several keys is the answer, and the submissions with an answer."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._answered = 0

    def add_answered(self, count: int) -> int:
        """Count submissions with an answer, of which there may be fewer than keys."""
        self._answered += count
        return count


class _Choice(_Keys):
    def __init__(self, field: SummaryField) -> None:
        super().__init__()
        self._field = field

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        texts = [value for value in values if type(value) is str and value]
        self._count(texts)
        return self.add_answered(len(texts))

    def add_counts(self, counts: Counts) -> int:
        for text, count in counts:
            self._counts[text if text in self._field.options else ""] += count
        return self.add_answered(_total(counts))

    def _count(self, texts: Sequence[str]) -> None:
        known = self._field.options
        # Drafts could contain any number of different texts, so those that are no option are counted together.
        self._counts.update(text if text in known else "" for text in texts)

    def result(self) -> Parts:
        options = [
            OptionCount(
                value, label, self._counts[value], _share(self._counts[value], self._answered), self._is_removed(value)
            )
            for value, label in self._field.options.items()
        ]
        return {"options": options, "other": self._counts[""]}

    def _is_removed(self, value: str) -> bool:
        return self._field.removed or value in self._field.removed_options


class ChoicesAccumulator(_Choice):
    """Shares are of the submissions with an answer, so they may add up to more than 1."""

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        chosen = [found for value in values if isinstance(value, list) and (found := _texts_in(value))]
        for one in chosen:
            self._count(one)
        return self.add_answered(len(chosen))

    def add_counts(self, counts: Counts) -> int:
        super().add_counts(counts)
        # The caller counts the submissions.
        self._answered = 0
        return 0


def _texts_in(values: Sequence[Any]) -> list[str]:
    """Return the different texts in a list."""
    return list(dict.fromkeys(value for value in values if type(value) is str and value))


class _Boolean:
    def __init__(self) -> None:
        self._counts: Counter[bool] = Counter()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        flags = [value for value in values if value is True or value is False]
        self._counts.update(flags)
        return len(flags)

    def add_counts(self, counts: Counts) -> int:
        for text, count in counts:
            self._counts[text == "true"] += count
        return _total(counts)

    def result(self) -> Parts:
        answered = self._counts.total()
        return {
            "options": [
                OptionCount(name, None, self._counts[value], _share(self._counts[value], answered))
                for name, value in (("true", True), ("false", False))
            ]
        }


class _Number:
    def __init__(self, *, integers: bool) -> None:
        self._integers = integers
        self._numbers = Distribution()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        numbers = _to_numbers(values)
        self._numbers.add(numbers)
        return len(numbers)

    def add_counts(self, counts: Counts) -> int:
        self._numbers.add_counts(counts)
        return _total(counts)

    def result(self) -> Parts:
        return {"figures": build_figures(self._numbers, integers=self._integers)}


def _to_numbers(values: Sequence[Any]) -> list[float]:
    """Return the numbers that a double can represent. PostgreSQL writes large doubles as integers of 300 digits."""
    return [float(value) for value in values if type(value) in (float, int) and -_LARGEST <= value <= _LARGEST]


class _Scale(_Number):
    """Ratings and sliders: also the count of each value, if there are few."""

    # As many values as a slider from 0 to 100 has.
    _MAX_VALUES = 101

    def __init__(self) -> None:
        super().__init__(integers=True)
        self._counts: Counter[int] | None = Counter()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        numbers = [int(number) for number in _to_numbers(values) if number == int(number)]
        self._numbers.add(numbers)
        if self._counts is not None:
            self._counts.update(numbers)
            if len(self._counts) > self._MAX_VALUES:
                self._counts = None
        return len(numbers)

    def add_counts(self, counts: Counts) -> int:
        integers = [(int(number), count) for number, count in counts if number == int(number)]
        if self._counts is not None:
            self._counts.update(dict(integers))
            if len(self._counts) > self._MAX_VALUES:
                self._counts = None
        return super().add_counts(integers)

    def result(self) -> Parts:
        found = None
        if self._counts is not None:
            total = self._numbers.count
            found = [ValueCount(value, count, _share(count, total)) for value, count in sorted(self._counts.items())]
        return super().result() | {"values": found}


_SCORES = range(11)


class _NetPromoter(_Scale):
    """Also the score, for which only numbers from 0 to 10 count."""

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        return super().add([value for value in values if type(value) in (int, float) and value in _SCORES], ids)

    def add_counts(self, counts: Counts) -> int:
        return super().add_counts([(value, count) for value, count in counts if value in _SCORES])

    def result(self) -> Parts:
        parts = super().result()
        counts = {one.value: one.count for one in parts["values"] or ()}
        promoters = sum(count for value, count in counts.items() if value >= 9)
        detractors = sum(count for value, count in counts.items() if value <= 6)
        total = sum(counts.values())
        score = 100 * (promoters - detractors) / total if total else None
        return parts | {"net_promoter": NetPromoterScore(score, promoters, total - promoters - detractors, detractors)}


class _Times:
    """Dates, times of day, and moments, as numbers."""

    def __init__(
        self,
        parse: Callable[[str], float | None],
        parse_indexed: Callable[[Any], float | None],
        count: Callable[[Distribution], Any],
    ) -> None:
        self._parse, self._parse_indexed, self._count = parse, parse_indexed, count
        self._numbers = Distribution()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        numbers = [number for value in values if type(value) is str and (number := self._parse(value)) is not None]
        self._numbers.add(numbers)
        return len(numbers)

    def add_counts(self, counts: Counts) -> int:
        numbers = [(number, count) for value, count in counts if (number := self._parse_indexed(value)) is not None]
        self._numbers.add_counts(sorted(numbers))
        return _total(numbers)

    def result(self) -> Parts:
        return {"periods": self._count(self._numbers)}


def _parse_day(text: str) -> float | None:
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def _parse_seconds(text: str) -> float | None:
    return _parse_clock(add_seconds(text))


def _parse_clock(text: str) -> float | None:
    try:
        found = time.fromisoformat(text)
    except ValueError:
        return None
    return found.hour * 3600 + found.minute * 60 + found.second


class TextAccumulator:
    def __init__(self) -> None:
        self._newest: list[TextSample] = []
        self._words = WordCounter()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        texts = [value for value in values if type(value) is str and value]
        self._words.add(texts)
        if len(self._newest) < MAX_TEXTS:
            found = (one for one in zip(values, ids, strict=True) if type(one[0]) is str and one[0])
            for text, submission_id in islice(found, MAX_TEXTS - len(self._newest)):
                self._newest.append(TextSample(submission_id, text[:MAX_TEXT_LENGTH]))
        return len(texts)

    def add_texts(self, texts: Sequence[str]) -> None:
        """Count the words of answers that are not among the newest."""
        self._words.add(texts)

    def add_newest(self, found: Sequence[tuple[str, str]]) -> None:
        """Set the newest answers: ids of submissions, and texts."""
        self._newest = [TextSample(submission_id, text[:MAX_TEXT_LENGTH]) for submission_id, text in found]

    def result(self) -> Parts:
        words = [WordCount(word, count) for word, count in self._words.most_common(MAX_ROWS)]
        return {"texts": Texts(self._newest, words, self._words.complete)}


class LookupAccumulator(_Keys):
    def __init__(self) -> None:
        super().__init__()
        self._newest: dict[str, str] = {}

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        chosen = [(value, id_) for value, id_ in zip(values, ids, strict=True) if type(value) is str and value]
        self._counts.update(key for key, _ in chosen)
        for key, id_ in chosen:
            self._newest.setdefault(key, id_)
        return self.add_answered(len(chosen))

    def add_counts(self, counts: Counts) -> int:
        self._counts.update(dict(counts))
        return self.add_answered(_total(counts))

    def add_newest(self, found: Sequence[tuple[str, str]]) -> None:
        """Add the newest submissions with keys: ids of submissions, and keys."""
        self._newest |= {key: submission_id for submission_id, key in found}

    def most_frequent(self) -> list[tuple[str, int]]:
        """Return the most frequent keys."""
        return sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))[:MAX_ROWS]

    def result(self) -> Parts:
        rows = [
            RowCount(key, key, count, _share(count, self._answered), self._newest.get(key, ""))
            for key, count in self.most_frequent()
        ]
        return {"rows": Rows(len(self._counts), rows)}


class LookupsAccumulator(LookupAccumulator):
    """Shares are of the submissions with an answer, so they may add up to more than 1."""

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        chosen = [
            (keys, id_)
            for value, id_ in zip(values, ids, strict=True)
            if isinstance(value, list) and (keys := _texts_in(value))
        ]
        for keys, id_ in chosen:
            self._counts.update(keys)
            for key in keys:
                self._newest.setdefault(key, id_)
        return self.add_answered(len(chosen))

    def add_counts(self, counts: Counts) -> int:
        super().add_counts(counts)
        # The caller counts the submissions.
        self._answered = 0
        return 0


class _Files:
    def __init__(self) -> None:
        self._count = 0
        self._newest: list[FileSample] = []

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        answered = 0
        for value, submission_id in zip(values, ids, strict=True):
            if value and (file_ids := _file_ids(value)):
                answered += 1
                self._count += len(file_ids)
                wanted = MAX_FILES - len(self._newest)
                self._newest += [FileSample(submission_id, file_id) for file_id in file_ids[:wanted]]
        return answered

    def result(self) -> Parts:
        return {"files": Files(self._count, self._newest)}


def _file_ids(value: Any) -> list[str]:
    return [text for text in _texts_in(value if isinstance(value, list) else [value]) if is_id(text, "fil")]


class _Locations:
    """Keeps the outermost positions of each tenth of a degree, from which the box is the same."""

    def __init__(self) -> None:
        self._western: dict[int, GeoPosition] = {}
        self._eastern: dict[int, GeoPosition] = {}
        self._latitudes: list[GeoPosition] = []

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        answers = [positions for value in values if value is not None and (positions := read_positions(value))]
        found = list(chain.from_iterable(answers))
        for position in found:
            cell = int(position.longitude * 10)
            west, east = self._western.get(cell, position), self._eastern.get(cell, position)
            # Positions as a whole cannot be compared: their accuracy may be None.
            self._western[cell] = min(west, position, key=_LONGITUDE)
            self._eastern[cell] = max(east, position, key=_LONGITUDE)
        if found:
            ends = [*self._latitudes, *found]
            self._latitudes = [min(ends, key=_LATITUDE), max(ends, key=_LATITUDE)]
        return len(answers)

    def result(self) -> Parts:
        return {"bounding_box": bounding_box([*self._western.values(), *self._eastern.values(), *self._latitudes])}


class _Repeat:
    def __init__(self) -> None:
        self._lengths = Distribution()
        self._rows = 0

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        lengths = [len(value) for value in values if isinstance(value, list) and value]
        self._lengths.add(lengths)
        self._rows += sum(lengths)
        return len(lengths)

    def result(self) -> Parts:
        return {"repeated": RepeatFigures(self._rows, build_figures(self._lengths, integers=True))}


def iter_rows(values: Sequence[Any], ids: Sequence[str]) -> tuple[list[Mapping[str, Any]], list[str]]:
    """Return the rows in the answers to a repeat, each with the id of its submission. What is no row is empty."""
    lists = [(value, id_) for value, id_ in zip(values, ids, strict=True) if isinstance(value, list) and value]
    rows: list[Mapping[str, Any]] = [
        row if isinstance(row, dict) else {} for row in chain.from_iterable(value for value, _ in lists)
    ]
    return rows, [id_ for value, id_ in lists for _ in value]


def _total(counts: Counts) -> int:
    return sum(count for _, count in counts)


def _share(count: int, total: int) -> float:
    return count / total if total else 0.0


_ACCUMULATORS: Mapping[SummaryKind, Callable[[SummaryField, str], Accumulator]] = {
    SummaryKind.CHOICE: lambda field, _: _Choice(field),
    SummaryKind.CHOICES: lambda field, _: ChoicesAccumulator(field),
    SummaryKind.BOOLEAN: lambda *_: _Boolean(),
    SummaryKind.NUMBER: lambda field, _: _Number(integers=field.integers),
    SummaryKind.RATING: lambda *_: _Scale(),
    SummaryKind.SLIDER: lambda *_: _Scale(),
    SummaryKind.NPS: lambda *_: _NetPromoter(),
    SummaryKind.RANKING: lambda field, _: RankingAccumulator(field),
    SummaryKind.DATE: lambda *_: _Times(_parse_day, _parse_day, count_days),
    SummaryKind.TIME: lambda *_: _Times(_parse_seconds, _parse_clock, count_times_of_day),
    SummaryKind.DATETIME: lambda _, zone: _Times(parse_timestamp, float, lambda times: count_moments(times, zone)),
    SummaryKind.TEXT: lambda *_: TextAccumulator(),
    SummaryKind.LOOKUP: lambda *_: LookupAccumulator(),
    SummaryKind.LOOKUPS: lambda *_: LookupsAccumulator(),
    SummaryKind.FILES: lambda *_: _Files(),
    SummaryKind.LOCATION: lambda *_: _Locations(),
    SummaryKind.REPEAT: lambda *_: _Repeat(),
}
