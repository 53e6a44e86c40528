"""The change sequence of an account, as seen by a reader who polls for changes."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from fixtures.app_contexts import SetClock, Tenant, create_tenant, open_migrated_context
from fixtures.server_process import Server

from formwright.core.pagination import Position, Window
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SortOrder, Submission, SubmissionFilter, SubmissionImport
from formwright.domain.webhooks import event_log
from formwright.domain.webhooks.models import LoggedEvent
from formwright.settings import Settings

WRITERS, EACH = 16, 12
_LAST_ID = "\x7f"


async def test_polling_never_misses_a_change(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as first, open_migrated_context(own_settings) as second:
        account = await create_tenant(first)
        writers = [account.with_context((first, second)[number % 2]) for number in range(WRITERS)]
        over = asyncio.Event()
        polling = asyncio.gather(_poll_events(account.with_context(second), over), _poll_updated(account, over))
        await asyncio.gather(*(_write(writer) for writer in writers))
        over.set()
        events, records = await polling
    _check(events, WRITERS * EACH)
    assert len({record.id for record in records}) == len(records) == WRITERS * EACH
    assert _rises([record.updated for record in records])


async def _write(account: Tenant) -> None:
    for _ in range(EACH):
        await account.submit()


async def _poll_events(account: Tenant, over: asyncio.Event) -> list[LoggedEvent]:
    """Poll for `sequence > last` until all is written, and once more after that."""
    seen: list[LoggedEvent] = []
    while True:
        last = over.is_set()
        after = Position(seen[-1].sequence, _LAST_ID) if seen else Position(0, "")
        async with account.ctx.db.reading() as tx:
            page = await event_log.page(tx, account.actor, Window(7, after))
        seen += page.items
        if last and not page.items:
            return seen
        await asyncio.sleep(0)


async def _poll_updated(account: Tenant, over: asyncio.Event) -> list[Submission]:
    seen: list[Submission] = []
    while True:
        last = over.is_set()
        after = Position(seen[-1].updated, seen[-1].id) if seen else None
        async with account.ctx.db.reading() as tx:
            page = await submissions.page(
                tx, account.actor, SubmissionFilter(order=SortOrder.UPDATED), Window(7, after)
            )
        seen += page.items
        if last and not page.items:
            return seen
        await asyncio.sleep(0)


def _check(events: Sequence[LoggedEvent], submitted: int) -> None:
    """Assert that there are no gaps, duplicates or missing events, and that timestamps increase with the sequence.

    The first events of the account come from one change and share a timestamp.
    """
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    submitted_events = [event for event in events if event.type == "submission.submitted"]
    assert len({event.id for event in submitted_events}) == len(submitted_events) == submitted
    assert _rises([event.created for event in submitted_events])
    assert events[0].created <= submitted_events[0].created


def _rises(numbers: Sequence[int]) -> bool:
    return all(before < after for before, after in itertools.pairwise(numbers))


@pytest.mark.slow
async def test_the_order_holds_across_processes(own_settings: Settings, tmp_path: Path) -> None:
    """Two server processes and this process write to one account concurrently."""
    async with AsyncExitStack() as stack:
        ctx = await stack.enter_async_context(open_migrated_context(own_settings))
        account = await create_tenant(ctx)
        async with ctx.db.writing() as tx:
            _, key = await keys.create(tx, account.actor, KeyProperties("Test"), maker_name="Test")
        server = Server(tmp_path, database_url=own_settings.database_url)
        stack.callback(server.close)
        await server.start("--no-worker", "--workers", "2")
        http = await stack.enter_async_context(server.client(**{"x-api-key": key}))
        over = asyncio.Event()
        polling = asyncio.create_task(_poll_events(account, over))
        await asyncio.gather(*(_post(http, account) for _ in range(8)), *(_write(account) for _ in range(8)))
        over.set()
        _check(await polling, 16 * EACH)


async def _post(http: httpx.AsyncClient, account: Tenant) -> None:
    path = f"/api/v1.0/customers/{account.id}/forms/{account.form.id}/submissions"
    for _ in range(EACH):
        response = await http.post(path, json={"data": {"site": "Harbour"}})
        assert response.status_code == 201, response.text


async def test_a_rollback_leaves_no_gap(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as ctx:
        account = await create_tenant(ctx)
        await account.submit()
        with pytest.raises(RuntimeError):
            await _submit_and_fail(account)
        await account.submit()
        _check(await _poll_events(account, _set()), 2)


async def _submit_and_fail(account: Tenant) -> None:
    async with account.ctx.db.writing() as tx:
        handed = SubmissionImport({"site": "lost"})
        await submissions.import_submission(tx, account.actor, form_id=account.form.id, payload=handed)
        raise RuntimeError


async def test_timestamps_increase_when_the_clock_is_set_back(own_settings: Settings) -> None:
    clock = SetClock(time.time_ns() // 1_000_000)
    async with open_migrated_context(own_settings, clock=clock) as ctx:
        account = await create_tenant(ctx)
        await account.submit()
        clock.ms -= 3_600_000
        await account.submit()
        clock.ms += 3_600_000 + 5000
        await account.submit()
        before, back, after = await account.events()
    assert back.created == before.created + 1
    assert after.created == clock.ms
    assert before.sequence + 2 == back.sequence + 1 == after.sequence


def _set() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event
