"""The health of a webhook in words: whether events arrive, fail, wait for the next attempt, or are not sent at all."""

from typing import Any

from formwright.domain.webhooks.models import Subscriber, SubscriberStatus
from formwright.web.templating import format_time


def describe_health(one: Subscriber, now: int, time_zone: str) -> dict[str, Any]:
    """The state's word and look, and the time that belongs to it with its preposition ("since", "until")."""
    health = one.health
    if one.status is SubscriberStatus.DISABLED:
        return {"word": "Disabled", "look": "disabled", "when": None}
    if health.paused_until is not None and health.paused_until > now:
        when = format_time(health.paused_until, time_zone)
        return {"word": "Paused", "look": "paused", "preposition": "until", "when": when}
    if health.failing_since is not None:
        when = format_time(health.failing_since, time_zone)
        return {"word": "Failing", "look": "failing", "preposition": "since", "when": when}
    return {"word": "Active", "look": "active", "when": None}
