"""How long the summary of a form with a million submissions takes. `python -m bench.form_summary`.

Measured through the API: all fields, the indexed fields only (by a saved view), and again from the cache. Meanwhile,
another client creates submissions, to measure how long writers wait.
"""

import argparse
import threading
import time
from pathlib import Path
from statistics import median

import httpx

from bench import servers
from bench.datasources import peak_mb
from bench.submission_pages import FIELDS, database, insert_submissions

GOAL_S, INDEXED_GOAL_S = 5.0, 1.0
_WRITE_EVERY_S = 0.2


class Writer(threading.Thread):
    """Creates submissions of another form of the account until it is stopped, and notes how long each takes."""

    def __init__(self, api: httpx.Client, customer: str, form: str) -> None:
        super().__init__()
        self._api, self._path = api, f"/api/v1.0/customers/{customer}/forms/{form}/submissions"
        self._stop_writing = threading.Event()
        self.elapsed_ms: list[float] = []

    def run(self) -> None:
        while not self._stop_writing.wait(_WRITE_EVERY_S):
            started = time.perf_counter()
            self._api.post(self._path, json={"data": {"site": "A"}}).raise_for_status()
            self.elapsed_ms.append((time.perf_counter() - started) * 1000)

    def stop(self) -> list[float]:
        """Return the durations in milliseconds."""
        self._stop_writing.set()
        self.join()
        return self.elapsed_ms


def time_summary(api: httpx.Client, path: str, count: int) -> float:
    """Return the seconds of a summary."""
    started = time.perf_counter()
    response = api.get(path)
    elapsed = time.perf_counter() - started
    if response.status_code != 200 or response.json()["submissions"] != count:
        raise SystemExit(f"the figure would mean nothing: {response.status_code} {response.text[:200]}")
    return elapsed


def wait_for_search_index(api: httpx.Client, base: str, other_form: str) -> None:
    """Wait until a worker has indexed the texts of all submissions, which would slow the first summary down.

    The rows were inserted without the server. One change in 32 makes a worker look for texts to index.
    """
    while api.get(f"{base}/submissions", params={"q": "unfindable"}).status_code != 200:
        api.post(f"{base}/forms/{other_form}/submissions", json={"data": {"site": "A"}}).raise_for_status()
        time.sleep(0.05)


def measure(name: str, folder: Path, url: str, count: int) -> None:
    """Print the times of the summaries, and of writers while all fields are summarized."""
    with servers.run_formwright(folder, url) as server:
        demo = servers.create_demo(folder, url)
        api = httpx.Client(base_url=f"http://{server.host}", headers={"x-api-key": demo["apiKey"]}, timeout=600)
        base = f"/api/v1.0/customers/{demo['customerId']}"
        form = [
            api.post("/api/v1.0/forms", json={"name": title, "fields": FIELDS, "publish": True}).json()
            for title in ("Large", "Other")
        ]
        insert_submissions(folder, url, demo["customerId"], form[0], count)
        columns = ["answers.site", "answers.people"]
        view = api.post(f"{base}/views", json={"name": "Indexed", "formId": form[0]["id"], "columns": columns}).json()
        path = f"{base}/forms/{form[0]['id']}/summary"
        wait_for_search_index(api, base, form[1]["id"])
        before = peak_mb(server)
        quiet = time_summary(api, path, count)
        print(f"{name}: {count:,} submissions, all fields: {quiet:.1f} s, wanted {GOAL_S} s", flush=True)
        print(f"{name}: from the cache: {time_summary(api, path, count) * 1000:.0f} ms", flush=True)
        for run in ("first", "second", "third"):
            indexed = time_summary(api, f"{path}?view={view['id']}", count)
            print(f"{name}: indexed fields, {run} time: {indexed:.2f} s, wanted {INDEXED_GOAL_S} s", flush=True)
            change = {"data": {"site": "A"}}  # Without it, the next summary would come from the cache.
            api.post(f"{base}/forms/{form[1]['id']}/submissions", json=change).raise_for_status()
        writer = Writer(api, demo["customerId"], form[1]["id"])
        writer.start()
        busy = time_summary(api, f"{path}?updatedFrom=2000-01-01T00:00:00Z", count)
        elapsed = writer.stop()
        print(
            f"{name}: while others write: {busy:.1f} s; a write: {median(elapsed):.0f} ms, worst {max(elapsed):.0f} ms"
        )
        print(f"{name}: peak memory of the server {before:.0f} MB before, {peak_mb(server):.0f} MB after", flush=True)


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    parser = argparse.ArgumentParser(prog="python -m bench.form_summary", description=__doc__)
    parser.add_argument("--submissions", type=int, default=1_000_000)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    for name in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with database(name) as (folder, url):
            measure(name, folder, url, options.submissions)


if __name__ == "__main__":
    main()
