"""The limits of a form's link on the tab “Share”: their inputs, and what they mean now."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from formwright.core.clock import format_minute, to_local, to_milliseconds
from formwright.domain.forms.public_link import MAX_RESPONSES, OnePer, ProofPolicy, PublicLink
from formwright.web.views.form_input import read_text

_TIME_ERROR = "Enter a date and time like 2026-11-21 14:30."
_COUNT_ERROR = f"Enter a whole number from 1 to {MAX_RESPONSES:,}, or leave it empty."

ROBOT_OPTIONS: Mapping[str, str] = {
    ProofPolicy.AUTOMATIC: "When the link is abused",
    ProofPolicy.ALWAYS: "Always",
    ProofPolicy.OFF: "Off",
}


@dataclass(frozen=True, slots=True)
class LimitsForm:
    """The inputs as text, and their errors. Times are in the account's time zone `zone`."""

    opens: str
    closes: str
    max: str
    device: bool
    robots: str
    zone: str
    faults: Mapping[str, str] = field(default_factory=dict)

    def apply_to(self, link: PublicLink) -> PublicLink:
        """Return the link with these limits, which have no errors."""
        return replace(
            link,
            opens_at=_parse_time(self.opens, self.zone),
            closes_at=_parse_time(self.closes, self.zone),
            max_responses=int(self.max) if self.max else None,
            one_per=OnePer.DEVICE if self.device else None,
            proof_of_work=ProofPolicy(self.robots),
        )


def fill_in(link: PublicLink, zone: str) -> LimitsForm:
    """Return the inputs for these limits."""
    return LimitsForm(
        opens=_format_input(link.opens_at, zone),
        closes=_format_input(link.closes_at, zone),
        max="" if link.max_responses is None else str(link.max_responses),
        device=link.one_per is OnePer.DEVICE,
        robots=link.proof_of_work,
        zone=zone,
    )


def read_limits(sent: Mapping[str, Any], zone: str) -> LimitsForm:
    """Return the inputs as they were sent, with their errors."""
    opens, closes, most = (read_text(sent, name) for name in ("opensAt", "closesAt", "maxResponses"))
    faults: dict[str, str] = {}
    for name, text in (("opensAt", opens), ("closesAt", closes)):
        try:
            _parse_time(text, zone)
        except (ValueError, OverflowError):
            faults[name] = _TIME_ERROR
    if most and not (most.isascii() and most.isdecimal() and len(most) < 9 and 1 <= int(most) <= MAX_RESPONSES):
        faults["maxResponses"] = _COUNT_ERROR
    robots = read_text(sent, "proofOfWork") or ProofPolicy.AUTOMATIC
    if robots not in ROBOT_OPTIONS:
        faults["proofOfWork"] = "Choose an option from the list."
    return LimitsForm(opens, closes, most, bool(sent.get("onePerDevice")), robots, zone, faults)


def describe(link: PublicLink, responses: int | None, now: int, zone: str) -> str:
    """Return a sentence that says whether the link accepts responses, or an empty text if nothing limits it."""
    if link.opens_at is not None and now < link.opens_at:
        return f"Not open yet. The form opens on {format_minute(link.opens_at, zone)}."
    if link.closes_at is not None and now >= link.closes_at:
        return f"Closed since {format_minute(link.closes_at, zone)}. The link shows people that the form is closed."
    if responses is not None and link.max_responses is not None:
        if responses >= link.max_responses:
            return f"Full: all {link.max_responses:,} responses have been received."
        return f"{responses:,} of {link.max_responses:,} responses received."
    return f"Closes on {format_minute(link.closes_at, zone)}." if link.closes_at is not None else ""


def _parse_time(text: str, zone: str) -> int | None:
    return to_milliseconds(datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone))) if text else None


def _format_input(ms: int | None, zone: str) -> str:
    """Return a time as the value of an input of type `datetime-local`."""
    return "" if ms is None else to_local(ms, zone).replace(tzinfo=None).isoformat(timespec="minutes")
