"""The connections that the accounts of one Citus worker may hold. `make citus` shows the effect on a real cluster."""

import asyncio

import pytest

from formwright.core.db import node_limits
from formwright.core.db.interface import DatabaseBusy
from formwright.core.db.node_limits import NodeLimits

HERE, ELSEWHERE = 1, 2


async def test_a_worker_lends_a_limited_number_of_connections() -> None:
    limits = NodeLimits(2)
    first, _ = await limits.wait(HERE), await limits.wait(HERE)
    waiting = [asyncio.create_task(limits.wait(HERE)) for _ in range(3)]
    await limits.wait(ELSEWHERE)
    await asyncio.sleep(0)
    assert not any(task.done() for task in waiting)
    first.release()
    waiting[0].cancel()
    third = await waiting[1]
    await asyncio.sleep(0)
    assert not waiting[2].done()
    third.release()
    await waiting[2]


async def test_no_request_waits_forever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node_limits, "ACQUIRE_TIMEOUT_S", 0.01)
    limits = NodeLimits(1)
    await limits.wait(HERE)
    with pytest.raises(DatabaseBusy, match="does not respond"):
        await limits.wait(HERE)


async def test_a_worker_hangs_if_no_statement_ends_on_any_of_its_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    limits = NodeLimits(2)
    first, second = limits.take(HERE), limits.take(HERE)
    first.record(is_running=True)
    limits.take(HERE).release()
    monkeypatch.setattr(node_limits, "STALLED_S", 0)
    with pytest.raises(DatabaseBusy):
        limits.take(HERE)
    limits.take(ELSEWHERE)
    first.record(is_running=False)
    limits.take(HERE).release()
    second.record(is_running=True)
    second.release()
    limits.take(HERE)


async def test_the_worker_of_an_account_is_looked_up_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    limits, asked = NodeLimits(1), []

    async def fetchval(_: str, account: str) -> int:
        asked.append(account)
        return len(asked)

    assert limits.known_node("cus_a") is None
    assert [await limits.find_node("cus_a", fetchval) for _ in range(2)] == [1, 1]
    assert limits.known_node("cus_a") == 1
    monkeypatch.setattr(node_limits, "_NODE_TTL_S", 0)
    assert await limits.find_node("cus_a", fetchval) == 2, "its shard may have been moved"
