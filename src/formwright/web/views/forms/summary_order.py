"""The order of the bars and columns of a summary: that of the form, or the most frequent first."""

from collections.abc import Sequence

from formwright.domain.summaries.models import FieldSummary, OptionCount
from formwright.web.charts import DRAWN_ROWS

_MAX_COLUMNS = 25


def order_options(one: FieldSummary, *, by_count: bool) -> Sequence[OptionCount]:
    """Return the options of a choice. Equally frequent ones stay in the order of the form."""
    options = one.options or ()
    # A chart draws only the first options, which have to be the most frequent ones if there are more.
    if by_count or len(options) > DRAWN_ROWS:
        return sorted(options, key=lambda option: -option.count)
    return options


def order_values(one: FieldSummary, *, by_count: bool) -> Sequence[int]:
    """Return the numbers that have a column of their own; none if there are too many, as for most sliders.

    They include numbers that nobody chose: without them, the distances between columns would be wrong.
    """
    counts = {item.value: item.count for item in one.values or ()}
    if not counts or max(counts) - min(counts) >= _MAX_COLUMNS:
        return ()
    values = range(min(counts), max(counts) + 1)
    return sorted(values, key=lambda value: -counts.get(value, 0)) if by_count else values
