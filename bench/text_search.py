"""How long a search of many submissions takes. `python -m bench.text_search [--count 1000000] [--postgres]`.

The submissions are inserted with their texts by the database, and a worker's step builds the signatures.
"""

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from statistics import median

from fixtures.app_contexts import create_tenant, open_migrated_context
from fixtures.postgres import Cluster
from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.auth.actor import Scope
from formwright.core.pagination import Window
from formwright.domain.submissions import store
from formwright.domain.submissions.models import SortOrder, Submission, SubmissionFilter
from formwright.domain.submissions.text_search import indexing
from formwright.domain.submissions.text_search.words import parse_words
from formwright.settings import Settings

_BATCH, _ROUNDS = 20_000, 7
_WORDS = [
    f"{first}{second}{third}"
    for first in ("ba", "ko", "mi", "ter", "sun")
    for second in ("la", "ne", "ro", "vik", "dam", "pol")
    for third in ("s", "nd", "ka", "rt", "lm", "xo", "gu")
]
SEARCHES = ["everywhere", "harbour 777777", "quebracho", "zzyzx", "zzz", "solasrk", "needle", "thousand", "kas"]


def build_text(number: int) -> str:
    """A text of about 200 letters: common words, a number, and words of different frequency."""
    seed = number * 2654435761 % 2**32
    words = [_WORDS[(seed >> shift) * (shift + 7) % len(_WORDS)] for shift in range(28)]
    rare = {777_777: "quebracho"}.get(number, "")
    some = "thousand" if number % 1000 == 5 else ""
    few = "needle" if number % 20_000 == 7 else ""
    return "\n".join([f"harbour {number}", "everywhere", " ".join(words), rare, some, few]).strip()


async def fill(ctx: AppContext, one: Submission, count: int) -> None:
    for start in range(0, count, _BATCH):
        rows = []
        for number in range(start, min(start + _BATCH, count)):
            at = 1_700_000_000_000 + number * 1000
            text = build_text(number)
            created = replace(
                one, id=f"sub_{number:026d}", client_id=None, submitted=at, started=at, created=at, updated=at
            )
            rows.append(store.to_row(created, text))
        async with ctx.db.writing() as tx:
            await tx.copy("submissions", store.COLUMNS, rows)


async def measure(settings: Settings, count: int) -> None:
    async with open_migrated_context(settings) as ctx:
        home = await create_tenant(ctx)
        one = await home.submit()
        start = time.perf_counter()
        await fill(ctx, one, count)
        async with ctx.db.writing() as tx:
            await tx.execute("ANALYZE")
        print(f"{count:,} submissions inserted in {time.perf_counter() - start:.1f} s")
        start = time.perf_counter()
        steps = 0
        while await indexing.run_step(ctx.db, home.id):
            steps += 1
        print(f"{steps:,} steps of the worker in {time.perf_counter() - start:.1f} s")
        for text in SEARCHES:
            for order in (SortOrder.SUBMITTED_DESC, SortOrder.UPDATED):
                criteria = SubmissionFilter(words=parse_words(text)[0], order=order)
                times = []
                for _ in range(_ROUNDS):
                    start = time.perf_counter()
                    async with ctx.db.reading(long=True) as tx:
                        page = await store.page(tx, Scope(home.id), criteria, Window(50))
                    times.append((time.perf_counter() - start) * 1000)
                print(
                    f"{text:16} {order:11} {len(page.items):3} found: {median(times):8.1f} ms, at most {max(times):.1f}"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=1_000_000)
    parser.add_argument("--postgres", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        url = stack.enter_context(Cluster(durable=True)).create_database("bench") if args.postgres else ""
        settings = Settings(data_dir=Path(folder), database_url=url, embedded_worker=False)
        asyncio.run(measure(settings, args.count))


if __name__ == "__main__":
    main()
