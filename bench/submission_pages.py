"""How soon the pages of submissions answer when there are a million. `python -m bench.submission_pages`.

The server is a process of its own, with what an operator gets; the submissions are put in by the database itself. Each
page is asked for by one who has signed in, one after another, and read whole.
"""

import argparse
import asyncio
import re
import sqlite3
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

import asyncpg
import httpx
from fixtures.postgres import Cluster

from bench import servers
from bench.datasources import peak_mb

GOAL_MS, ROUNDS = 200, 25
FIELDS = [
    {"type": "text", "name": "site", "label": "Site", "indexed": True},
    {"type": "integer", "name": "people", "label": "People", "indexed": True},
    {"type": "choice", "name": "kind", "label": "Kind", "options": [{"value": v, "label": v} for v in ("a", "b", "c")]},
    {"type": "textarea", "name": "remarks", "label": "Remarks"},
]
_REMARKS = "The gate was open; the crane stood still. Größe und Maß geprüft, nothing to add for now."
_COLUMNS = "customer_id, id, form_id, version_id, status, data, started, submitted, at, created, updated, revision"
_STATUS = "CASE WHEN n % 100 = 7 THEN 'REJECTED' WHEN n % 2 = 0 THEN 'APPROVED' ELSE 'SUBMITTED' END"
_SINCE = 1_700_000_000_000
_FILL_TIME = "(n % 7919) * 75"
"""The milliseconds from the start of a submission to its end: up to ten minutes."""
_TIMES = f", {_SINCE} + n * 1000 - {_FILL_TIME}" + f", {_SINCE} + n * 1000" * 4
_VALUES = f"'{{c}}', {{id}}, '{{f}}', '{{v}}', {_STATUS}, {{data}}{_TIMES}, 1"
_SQLITE = {
    "rows": "WITH RECURSIVE r(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM r WHERE n < {count} - 1)",
    "from": "FROM r",
    "id": "'sub_' || printf('%026d', n)",
    "data": f"json_object('site', 'Harbour ' || n, 'people', n % 40, 'kind', 'a', 'remarks', '{_REMARKS}')",
}
_POSTGRES = {
    "rows": "",
    "from": "FROM generate_series(0, {count} - 1) AS r(n)",
    "id": "'sub_' || lpad(n::text, 26, '0')",
    "data": f"jsonb_build_object('site', 'Harbour ' || n, 'people', n % 40, 'kind', 'a', 'remarks', '{_REMARKS}')",
}


def build_statements(dialect: dict[str, str], customer: str, form: dict[str, str], count: int) -> list[str]:
    """The SQL that makes the submissions, and what the index of answers holds of them."""
    values = {
        "c": customer,
        "f": form["id"],
        "v": form["publishedVersionId"],
        "id": dialect["id"],
        "data": dialect["data"],
    }
    rows, from_ = dialect["rows"].format(count=count), dialect["from"].format(count=count)
    index = "INSERT INTO answer_index (customer_id, submission_id, field, place, form_id, at, {})"
    prefix = f"'{customer}', {dialect['id']}, '{{}}', 0, '{form['id']}', {_SINCE} + n * 1000"
    return [
        f"{rows} INSERT INTO submissions ({_COLUMNS}) SELECT {_VALUES.format(**values)} {from_}",
        f"{rows} {index.format('text')} SELECT {prefix.format('site')}, 'Harbour ' || n {from_}",
        f"{rows} {index.format('number')} SELECT {prefix.format('people')}, n % 40 {from_}",
    ]


def insert_submissions(
    folder: Path, url: str, customer: str, form: dict[str, str], count: int, other: dict[str, str] | None = None
) -> None:
    """Put so many submissions in. `other` has other SQL expressions than usual; then no answers are indexed."""
    dialect = (_POSTGRES if url else _SQLITE) | (other or {})
    statements = build_statements(dialect, customer, form, count)[: 1 if other else None]
    if url:
        asyncio.run(_grow_postgres(url, statements))
        return
    db = sqlite3.connect(folder / "formwright.sqlite3", isolation_level=None)
    for statement in statements:
        db.execute(statement)
    db.close()


async def _grow_postgres(url: str, sql: list[str]) -> None:
    db = await asyncpg.connect(url)
    for statement in [*sql, "VACUUM ANALYZE"]:  # What the server does by itself within minutes.
        await db.execute(statement)
    await db.close()


def pages(form: str, count: int) -> dict[str, str]:
    """The pages that are measured, by what they are."""
    here, middle = f"/submissions?form={form}", f"{_SINCE + count * 500}.sub_{0:026}"
    return {
        "the list, no filter": "/submissions",
        "the list of a form": here,
        "the middle of it": f"{here}&after={middle}",
        "its oldest first": f"{here}&order=submitted",
        "one status, 1 in 100": f"{here}&status=REJECTED",
        "a status that none has": f"{here}&status=STARTED",
        "sorted by an indexed answer": f"{here}&sort=answers.site",
        "sorted by an indexed answer, one status, 1 in 100": f"{here}&sort=-answers.people&status=REJECTED",
        "sorted by an indexed answer, a status that none has": f"{here}&sort=answers.people&status=STARTED",
        "some days": f"{here}&from=2023-11-18&to=2023-11-18",
        "an indexed answer that one has": f"{here}&answers.site=Harbour+{count - 7}",
        "an indexed answer that 1 in 40 have": f"{here}&answers.people=7",
        "an answer without index that all have": f"{here}&answers.kind=a",
        "forms": "/forms",
        "the overview": "/overview",
    }


def sign_in(server: servers.Server, demo: dict[str, str]) -> httpx.Client:
    """One who has signed in, as a browser without script does it."""
    http = httpx.Client(base_url=f"http://{server.host}", timeout=600)
    token = re.search(r'name="_csrf_token" value="([0-9a-f]+)"', http.get("/sign-in").text)
    form = {"email": demo["email"], "password": demo["password"], "next": ""}
    if token is None or http.post("/sign-in", data=form | {"_csrf_token": token[1]}).status_code != 303:
        raise SystemExit("signing in failed")
    return http


def time_request(http: httpx.Client, path: str) -> float:
    """Milliseconds of one answer."""
    started = time.perf_counter()
    response = http.get(path)
    elapsed = (time.perf_counter() - started) * 1000
    if response.status_code != 200 or "went wrong" in response.text:
        raise SystemExit(f"the figure would mean nothing: {response.status_code} {path}")
    return elapsed


def measure(name: str, folder: Path, url: str, count: int) -> None:
    """Prints for each page: the median and the worst."""
    with servers.run_formwright(folder, url) as server:
        demo = servers.create_demo(folder, url)
        with httpx.Client(base_url=f"http://{server.host}", headers={"x-api-key": demo["apiKey"]}) as api:
            form = api.post("/api/v1.0/forms", json={"name": "Large", "fields": FIELDS, "publish": True}).json()
        started = time.perf_counter()
        insert_submissions(folder, url, demo["customerId"], form, count)
        print(f"{name}: {count:,} submissions put in within {time.perf_counter() - started:.0f} s", flush=True)
        http = sign_in(server, demo)
        for what, path in pages(form["id"], count).items():
            time_request(http, path)
            elapsed = [time_request(http, path) for _ in range(ROUNDS)]
            print(
                f"{name}: {what}: {median(elapsed):.0f} ms, at worst {max(elapsed):.0f} ms; wanted {GOAL_MS} ms",
                flush=True,
            )
        elapsed = time_request(http, f"/submissions?form={form['id']}&answers.remarks[contains]=nowhere+to+be+found")
        print(f"{name}: an answer without index that none has, once: {elapsed:.0f} ms", flush=True)
        for kind, query in (("csv", ""), ("xlsx", "&from=2023-11-18&to=2023-11-18")):
            started = time.perf_counter()
            size = download(http, f"/submissions/download.{kind}?form={form['id']}{query}")
            took_s = time.perf_counter() - started
            print(f"{name}: {kind}: {size / 1e6:.1f} MB in {took_s:.1f} s, peak {peak_mb(server):.0f} MB", flush=True)


def download(http: httpx.Client, path: str) -> int:
    """Download a file, also if it takes longer than a second, and return its size in bytes."""
    with http.stream("GET", path) as response:
        if response.status_code == 200:
            return sum(len(chunk) for chunk in response.iter_bytes())
        page = response.headers["location"]
    while "is ready" not in http.get(page).text:
        time.sleep(0.1)
    return download(http, f"{page}/file")


@contextmanager
def database(name: str) -> Iterator[tuple[Path, str]]:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = stack.enter_context(Cluster(durable=True)) if name == "postgres" else None
        yield folder, cluster.create_database("bench") if cluster else ""


def main() -> None:
    """Measure on both databases, or on the one that is named."""
    parser = argparse.ArgumentParser(prog="python -m bench.submission_pages", description=__doc__)
    parser.add_argument("--submissions", type=int, default=1_000_000)
    parser.add_argument("--database", choices=["sqlite", "postgres", "both"], default="both")
    options = parser.parse_args()
    for name in ["sqlite", "postgres"] if options.database == "both" else [options.database]:
        with database(name) as (folder, url):
            measure(name, folder, url, options.submissions)


if __name__ == "__main__":
    main()
