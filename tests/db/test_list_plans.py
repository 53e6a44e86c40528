"""A page filtered by an answer is read in the order of the list, without sorting large results."""

import re
from collections.abc import Callable, Sequence
from typing import Any

import msgspec
import pytest
from fixtures.app_contexts import Tenant, create_tenant, open_migrated_context
from msgspec.structs import replace

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import Row
from formwright.core.pagination import Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Form, NewForm
from formwright.domain.submissions import activity_store, store
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.answer_order import parse_sort
from formwright.domain.submissions.models import SortOrder, SubmissionFilter, SubmissionStatus
from formwright.settings import Settings

pytestmark = pytest.mark.slow

COUNT = 3000
SORTED = re.compile(r"-> +Sort .* rows=(\d+)")
FIELDS = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "integer", "name": "people", "label": "People", "indexed": True},
    {"type": "text", "name": "who", "label": "Who", "indexed": True},
]


class ExplainingTransaction:
    """A read transaction that records the query plan of each list it reads."""

    def __init__(self, tx: Any) -> None:
        self._tx, self.plans = tx, list[str]()

    async def fetch(self, sql: str, *args: object) -> Sequence[Row]:
        plan = await self._tx.fetch(f"/*postgres EXPLAIN *//*sqlite EXPLAIN QUERY PLAN */{sql}", *args)
        self.plans.append("\n".join(str(row[-1]) for row in plan))
        rows: Sequence[Row] = await self._tx.fetch(sql, *args)
        return rows

    async def fetch_one(self, sql: str, *args: object) -> Row | None:
        return next(iter(await self.fetch(sql, *args)), None)


async def _grow(home: Tenant, answers: Callable[[int], dict[str, Any]]) -> Form:
    """Return a form with `COUNT` submissions, whose answers depend on their number."""
    draft = NewForm("Grown", "", [], msgspec.convert(FIELDS, list[AnyField]), FormSettings(), publish=True)
    async with home.ctx.db.writing() as tx:
        form = await forms.create(tx, home.actor, draft)
    one = replace(await home.submit(), form_id=form.id)
    async with home.ctx.db.writing() as tx:
        for number in range(COUNT):
            text = msgspec.json.encode(answers(number)).decode()
            created = replace(one, id=tx.new_id("sub"), data=text, submitted=number)
            await store.insert(tx, created, published=form.published_version_id)
        await tx.execute("ANALYZE")
    return form


@pytest.mark.parametrize("order", [SortOrder.SUBMITTED, SortOrder.SUBMITTED_DESC])
async def test_a_page_filtered_by_answers_is_read_in_list_order(own_settings: Settings, order: SortOrder) -> None:
    async with open_migrated_context(own_settings) as ctx:
        home = await create_tenant(ctx)
        form = await _grow(
            home, lambda number: {"site": "ab"[number % 2], "people": number % 20, "who": "xyz"[number % 3]}
        )
        wanted = {"site": ["a"]}, {"site": ["a"], "site[ne]": ["b"]}, {"people": ["7"]}, {"who[in]": ["x,y"]}
        async with ctx.db.reading() as tx:
            for asked in wanted:
                met, _ = await parse_conditions(tx, home.actor, asked, form_ids=[form.id])
                reading = ExplainingTransaction(tx)
                window, by = Window(20), SubmissionFilter(form_ids=[form.id], answers=met, order=order)
                page = await store.page(reading, Scope(home.id), by, window)
                assert len(page.items) == 20
                assert all(int(rows) <= 1 for rows in SORTED.findall(reading.plans[0])), reading.plans[0]
                assert "TEMP B-TREE" not in reading.plans[0], reading.plans[0]
                assert ("answer_index_" in reading.plans[0]) == ("site" not in asked), reading.plans[0]


@pytest.mark.parametrize("sort", ["answers.people", "-answers.who"])
async def test_a_page_sorted_by_an_answer_is_read_in_index_order(own_settings: Settings, sort: str) -> None:
    async with open_migrated_context(own_settings) as ctx:
        home = await create_tenant(ctx)
        form = await _grow(home, lambda number: {"people": number % 700, "who": f"{number % 900}"})
        async with ctx.db.reading() as tx:
            order, _ = await parse_sort(tx, home.actor, sort, form_ids=[form.id])
            after = None
            for _ in range(3):
                reading = ExplainingTransaction(tx)
                by = SubmissionFilter(form_ids=[form.id], by_answer=order)
                page = await store.page(reading, Scope(home.id), by, Window(20, after))
                [plan] = reading.plans
                assert len(page.items) == 20
                assert "Sort" not in plan, plan
                assert "TEMP B-TREE" not in plan, plan
                assert "answer_index_" in plan, plan
                after = page.next


async def test_counts_by_status_read_only_their_entries(own_settings: Settings) -> None:
    """SQLite would read the whole account, to know which submissions belong to a form in the trash."""
    async with open_migrated_context(own_settings) as ctx:
        home = await create_tenant(ctx)
        sent = await home.submit()
        async with ctx.db.reading() as tx:
            reading, scope = ExplainingTransaction(tx), Scope(home.id)
            bounds = [sent.at, sent.at + 1, sent.at + 2]
            assert await activity_store.count_by_period(reading, scope, bounds, 10, None) == [1, 0]
            assert await store.count(reading, scope, SubmissionFilter(statuses=[SubmissionStatus.SUBMITTED]), 10) == 1
        if not own_settings.is_postgres:
            assert reading.plans[0].count("form_id=? AND status=? AND at>? AND at<?") == 2
            assert "form_id=? AND status=?" in reading.plans[1]
