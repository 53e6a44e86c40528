"""Delivers events to webhook subscribers: claim due deliveries, post them, and store the results.

Claiming and storing are short transactions. No transaction is open during network calls. If storing a result fails, it
is retried without posting again.
"""

import asyncio
from collections import defaultdict
from collections.abc import Sequence

import structlog
from cryptography.fernet import InvalidToken

from formwright.context import AppContext
from formwright.core.db import due_work
from formwright.core.db.interface import WriteTransaction
from formwright.core.errors import Unavailable
from formwright.core.net.http_client import HttpResponse, PostFailed
from formwright.core.work_kinds import WorkKind
from formwright.domain.webhooks import delivery_queue, failing_subscribers, signing
from formwright.domain.webhooks.custom_headers import decrypt_headers
from formwright.domain.webhooks.delivery_queue import FinishedAttempt
from formwright.domain.webhooks.models import Attempt, Delivery
from formwright.domain.webhooks.retry_policy import (
    DEFAULT_POLICY,
    RETRY_AFTER_STATUSES,
    RetryPolicy,
    Verdict,
    classify_status,
    parse_retry_after,
)
from formwright.worker.due_accounts import TaskWorker
from formwright.worker.subscriber_alerts import enqueue_alerts

_MAX_STORED_BODY = 2048
_CONNECT_S = 5

log = structlog.get_logger()


class DeliveryResult:
    """The result of a delivery attempt: its log entry, the verdict, and the receiver's `Retry-After` in seconds."""

    def __init__(
        self, delivery: Delivery, attempt: Attempt, verdict: Verdict, retry_after_s: int | None = None
    ) -> None:
        self.delivery, self.attempt, self.verdict, self.retry_after_s = delivery, attempt, verdict, retry_after_s


async def attempt_delivery(ctx: AppContext, delivery: Delivery, within_s: float) -> DeliveryResult:
    """Make one attempt. Never raises, so that no delivery can stop the loop."""
    started = ctx.clock.now()

    def to_failure(outcome: str, detail: str, duration_ms: int = 0) -> DeliveryResult:
        attempt = Attempt(delivery.attempts, started, duration_ms, outcome, error=detail)
        return DeliveryResult(delivery, attempt, Verdict.RETRY)

    try:
        response = await _send(ctx, delivery, started, within_s)
    except PostFailed as error:
        return to_failure(error.kind, str(error), error.duration_ms)
    except InvalidToken:
        headers = " and set its headers again" if delivery.headers else ""
        detail = (
            "The signing secret cannot be decrypted, because FORMWRIGHT_SECRET_KEY has changed. Rotate the secret of"
            f" the webhook{headers}."
        )
        return to_failure("secret", detail)
    except Exception as error:
        # An unexpected error counts as a failed attempt.
        log.exception("delivery failed unexpectedly", delivery=delivery.id)
        return to_failure("failed", type(error).__name__)
    return _to_result(delivery, started, response)


async def _send(ctx: AppContext, delivery: Delivery, started: int, within_s: float) -> HttpResponse:
    body = delivery.body.encode()
    headers = signing.build_headers(
        [ctx.secret_box.open(secret) for secret in delivery.secrets],
        message_id=delivery.event_id,
        # The time of the attempt, not of the event: receivers reject old timestamps as replays (Standard Webhooks).
        timestamp=started // 1000,
        body=body,
        custom=decrypt_headers(delivery.headers, ctx.secret_box),
        position=None if delivery.previous is None else (delivery.sequence, delivery.previous),
    )
    with ctx.tracer.trace_delivery(delivery.event_id, delivery.trace) as trace_headers:
        return await ctx.http_client.post(
            delivery.url,
            headers={**headers, **trace_headers},
            body=body,
            deadline_s=within_s,
            connect_s=min(within_s, _CONNECT_S),
        )


def _to_result(delivery: Delivery, started: int, response: HttpResponse) -> DeliveryResult:
    verdict = classify_status(response.status)
    # PostgreSQL does not store NUL characters in texts.
    text = response.body[:_MAX_STORED_BODY].decode(errors="replace").replace("\0", "\ufffd")
    attempt = Attempt(
        delivery.attempts,
        started,
        response.duration_ms,
        "success" if verdict is Verdict.SUCCESS else "refused",
        status_code=response.status,
        response_body=text,
    )
    retry_after = response.headers.get("retry-after") if response.status in RETRY_AFTER_STATUSES else None
    return DeliveryResult(delivery, attempt, verdict, parse_retry_after(retry_after, started / 1000))


AT_ONCE = 200
_POLL_INTERVAL_S = 0.5


class DeliveryWorker(TaskWorker):
    """A worker loop. Any number of them may run on the same database, in any number of processes."""

    def __init__(self, ctx: AppContext, policy: RetryPolicy = DEFAULT_POLICY) -> None:
        super().__init__(ctx, WorkKind.WEBHOOK, AT_ONCE, poll_interval_s=_POLL_INTERVAL_S)
        self._policy = policy
        self._results: defaultdict[str, list[DeliveryResult]] = defaultdict(list)
        """Results that are not saved yet, by account."""

    async def _work(self, customer_id: str, share: int) -> bool:
        """Save finished results of an account, claim due deliveries, and start them."""
        try:
            deliveries = await self._claim_and_save(customer_id, share)
        except Unavailable:
            raise
        except Exception:
            await self._save_one_by_one(customer_id)
            raise
        for delivery in deliveries:
            self._start(self._deliver(delivery))
        return bool(deliveries)

    async def _claim_and_save(self, customer_id: str, share: int) -> list[Delivery]:
        await self._save_gone(customer_id)
        # A copy, because deliveries that end during the transaction append to the list.
        results = list(self._results[customer_id])
        async with self._ctx.db.writing() as tx:
            await self._save(tx, results)
            now = self._ctx.clock.now()
            deliveries = await delivery_queue.claim(tx, customer_id, now, share, self._policy)
            await due_work.settle(tx, WorkKind.WEBHOOK, customer_id, now, delivery_queue.find_next_due)
        # Only after the commit: if the transaction fails, the next attempt saves these results.
        self._remove_results(customer_id, results)
        return deliveries

    async def _deliver(self, delivery: Delivery) -> None:
        result = await attempt_delivery(self._ctx, delivery, self._policy.attempt_timeout_s)
        self._ctx.metrics.record_delivery(result.attempt.outcome, result.attempt.duration / 1000)
        self._results[delivery.customer_id].append(result)
        self._loop.request(delivery.customer_id)

    async def _save(self, tx: WriteTransaction, results: Sequence[DeliveryResult]) -> None:
        now = self._ctx.clock.now()
        await delivery_queue.save_results(
            tx, [self._to_finished_attempt(result, now) for result in results], now, self._policy.first_pause_ms
        )

    def _remove_results(self, customer_id: str, saved: Sequence[DeliveryResult]) -> None:
        left = [result for result in self._results.pop(customer_id, []) if result not in saved]
        if left:
            self._results[customer_id] = left

    async def _save_gone(self, customer_id: str) -> None:
        """Store each 410 result in its own transaction: it takes the account's lock, which the batch must not hold."""
        for result in [result for result in self._results[customer_id] if result.verdict is Verdict.GONE]:
            subscriber, url = result.delivery.subscriber_id, result.delivery.url
            async with self._ctx.db.writing() as tx:
                if await failing_subscribers.has_new_url(tx, customer_id, subscriber, url):
                    # The 410 came from the previous URL and says nothing about the new one.
                    result.verdict = Verdict.RETRY
                elif disabled := await failing_subscribers.disable_gone(tx, customer_id, subscriber):
                    await enqueue_alerts(tx, self._ctx, disabled)
                await self._save(tx, [result])
            self._remove_results(customer_id, [result])

    async def _save_one_by_one(self, customer_id: str) -> None:
        """Store each result in its own transaction, because a batch failed and one result must not block the rest.

        A result that cannot be stored is dropped: its lease expires, and the attempt counts as interrupted.
        """
        for result in list(self._results[customer_id]):
            try:
                async with self._ctx.db.writing() as tx:
                    await self._save(tx, [result])
            except Unavailable:
                return
            except Exception:
                log.exception("delivery result could not be stored", delivery=result.delivery.id)
            self._remove_results(customer_id, [result])

    def _to_finished_attempt(self, result: DeliveryResult, now: int) -> FinishedAttempt:
        delivery, due = result.delivery, None
        if result.verdict is Verdict.RETRY:
            attempts = delivery.attempts - delivery.earlier_attempts
            due = delivery_queue.retry_time(
                delivery.sequence, attempts, now, self._policy.schedule_s, result.retry_after_s
            )
        return FinishedAttempt(delivery, result.attempt, result.verdict is Verdict.SUCCESS, due)

    async def _end_tasks(self) -> None:
        """Let running deliveries finish, and save their results."""
        if self._running:
            await asyncio.wait(self._running)
        for customer_id in list(self._results):
            try:
                # With a share of 0, results are saved and nothing is claimed.
                await self._work(customer_id, 0)
            except Unavailable as error:
                log.warning("delivery results not stored: database unavailable", detail=str(error))
            except Exception:
                log.exception("delivery results could not be stored", customer=customer_id)
