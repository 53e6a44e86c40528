"""Summaries of rankings: the mean positions of options, and how often each was the first."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from formwright.domain.summaries.fields import SummaryField
from formwright.domain.summaries.models import OptionRank


class RankingAccumulator:
    """Collects the positions of options."""

    def __init__(self, field: SummaryField) -> None:
        self._field = field
        self._ranks: Counter[str] = Counter()
        self._counts: Counter[str] = Counter()
        self._first: Counter[str] = Counter()

    def add(self, values: Sequence[Any], ids: Sequence[str]) -> int:
        """Add values, and return how many of them are rankings."""
        answered, options = 0, self._field.options
        for value in values:
            texts = [one for one in value if type(one) is str] if type(value) is list else []
            known = [one for one in dict.fromkeys(texts) if one in options]
            if known:
                answered += 1
                self._first[known[0]] += 1
                self._counts.update(known)
                for rank, option in enumerate(known, start=1):
                    self._ranks[option] += rank
        return answered

    def result(self) -> dict[str, Any]:
        """Return the options in the order of the form."""
        ranks = [
            OptionRank(
                value,
                label,
                self._ranks[value] / self._counts[value] if self._counts[value] else None,
                self._first[value],
                value in self._field.removed_options,
            )
            for value, label in self._field.options.items()
        ]
        return {"ranks": ranks}
