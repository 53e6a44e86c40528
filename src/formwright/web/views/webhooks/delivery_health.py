"""The health of a webhook: whether deliveries succeed, fail, are paused, or are disabled."""

from dataclasses import dataclass

from formwright.domain.webhooks.models import Subscriber, SubscriberStatus
from formwright.web.templating import DisplayTime, format_time


@dataclass(frozen=True, slots=True)
class Health:
    """A label with its CSS class, and the time it refers to with the preposition ("since" or "until")."""

    word: str
    look: str
    preposition: str = ""
    when: DisplayTime | None = None


def describe_health(subscriber: Subscriber, now: int, time_zone: str) -> Health:
    """Return the health of a webhook at the time `now`."""
    health = subscriber.health
    if subscriber.status is SubscriberStatus.DISABLED:
        return Health("Disabled", "disabled")
    if health.paused_until is not None and health.paused_until > now:
        return Health("Paused", "paused", "until", format_time(health.paused_until, time_zone))
    if health.failing_since is not None:
        return Health("Failing", "failing", "since", format_time(health.failing_since, time_zone))
    return Health("Active", "active")
