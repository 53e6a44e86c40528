"""Lists filtered by an indexed answer: read in index order, with the same result as a full scan."""

import asyncio
import itertools
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import PREFIX
from factories.submissions import started, submission

from formwright.core.auth.actor import Reach, Scope
from formwright.core.pagination import Window
from formwright.domain.submissions import index_scan, store
from formwright.domain.submissions.answer_filters import parse_conditions
from formwright.domain.submissions.models import SubmissionFilter

Made = list[dict[str, Any]]
OPTIONS = [{"value": value, "label": value} for value in "abc"]
LONG = "x" * 300
"""Longer than the part of a text that the index stores."""
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "indexed": True},
    {"type": "integer", "name": "people", "label": "People", "indexed": True},
    {"type": "boolean", "name": "safe", "label": "Safe", "indexed": True},
    {"type": "choices", "name": "seen", "label": "Seen", "indexed": True, "options": OPTIONS},
    {"type": "choice", "name": "kind", "label": "Kind", "options": OPTIONS},
    {
        "type": "repeat",
        "name": "visits",
        "label": "Visits",
        "fields": [{"type": "integer", "name": "size", "label": "Size", "indexed": True}],
    },
]


def _time(number: int) -> str:
    """Several submissions have the same time, so that ids determine the order."""
    return f"2026-03-{1 + number // 24:02d}T{number % 24:02d}:00:00Z"


@pytest.fixture
async def indexed_submissions(account: Account) -> Made:
    """Submissions that arrived in another order than that of their times."""
    to_fill, random = await form(account, fields=FIELDS), Random(7)
    found = []
    for number in random.sample(range(36), 36):
        data = {
            "site": random.choice(["Harbour", "Quay", LONG + "a", LONG + "b"]),
            "people": random.choice([1, 2, 2, 2, 3]),
            "safe": random.random() < 0.8,
            "seen": random.sample("abc", random.randrange(4)),
            "kind": random.choice("abc"),
            "visits": [{"size": random.randrange(4)} for _ in range(random.randrange(4))],
        }
        kept = {name: value for name, value in data.items() if random.random() < 0.9}
        found.append(await submission(account, to_fill, data=kept, submittedAt=_time(number // 3)))
    return found


def _has(name: str, *values: Any) -> Callable[[dict[str, Any]], bool]:
    def fits(data: dict[str, Any]) -> bool:
        held = [row.get("size") for row in data.get("visits", [])] if name == "size" else data.get(name)
        return any(one in values for one in held) if isinstance(held, list) else held in values

    return fits


FITTING: dict[str, Sequence[Callable[[dict[str, Any]], bool]]] = {
    "answers.site=Harbour": [_has("site", "Harbour")],
    "answers.site[in]=Quay,Harbour,Nowhere": [_has("site", "Quay", "Harbour")],
    "answers.site[in]=Quay,Quay": [_has("site", "Quay")],
    f"answers.site={LONG}b": [_has("site", LONG + "b")],
    f"answers.site[in]={LONG}b,{LONG}a": [_has("site", LONG + "a", LONG + "b")],
    "answers.people=2": [_has("people", 2)],
    "answers.people=9": [_has("people", 9)],
    "answers.people[in]=1,2,3,4,5,6,7,8,9": [_has("people", 1, 2, 3)],
    "answers.safe=true": [_has("safe", True)],
    "answers.seen[in]=a,b": [_has("seen", "a", "b")],
    "answers.size[in]=1,2": [_has("size", 1, 2)],
    "answers.people=2&answers.safe=true": [_has("people", 2), _has("safe", True)],
    "answers.people=2&answers.kind=a": [_has("people", 2), _has("kind", "a")],
    "answers.people=2&answers.site[in]=Quay,Harbour": [_has("people", 2), _has("site", "Quay", "Harbour")],
    "answers.safe=true&answers.people[gte]=3": [_has("safe", True), _has("people", 3)],
    "answers.people=2&answers.kind[ne]=a": [_has("people", 2), lambda data: data.get("kind") != "a"],
}
BESIDE: dict[str, Callable[[dict[str, Any]], bool]] = {
    "": lambda one: True,
    "&submittedFrom=2026-03-01T05:00:00Z": lambda one: one["submittedAt"] >= "2026-03-01T05",
    "&submittedFrom=2026-03-01T02:00:00Z&submittedTo=2026-03-01T11:00:00Z": (
        lambda one: "2026-03-01T02" <= one["submittedAt"] < "2026-03-01T11"
    ),
    "&status=SUBMITTED": lambda one: True,
    "&status=REJECTED": lambda one: False,
}


@pytest.mark.parametrize("limit", [1, 4, 100])
async def test_an_indexed_list_equals_a_full_scan(account: Account, indexed_submissions: Made, limit: int) -> None:
    in_order = sorted(indexed_submissions, key=lambda one: (one["submittedAt"], one["id"]))
    of = f"formId={indexed_submissions[0]['formId']}&limit={limit}"
    # With one item per page there are many pages, so only the answers are compared. The opposite direction is compared
    # with several pages of several items.
    beside_them = dict(itertools.islice(BESIDE.items(), 1 if limit == 1 else None))
    for (asked, fits), (beside, fits_beside) in itertools.product(FITTING.items(), beside_them.items()):
        expected = [one["id"] for one in in_order if all(fit(one["data"]) for fit in fits) and fits_beside(one)]
        orders = (("submitted", expected), ("-submitted", expected[::-1]))
        for order, wanted in orders if limit == 4 else orders[:1]:
            found = ids(await pages(account, f"/submissions?{of}&{asked}{beside}&order={order}"))
            assert found == wanted, f"{asked}{beside} {order}"


@pytest.fixture
def walks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list that grows whenever a list is not read in index order."""
    seen, by_index = [], store._find_candidates

    async def noted(tx: Any, scope: Any, wanted: Any) -> Any:
        seen.append(wanted.order.value)
        return await by_index(tx, scope, wanted)

    monkeypatch.setattr(store, "_find_candidates", noted)
    return seen


async def test_the_next_page_is_found_with_the_index_alone(
    account: Account, indexed_submissions: Made, walks: list[str]
) -> None:
    of = f"/submissions?formId={indexed_submissions[0]['formId']}&limit=3"
    for asked in ("answers.site=Harbour", "answers.people[in]=1,2", "answers.people=2&answers.safe=true"):
        for order in ("submitted", "-submitted"):
            assert ids(await pages(account, f"{of}&{asked}&order={order}"))
    assert not walks
    await pages(account, f"{of}&answers.people=2&order=updated")
    await pages(account, f"{of}&answers.people=2&status=SUBMITTED")
    await pages(account, f"{of}&answers.people[gte]=2")
    assert walks


async def test_a_list_of_several_forms_has_one_order(account: Account, walks: list[str]) -> None:
    """And who reaches only some of them sees theirs alone."""
    first, second = [await form(account, fields=FIELDS) for _ in range(2)]
    known = [
        (await submission(account, [first, second][number % 3 == 0], data={"people": 2}, submittedAt=_time(number)))[
            "id"
        ]
        for number in range(12)
    ]
    query = "/submissions?answers.people=2&limit=4"
    assert ids(await pages(account, query)) == known
    assert ids(await pages(account, f"{query}&order=-submitted")) == known[::-1]
    assert ids(await pages(account, f"{query}&formId={second['id']}")) == known[::3]
    async with account.ctx.db.reading() as tx:
        met, _ = await parse_conditions(tx, account.actor, {"people": ["2"]}, form_ids=[])
        scope = Scope(account.id, Reach(form_ids=frozenset([second["id"]])))
        page = await store.page(tx, scope, SubmissionFilter(answers=met), Window(3))
    assert ([one.id for one in page.items], page.next is None) == (known[:9:3], False)
    assert not walks


@pytest.mark.parametrize("order", ["submitted", "-submitted"])
async def test_the_most_selective_condition_is_used_first(
    account: Account, monkeypatch: pytest.MonkeyPatch, order: str
) -> None:
    new_form = await form(account, fields=FIELDS)
    known = [
        (await submission(account, new_form, data={"people": 2, "safe": number % 4 == 0}, submittedAt=_time(number)))[
            "id"
        ]
        for number in range(32)
    ]
    ahead, asked = index_scan.next_candidates, []

    async def counted(*parts: Any) -> index_scan.Candidates | None:
        asked.append(parts)
        return await ahead(*parts)

    monkeypatch.setattr(index_scan, "next_candidates", counted)
    query = f"/submissions?formId={new_form['id']}&answers.people=2&answers.safe=true&limit=4&order={order}"
    found = ids(await pages(account, query))
    assert found == (known[::4] if order == "submitted" else known[::4][::-1])
    assert len(asked) == 2


async def test_a_list_follows_corrected_times_and_answers(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    known = [
        (await submission(account, new_form, data={"people": 2}, submittedAt=_time(number)))["id"]
        for number in range(6)
    ]
    draft = await started(account, new_form, "c1", people=2)
    query = f"/submissions?formId={new_form['id']}&answers.people=2&limit=2"
    assert ids(await pages(account, query)) == [*known, draft.id]
    address = f"{PREFIX}/customers/{account.id}/submissions"
    for number, what in {1: {"submittedAt": _time(30)}, 2: {"data": {"people": 3}}, 3: {"status": "APPROVED"}}.items():
        assert (await account.api.put(f"{address}/{known[number]}", json=what)).status_code == 200
    assert (await account.api.delete(f"{address}/{known[4]}")).status_code == 204
    assert ids(await pages(account, query)) == [known[0], known[3], known[5], known[1], draft.id]
    assert ids(await pages(account, f"{query}&order=-submitted")) == [draft.id, known[1], known[5], known[3], known[0]]


async def test_submissions_that_move_while_paging_hide_nothing(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A submission moves between the reads of the index and of the submissions."""
    new_form = await form(account, fields=FIELDS)
    known = [
        (await submission(account, new_form, data={"people": 2}, submittedAt=_time(number)))["id"]
        for number in range(9)
    ]
    ahead, left = index_scan.next_candidates, {1: 30, 2: 31}

    async def moving(*asked: Any) -> index_scan.Candidates | None:
        found = await ahead(*asked)
        while left:
            number, time = left.popitem()
            address = f"{PREFIX}/customers/{account.id}/submissions/{known[number]}"
            assert (await account.api.put(address, json={"submittedAt": _time(time)})).status_code == 200
        return found

    monkeypatch.setattr(index_scan, "next_candidates", moving)
    found = ids(await pages(account, f"/submissions?formId={new_form['id']}&answers.people=2&limit=3"))
    assert found == [known[0], *known[3:], known[1], known[2]]


async def test_pages_are_complete_during_writes(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    there = [(await submission(account, new_form, data={"people": 2}))["id"] for _ in range(9)]
    query = f"/submissions?formId={new_form['id']}&answers.people[in]=2,3&limit=2"

    async def write() -> None:
        for number in range(10):
            await submission(account, new_form, data={"people": number % 4})

    writing = asyncio.gather(write(), write())
    found = ids(await pages(account, query))
    await writing
    assert found[: len(there)] == there
    assert ids(await pages(account, query))[: len(found)] == found
