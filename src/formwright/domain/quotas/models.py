"""Quotas and what is refused because of them."""

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
    """How many units may come in a day through one form's link, and through all links of an account; 0: no quota."""

    link: int
    account: int


@dataclass(frozen=True, slots=True)
class LinkSource:
    """Where something comes from: the account, and the form whose public link was used.

    `form_id` is None for a personal link, of an invite or a task: only the account's quota counts it.
    """

    customer_id: str
    form_id: str | None


class TooManyFills(DomainError):
    """Too many requests came from one address or for one link within a minute. `wait_s`: seconds to wait."""

    code = "fill.rate_exceeded"
    detail = "Too many requests came for this link. Wait as many seconds as Retry-After says, and try again."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s


class QuotaExceeded(DomainError):
    """The day's quota of a link or an account is used up. `wait_s`: seconds until there is room for this request."""

    code = "fill.quota_exceeded"
    detail = (
        "This link has received as much as it may in a day. Wait as many seconds as Retry-After says, and try again."
    )

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s
