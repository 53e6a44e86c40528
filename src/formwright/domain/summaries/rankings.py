"""Summaries of rankings: how often each option had which place, and the mean places."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from formwright.domain.forms.fields.labels import Label
from formwright.domain.summaries.fields import SummaryField
from formwright.domain.summaries.models import OptionRank


class RankingAccumulator:
    """Collects the places of options."""

    def __init__(self, field: SummaryField) -> None:
        self._field = field
        self._places: Counter[tuple[str, int]] = Counter()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        """Add values, and return how many of them are rankings."""
        answered, options = 0, self._field.options
        for value in values:
            texts = [one for one in value if type(one) is str] if type(value) is list else []
            known = [one for one in dict.fromkeys(texts) if one in options]
            answered += bool(known)
            self._places.update((option, place) for place, option in enumerate(known, start=1))
        return answered

    def result(self) -> dict[str, Any]:
        """Return the options in the order of the form."""
        last = max((place for _, place in self._places), default=0)
        return {"ranks": [self._rank(value, label, last) for value, label in self._field.options.items()]}

    def _rank(self, value: str, label: Label, last: int) -> OptionRank:
        places = [self._places[value, place] for place in range(1, last + 1)]
        count = sum(places)
        mean = sum(place * times for place, times in enumerate(places, start=1)) / count if count else None
        first = places[0] if places else 0
        return OptionRank(value, label, mean, first, places, value in self._field.removed_options)
