"""The rule for forms that stopped receiving submissions."""

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

WINDOW_DAYS = 28
"""The days before the last submission from which the rhythm is read."""
MIN_DAYS = 8
"""On how many of these days a form must have received something: twice a week."""
FACTOR = 3
"""By how much the silence must exceed the longest gap of the rhythm."""
MIN_SILENT_DAYS = FACTOR
MAX_SILENT_DAYS = 90
"""After this time, a form is no longer listed: it has probably ended."""


def find_silence(days: Sequence[date], today: date) -> tuple[int, int] | None:
    """Return the longest gap of a steady rhythm and the length of the silence since, both in days.

    `days` are those with submissions, ascending. Returns None if there is no steady rhythm, or no silence: a form that
    receives something on each working day has a longest gap of three days, so it is silent after nine.
    """
    if len(days) < MIN_DAYS:
        return None
    gap = max((after - before).days for before, after in pairwise(days))
    silent = (today - days[-1]).days
    return (gap, silent) if FACTOR * gap <= silent <= MAX_SILENT_DAYS else None
