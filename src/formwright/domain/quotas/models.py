"""Quotas, their units, and the errors when they are exceeded."""

from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import DomainError

DAY_MS = 24 * 3600 * 1000


class Unit(StrEnum):
    """What a quota counts."""

    SUBMISSIONS = "submissions"
    KIB = "kib"


@dataclass(frozen=True, slots=True)
class DailyQuota:
    """How many units per day are accepted through the link of one form, and through all links of an account.

    0 means unlimited.
    """

    link: int
    account: int


@dataclass(frozen=True, slots=True)
class LinkSource:
    """The account and the form whose public link was used.

    `form_id` is None for personal links of invites and tasks, which only count towards the quota of the account.
    """

    customer_id: str
    form_id: str | None


class TooManyFills(DomainError):
    """Too many requests per minute from one address or for one link. `wait_s` is the time to wait in seconds."""

    code = "fill.rate_exceeded"
    detail = "Too many requests for this link. Wait for the number of seconds in Retry-After, and try again."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s


class QuotaExceeded(DomainError):
    """The daily quota of a link or an account is used up. `wait_s` is the time to wait in seconds."""

    code = "fill.quota_exceeded"
    detail = "The daily limit of this link is used up. Wait for the number of seconds in Retry-After, and try again."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s
