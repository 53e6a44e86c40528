"""An import of 100,000 submissions, beside the same rows sent in bulk: `python -m bench.submission_imports`."""

import asyncio
import csv
import io
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from fixtures.postgres import Cluster

from bench import servers
from bench.data import build_answers, create_dataset
from formwright.settings import Settings

ROWS, BULK_REQUESTS, ITEMS = 100_000, 10, 1000
_POLL_S = 0.5


@dataclass(frozen=True, slots=True)
class ImportTimes:
    """The seconds of an import, and how many different states its progress had."""

    upload: float
    check: float
    write: float
    states: int

    @property
    def total(self) -> float:
        """The seconds from the first byte sent until the last row is written."""
        return self.upload + self.check + self.write


def build_csv(count: int) -> bytes:
    """Return the answers of `count` submissions as a CSV file with external ids."""
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(["externalId", *build_answers(0)])
    for number in range(count):
        writer.writerow([f"import-{number}", *map(_to_cell, build_answers(number).values())])
    return text.getvalue().encode()


def _to_cell(value: object) -> object:
    return ",".join(value) if isinstance(value, list) else value


def measure_import(http: httpx.Client, customer_id: str, form_id: str, content: bytes) -> ImportTimes:
    """Send the file, and poll the import until it has ended."""
    base = f"/api/v1.0/customers/{customer_id}"
    began = time.perf_counter()
    sent = http.post(
        f"{base}/forms/{form_id}/submission-imports", content=content, headers={"content-type": "text/csv"}
    )
    path = f"{base}/submission-imports/{sent.raise_for_status().json()['id']}"
    uploaded = time.perf_counter()
    checked, seen = uploaded, set[tuple[int, int]]()
    while True:
        state = http.get(path).raise_for_status().json()
        seen.add((state["checked"], state["imported"]))
        if state["endedAt"]:
            break
        if state["status"] != "IMPORTING":
            checked = time.perf_counter()
        time.sleep(_POLL_S)
    if (state["status"], state["imported"]) != ("DONE", ROWS):
        raise SystemExit(f"the measurement would mean nothing: {state['status']}, {state['errors'][:3]}")
    return ImportTimes(uploaded - began, checked - uploaded, time.perf_counter() - checked, len(seen))


def measure_bulk(http: httpx.Client, customer_id: str, form_id: str) -> float:
    """Return how many of the same submissions one client creates per second with requests of 1,000."""
    began = time.perf_counter()
    for number in range(BULK_REQUESTS):
        items = [_creation(form_id, number * ITEMS + index) for index in range(ITEMS)]
        response = http.post(
            f"/api/v1.0/customers/{customer_id}/submissions/bulk",
            content=json.dumps({"items": items}).encode(),
            headers={"content-type": "application/json"},
        )
        if response.raise_for_status().json()["failed"]:
            raise SystemExit("the measurement would mean nothing: items were rejected")
    return BULK_REQUESTS * ITEMS / (time.perf_counter() - began)


def _creation(form_id: str, number: int) -> dict[str, Any]:
    return {"op": "create", "formId": form_id, "externalId": f"bulk-{number}", "data": build_answers(number)}


def main(databases: Sequence[str]) -> int:
    """Print the times on these databases; without any, on both."""
    content = build_csv(ROWS)
    for database in databases or ("sqlite", "postgres"):
        with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder, ExitStack() as stack:
            cluster = stack.enter_context(Cluster(durable=True)) if database == "postgres" else None
            url = cluster.create_database("bench") if cluster else ""
            dataset = asyncio.run(create_dataset(Settings(data_dir=Path(folder), database_url=url), 1000))
            account = dataset.accounts[0]
            server = stack.enter_context(servers.run_formwright(Path(folder), url))
            headers = {"x-api-key": account.key}
            http = stack.enter_context(httpx.Client(base_url=f"http://{server.host}", headers=headers, timeout=120))
            bulk = measure_bulk(http, account.id, account.form_id)
            times = measure_import(http, account.id, account.form_id, content)
            print(
                f"{database}: {ROWS:,} rows ({len(content) / 2**20:.0f} MiB) in {times.total:.0f} s"
                f" (upload {times.upload:.1f}, check {times.check:.0f}, write {times.write:.0f}):"
                f" {ROWS / times.total:,.0f} per second, {times.states} states of progress seen;"
                f" in bulk, one client: {bulk:,.0f} per second",
                flush=True,
            )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
