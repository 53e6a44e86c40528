"""What the overview of an account shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from formwright.domain.forms.models import Form
from formwright.domain.invites.models import InviteStatus
from formwright.domain.webhooks.models import Subscriber

DAYS = 30
"""The days for which submissions are counted, including today."""
MAX_COUNT = 10_000
"""Counting stops here. A larger number is returned as one more, so that pages can show "10,000+"."""
MAX_PER_DAY = 100_000
"""The same for the submissions of one day: a million in 30 days takes a fraction of a second."""


@dataclass(frozen=True, slots=True)
class DormantForm:
    """A form that received submissions regularly, but has received none since `last_day`.

    `usual_gap` is the longest time between two days with submissions before, and `silent_days` the time since then.
    """

    form: Form
    last_day: date
    usual_gap: int
    silent_days: int


@dataclass(frozen=True, slots=True)
class Overview:
    """The overview of an account for one person. What they may not see is None.

    `per_day` are the submissions of the last `DAYS` days, the oldest day first; drafts are not counted. `waiting` are
    submissions that nobody has reviewed. `failing` are the webhooks whose deliveries fail, each with its backlog.
    """

    days: Sequence[date]
    per_day: Sequence[int] | None = None
    waiting: int | None = None
    overdue: int | None = None
    invites: Mapping[InviteStatus, int] | None = None
    failing: Sequence[tuple[Subscriber, int]] | None = None
    dormant: Sequence[DormantForm] | None = None
