"""The public link of a form: until when, how often and by whom it can be used."""

from enum import StrEnum

import msgspec

from formwright.core.errors import Conflict, Invalid

MAX_RESPONSES = 1_000_000
_WAIT_S = 3600


class OnePer(StrEnum):
    """What can respond once. `DEVICE`: the public link accepts one response from each browser."""

    DEVICE = "DEVICE"


class PublicLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """The limits of a form's public link. Times are in milliseconds; None means no limit.

    All but `one_per` apply to invites too. None of them applies to API keys and tasks.
    """

    opens_at: int | None = None
    closes_at: int | None = None
    max_responses: int | None = None
    one_per: OnePer | None = None


NO_LIMITS = PublicLink()


class LinkRefused(Conflict):
    """Base of the errors of a link that accepts no response."""


class LinkNotOpen(LinkRefused):
    """The link opens later. `wait_s` is the time until then in seconds, at most an hour."""

    code = "form.link_not_open"
    detail = "This form does not accept responses yet."

    def __init__(self, wait_s: int) -> None:
        super().__init__()
        self.wait_s = wait_s


class LinkClosed(LinkRefused):
    """The closing time of the link has passed."""

    code = "form.link_closed"
    detail = "This form closed and accepts no more responses."


class LinkFull(LinkRefused):
    """The link has accepted as many responses as it may."""

    code = "form.link_full"
    detail = "This form has received the maximum number of responses."


class DeviceAnswered(LinkRefused):
    """The link accepts one response per device, and this device has sent one."""

    code = "form.device_answered"
    detail = "This form accepts one response per device, and this device has already sent one."


def check_period(link: PublicLink, now: int) -> None:
    """Raise `LinkNotOpen` or `LinkClosed` if the link does not accept responses at this time."""
    if link.opens_at is not None and now < link.opens_at:
        raise LinkNotOpen(min(-(-(link.opens_at - now) // 1000), _WAIT_S))
    if link.closes_at is not None and now >= link.closes_at:
        raise LinkClosed()


def check_limits(link: PublicLink) -> None:
    """Raise `Invalid` if the limits contradict each other."""
    if link.opens_at is not None and link.closes_at is not None and link.closes_at <= link.opens_at:
        raise Invalid.at("/publicLink/closesAt", "form.closes_before_opening", "The form must close after it opens.")
