"""The health of a webhook: whether deliveries succeed, fail, are paused, or are disabled."""

from dataclasses import dataclass

from formwright.domain.webhooks.delivery_stats import MAX_BACKLOG, DeliveryStats
from formwright.domain.webhooks.models import Subscriber, SubscriberStatus
from formwright.web.templating import DisplayTime, format_optional_time, format_relative_time, format_time


@dataclass(frozen=True, slots=True)
class HealthLabel:
    """A label with its CSS class, and the time it refers to with the preposition ("since" or "until").

    `next_attempt` is set while deliveries are paused because they fail.
    """

    word: str
    look: str
    preposition: str = ""
    when: DisplayTime | None = None
    next_attempt: DisplayTime | None = None


def describe_health(
    subscriber: Subscriber, now: int, time_zone: str, stats: DeliveryStats | None = None
) -> HealthLabel:
    """Return the health of a webhook at the time `now`. With `stats`, only a webhook that works is active."""
    health = subscriber.health
    paused_until = health.paused_until if health.paused_until and health.paused_until > now else None
    if subscriber.status is SubscriberStatus.DISABLED:
        return HealthLabel("Disabled", "disabled")
    if health.failing_since is not None:
        since = format_time(health.failing_since, time_zone)
        return HealthLabel("Failing", "failing", "since", since, format_optional_time(paused_until, time_zone))
    if paused_until is not None:
        return HealthLabel("Paused", "paused", "until", format_time(paused_until, time_zone))
    if stats and stats.oldest is not None and stats.is_delayed(now):
        return HealthLabel("Delayed", "waiting", "since", format_time(stats.oldest, time_zone))
    if stats and stats.is_unreliable:
        return HealthLabel("Unreliable", "waiting")
    return HealthLabel("Active", "active")


@dataclass(frozen=True, slots=True)
class StatsView:
    """The figures of a webhook as texts; `last_success` is None if no delivery is known to have succeeded."""

    backlog: str
    last_success: DisplayTime | None
    success_rate: str
    p95: str


def describe_stats(stats: DeliveryStats, now: int, time_zone: str) -> StatsView:
    """Return the figures of a webhook for its page and the list."""
    rate = stats.success_rate
    # Rounded down: 99.9 % is not 100 %.
    percent = "" if rate is None else f"{int(100 * rate)} %"
    last = stats.last_success
    return StatsView(
        backlog=f"{MAX_BACKLOG:,}+" if stats.backlog > MAX_BACKLOG else f"{stats.backlog:,}",
        last_success=None if last is None else format_relative_time(last, now, time_zone),
        success_rate=percent,
        p95="" if stats.p95_ms is None else f"{stats.p95_ms:,} ms",
    )
