"""A thousand PDF reports from two clients: `python -m bench.pdf_reports`."""

import asyncio
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

import httpx

from bench import servers
from bench.data import Account, create_dataset
from bench.servers import Server
from formwright.settings import Settings

REPORTS, CLIENTS = 1000, 2


async def measure(account: Account, server: Server) -> list[float]:
    """Return how many seconds each report took."""
    headers = {"x-api-key": account.key}
    async with httpx.AsyncClient(base_url=f"http://{server.host}", headers=headers, timeout=120) as http:
        listed = await http.get("/api/v1.0/submissions", params={"limit": REPORTS})
        waiting = [item["id"] for item in listed.raise_for_status().json()["items"]]
        times: list[float] = []

        async def load() -> None:
            while waiting:
                path = f"/api/v1.0/customers/{account.id}/submissions/{waiting.pop()}/report.pdf"
                started_at = time.perf_counter()
                response = await http.get(path)
                times.append(time.perf_counter() - started_at)
                if not response.content.startswith(b"%PDF-"):
                    raise SystemExit(f"the measurement would mean nothing: {response.text[:200]}")

        await asyncio.gather(*(load() for _ in range(CLIENTS)))
    return times


def main() -> int:
    """Print the reports per second, and the median and 95th percentile of their duration."""
    with tempfile.TemporaryDirectory(prefix="formwright-bench-") as folder:
        dataset = asyncio.run(create_dataset(Settings(data_dir=Path(folder)), 10_000))
        with servers.run_formwright(Path(folder), "") as server:
            started_at = time.perf_counter()
            times = asyncio.run(measure(dataset.accounts[0], server))
            rate = len(times) / (time.perf_counter() - started_at)
    slow = quantiles(times, n=20)[-1]
    speed = f"{rate:.1f} per second, median {median(times):.2f} s, p95 {slow:.2f} s"
    print(f"{len(times):,} PDF reports, {CLIENTS} clients: {speed}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
