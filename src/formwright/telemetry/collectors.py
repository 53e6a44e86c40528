"""Metrics collected at scrape time: queue lengths in the database, and the memory of the processes."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from formwright import __version__
from formwright.context import AppContext
from formwright.core.db import account_lock
from formwright.domain.mail import queue
from formwright.domain.webhooks.backlog import measure_backlog


async def collect_database_metrics(ctx: AppContext) -> list[Metric]:
    """Return the metrics read from the database, which are the same in every process."""
    now = ctx.clock.now()
    async with ctx.db.reading(long=True) as tx:
        waiting = await measure_backlog(tx, now)
        mails, oldest_ms = await queue.backlog(tx, now)
        events = await account_lock.count_events(tx)
    due = GaugeMetricFamily("formwright_deliveries_due", "Deliveries that are due.", labels=["state"])
    due.add_metric(["ready"], waiting.ready)
    due.add_metric(["held"], waiting.paused)
    return [
        due,
        _gauge(
            "formwright_delivery_oldest_due_seconds",
            "How long the oldest ready delivery has been due.",
            waiting.oldest_ms / 1000,
        ),
        _gauge("formwright_mails_due", "Emails that are due.", mails),
        _gauge("formwright_mail_oldest_due_seconds", "How long the oldest of them has been due.", oldest_ms / 1000),
        CounterMetricFamily("formwright_events", "Events recorded in all accounts.", events),
    ]


def collect_process_metrics(pids: Sequence[int]) -> Iterable[Metric]:
    """Return the number of processes and their memory, labelled by their index."""
    build = GaugeMetricFamily("formwright_build_info", "The running version.", labels=["version"])
    build.add_metric([__version__], 1)
    memory = GaugeMetricFamily(
        "formwright_process_resident_memory_bytes", "The resident memory of a process.", labels=["process"]
    )
    for number, pid in enumerate(pids, 1):
        if (size := _resident_bytes(pid)) is not None:
            memory.add_metric([str(number)], size)
    return [build, _gauge("formwright_processes", "Running processes of this command.", len(pids)), memory]


def _gauge(name: str, description: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, description, value)


def _resident_bytes(pid: int) -> int | None:
    """Return the resident memory in bytes; None without Linux's `/proc`."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError, ValueError):
        return None
    return pages * os.sysconf("SC_PAGE_SIZE")
