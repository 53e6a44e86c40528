"""The operator's terms of delivery."""

from formwright.domain.webhooks.patience import Patience
from formwright.domain.webhooks.schedule import SCHEDULE_S, parse_schedule
from formwright.settings import Settings, SettingsError


def terms(settings: Settings) -> Patience:
    """How long receivers are waited for; `SettingsError` where the operator's waits are none."""
    try:
        schedule = parse_schedule(settings.webhook_retry) if settings.webhook_retry else SCHEDULE_S
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_WEBHOOK_RETRY {error}") from error
    return Patience(schedule, settings.webhook_timeout, settings.webhook_hold)
