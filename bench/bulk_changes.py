"""Changes of 1,000 submissions per request, beside single requests by one client: `python -m bench.bulk_changes`."""

import asyncio
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

import httpx
from fixtures.postgres import Cluster

from bench import servers
from bench.data import Account, build_answers, create_dataset
from bench.measurements import Measurement
from bench.servers import Server
from formwright.settings import Settings

GOAL, ITEMS, REQUESTS, SINGLE = 5000, 1000, 5, 300


def measure(database: str, account: Account, server: Server) -> Iterator[Measurement]:
    """Measure how many submissions per second one client creates, reviews, edits and deletes."""
    headers = {"x-api-key": account.key}
    with httpx.Client(base_url=f"http://{server.host}", headers=headers, timeout=60) as http:
        path = f"/api/v1.0/customers/{account.id}"
        single = _measure_single(http, f"{path}/forms/{account.form_id}/submissions")
        rates, ids = [], []
        for number in range(REQUESTS):
            items = [_creation(account, f"bulk-{number}-{index}", index) for index in range(ITEMS)]
            rate, ids = _send(http, path, items)
            rates.append(rate)
        yield _result(database, "Create", median(rates), single, GOAL)
        changes: dict[str, Callable[[str], dict[str, Any]]] = {
            "Review": lambda id_: {"op": "review", "id": id_, "status": "APPROVED"},
            "Edit": lambda id_: {"op": "update", "id": id_, "data": build_answers(7)},
            "Delete": lambda id_: {"op": "delete", "id": id_},
        }
        for name, change in changes.items():
            rate, _ = _send(http, path, [change(id_) for id_ in ids])
            yield _result(database, name, rate, single, 0)


def _measure_single(http: httpx.Client, path: str) -> float:
    bodies = [{"data": build_answers(number), "externalId": f"single-{number}"} for number in range(SINGLE)]
    started = time.perf_counter()
    for body in bodies:
        http.post(path, json=body).raise_for_status()
    return SINGLE / (time.perf_counter() - started)


def _creation(account: Account, external_id: str, number: int) -> dict[str, Any]:
    return {"op": "create", "formId": account.form_id, "externalId": external_id, "data": build_answers(number)}


def _send(http: httpx.Client, path: str, items: list[dict[str, Any]]) -> tuple[float, list[str]]:
    """Send the items; return the items per second, and the ids of the submissions."""
    content = json.dumps({"items": items}).encode()
    started = time.perf_counter()
    response = http.post(f"{path}/submissions/bulk", content=content, headers={"content-type": "application/json"})
    rate = len(items) / (time.perf_counter() - started)
    result = response.raise_for_status().json()
    if result["failed"]:
        raise SystemExit(f"the measurement would mean nothing: {result['items'][0]}")
    return rate, [item["id"] for item in result["items"]]


def _result(database: str, name: str, rate: float, single: float, goal: int) -> Measurement:
    what = f"{name} {ITEMS:,} submissions per request, one client: per second"
    needed = f"≥ {goal:,}" if goal else ""
    return Measurement(database, what, needed, f"{rate:,.0f}", f"{single:,.0f}", rate >= goal, needs_quiet_machine=True)


def main() -> int:
    """Print the measurements on both databases."""
    for database in ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
            cluster = stack.enter_context(Cluster(durable=True)) if database == "postgres" else None
            url = cluster.create_database("bench") if cluster else ""
            dataset = asyncio.run(create_dataset(Settings(data_dir=Path(folder), database_url=url), 10_000))
            server = stack.enter_context(servers.run_formwright(Path(folder), url))
            for one in measure(database, dataset.accounts[0], server):
                print(f"{one.database:9} {one.name}: {one.value}; single requests: {one.baseline}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
