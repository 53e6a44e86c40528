"""One try of a delivery: what is sent, and what came of it."""

import structlog
from cryptography.fernet import InvalidToken

from formwright.core.outbound.http import Answer, PostFailed
from formwright.domain.webhooks import signing
from formwright.domain.webhooks.headers import opened
from formwright.domain.webhooks.model import Attempt, Delivery
from formwright.domain.webhooks.schedule import HONOURS_RETRY_AFTER, Verdict, parse_retry_after, verdict
from formwright.house import House

_KEPT_ANSWER = 2048
_CONNECT_S = 5

log = structlog.get_logger()


class Result:
    """What came of a delivery: its try, how the answer is to be taken, and when it may be tried again."""

    def __init__(
        self, delivery: Delivery, attempt: Attempt, verdict_: Verdict, retry_after_s: int | None = None
    ) -> None:
        self.delivery, self.attempt, self.verdict, self.retry_after_s = delivery, attempt, verdict_, retry_after_s


async def post(house: House, delivery: Delivery, within_s: float) -> Result:
    """One try; raises nothing, so that no delivery can stop the loop."""
    started = house.clock.now()

    def failed(outcome: str, words: str, duration_ms: int = 0) -> Result:
        attempt = Attempt(delivery.tries, started, duration_ms, outcome, error=words)
        return Result(delivery, attempt, Verdict.RETRY)

    try:
        answer = await _send(house, delivery, started, within_s)
    except PostFailed as error:
        return failed(error.kind, str(error), error.duration_ms)
    except InvalidToken:
        words = "The secret cannot be read: FORMWRIGHT_SECRET_KEY is not the one with which it was stored."
        again = ", and set its headers again." if delivery.headers else "."
        return failed("secret", f"{words} Give the subscriber another secret{again}")
    except Exception as error:
        # What nobody foresaw is a try like another.
        log.exception("a delivery failed in an unknown way", delivery=delivery.id)
        return failed("failed", type(error).__name__)
    return _judged(delivery, started, answer)


async def _send(house: House, delivery: Delivery, started: int, within_s: float) -> Answer:
    body = delivery.body.encode()
    headers = signing.headers(
        [house.seal.open(secret) for secret in delivery.secrets],
        message_id=delivery.event_id,
        timestamp=started // 1000,
        body=body,
        own=opened(delivery.headers, house.seal),
        place=None if delivery.previous is None else (delivery.sequence, delivery.previous),
    )
    with house.tracer.delivery(delivery.event_id, delivery.trace) as traced:
        return await house.outbound.post(
            delivery.url,
            headers={**headers, **traced},
            body=body,
            deadline_s=within_s,
            connect_s=min(within_s, _CONNECT_S),
        )


def _judged(delivery: Delivery, started: int, answer: Answer) -> Result:
    taken = verdict(answer.status)
    text = answer.body[:_KEPT_ANSWER].decode(errors="replace").replace("\0", "\ufffd")
    attempt = Attempt(
        delivery.tries,
        started,
        answer.duration_ms,
        "success" if taken is Verdict.SUCCESS else "refused",
        status_code=answer.status,
        answer=text,
    )
    asked = answer.headers.get("retry-after") if answer.status in HONOURS_RETRY_AFTER else None
    return Result(delivery, attempt, taken, parse_retry_after(asked, started / 1000))
