"""The public link of a form: until when, how often, by whom and on which sites it can be used."""

import re
from enum import StrEnum
from urllib.parse import urlsplit

import msgspec

from formwright.core.errors import Conflict, Invalid, ValidationFault

MAX_RESPONSES = 1_000_000
MAX_ORIGINS = 50
MAX_URL = 2000
_ORIGIN = re.compile(r"https?://([a-z0-9-]+\.)*[a-z0-9-]+(:[0-9]{1,5})?")
_WAIT_S = 3600


class OnePer(StrEnum):
    """What can respond once. `DEVICE`: the public link accepts one response from each browser."""

    DEVICE = "DEVICE"


class ProofPolicy(StrEnum):
    """When the page has to solve a challenge before it submits. `AUTOMATIC`: when the link is abused."""

    OFF = "OFF"
    AUTOMATIC = "AUTOMATIC"
    ALWAYS = "ALWAYS"


class PublicLink(msgspec.Struct, frozen=True, omit_defaults=True):
    """The limits of a form's public link. Times are in milliseconds; None means no limit.

    All but `one_per` apply to invites too. None of them applies to API keys and tasks. `embed_origins` are the origins
    of the sites that may show the form in a frame. `redirect_url` is the page that browsers open after submitting
    through the link or an invite, instead of the thank-you message.
    """

    opens_at: int | None = None
    closes_at: int | None = None
    max_responses: int | None = None
    one_per: OnePer | None = None
    embed_origins: tuple[str, ...] = ()
    proof_of_work: ProofPolicy = ProofPolicy.AUTOMATIC
    redirect_url: str | None = None


NO_LIMITS = PublicLink()
REDIRECT_URL = "Enter the URL of a page, such as https://www.example.org/thank-you."
EMBED_ORIGIN = "Enter the origin of a site, such as https://www.example.org, in lower case and without a path."


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


def _is_page_url(url: str) -> bool:
    """Return whether this is the URL of a page. Others, such as `javascript:`, could run scripts on the fill page."""
    if not url.isprintable() or " " in url or len(url) > MAX_URL:
        return False
    try:
        parts = urlsplit(url)
        is_page = parts.scheme in ("http", "https") and bool(parts.hostname)
        return is_page and parts.port != 0 and "@" not in parts.netloc
    except ValueError:
        return False


def check_limits(link: PublicLink) -> None:
    """Raise `Invalid` if the limits contradict each other, or a site is not given by its origin."""
    wrong = [
        ValidationFault(f"/publicLink/embedOrigins/{i}", "form.embed_origin", EMBED_ORIGIN)
        for i, origin in enumerate(link.embed_origins)
        if not _ORIGIN.fullmatch(origin)
    ]
    if link.redirect_url is not None and not _is_page_url(link.redirect_url):
        wrong.append(ValidationFault("/publicLink/redirectUrl", "form.redirect_url", REDIRECT_URL))
    if wrong:
        raise Invalid(wrong)
    if link.opens_at is not None and link.closes_at is not None and link.closes_at <= link.opens_at:
        raise Invalid.at("/publicLink/closesAt", "form.closes_before_opening", "The form must close after it opens.")
