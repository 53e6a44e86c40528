"""Full-text search over submissions, compared with a search in Python."""

from typing import Any
from urllib.parse import quote

import pytest
from actors import Account
from factories.datasources import datasource
from factories.files import sent
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import PREFIX
from factories.sample_account import World
from factories.submissions import started, submission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from formwright.domain.datasources.search.normalize import fold
from formwright.domain.submissions.text_search import indexing, search, store

WHO = {"type": "text", "name": "who", "label": "Who"}
VISITS = {"type": "repeat", "name": "visits", "label": "Visits", "fields": [WHO]}
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site"},
    {"type": "integer", "name": "people", "label": "People"},
    {"type": "date", "name": "day", "label": "Day"},
    {"type": "boolean", "name": "safe", "label": "Safe"},
    {"type": "file", "name": "plan", "label": "Plan"},
    {
        "type": "choices",
        "name": "seen",
        "label": "Seen",
        "options": [
            {"value": "c1", "label": {"en": "Loose cable", "de": "Loses Kabel"}},
            {"value": "c2", "label": "Rust"},
        ],
    },
    {"type": "section", "name": "more", "label": "More", "fields": [VISITS]},
]
CASES = {
    "harb": [0],
    "HÄRBOUR": [0],
    "north harbour": [0],
    "bour north 4711": [0],
    "cable": [0],
    "kabel loses": [0],
    "rust": [1],
    "2026-03-29": [0],
    "29 mar 2026": [0],
    "bob": [1],
    "grundriss": [1],
    "order-9": [1],
    "straße": [1],
    "STRASSE": [1],
    "東京": [2],
    "京都": [2],
    "東都": [],
    "हिन्दी": [2],
    "سلام": [2],
    "Ζαφείρι": [2],
    "true": [],
    "harbour rust": [],
    "%%%": [],
    "c2_": [],
    "o b": None,
    "no": None,
    "京": None,
    "  ": [0, 1, 2],
}


async def _search(account: Account, query: str, **more: Any) -> list[str]:
    return ids(await pages(account, f"/submissions?q={quote(query)}" + "".join(f"&{k}={v}" for k, v in more.items())))


async def _change(account: Account, submission_id: str, **members: Any) -> None:
    response = await account.api.put(f"{PREFIX}/customers/{account.id}/submissions/{submission_id}", json=members)
    assert response.status_code == 200, response.text


async def _delete(account: Account, path: str) -> None:
    response = await account.api.delete(f"{PREFIX}{path}")
    assert response.status_code == 204, response.text


async def _index(account: Account) -> None:
    while await indexing.run_step(account.ctx.db, account.id):
        pass


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "BLOCK_SIZE", 3)


async def test_a_search_covers_what_people_see(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    plan = await sent(account, new_form, "plan", b"%PDF-1.7", "Grundriß.pdf")
    answers: list[dict[str, Any]] = [
        {"site": "Harbour North", "people": 4711, "day": "2026-03-29", "seen": ["c1"], "safe": True},
        {
            "site": "Große Straße <b>",
            "seen": ["c2"],
            "visits": [{"who": "Ann"}, {"who": "Bobby"}],
            "plan": [plan["id"]],
        },
        {"site": "東京都 हिन्दी سَلَام Ζαφείρι"},
    ]
    known = [(await submission(account, new_form, data=data))["id"] for data in answers[:1]]
    known.append((await submission(account, new_form, data=answers[1], externalId="ORDER-99"))["id"])
    known.append((await submission(account, new_form, data=answers[2]))["id"])
    for query, expected in CASES.items():
        response = await account.api.get(f"{PREFIX}/submissions", params={"q": query})
        if expected is None:
            assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "?q"), query
        else:
            assert [known.index(item["id"]) for item in response.json()["items"]] == expected, query
    too_long = await account.api.get(f"{PREFIX}/submissions", params={"q": "x" * 201})
    assert too_long.status_code == 400


async def test_a_search_finds_rows_of_lookups_and_drafts(account: Account) -> None:
    source = await datasource(account)
    lookup = {"type": "lookup", "name": "client", "label": "Who", "datasourceId": source["id"], "display": ["name"]}
    new_form = await form(account, fields=[*FIELDS, lookup])
    known = (await submission(account, new_form, data={"client": "C-2"}))["id"]
    assert (await _search(account, "customer c-2"), await _search(account, "customer c-1")) == ([known], [])
    draft = await started(account, new_form, "c1", site="Half finished")
    assert await _search(account, "finished") == [draft.id]
    assert await _search(account, "finished", status="SUBMITTED") == []


async def test_a_search_follows_changes(account: Account, small_blocks: None) -> None:
    del small_blocks
    new_form = await form(account)
    known = [(await submission(account, new_form, data={"site": f"Quay number {n}"}))["id"] for n in range(10)]
    await _index(account)
    await _change(account, known[0], data={"site": "Lighthouse"})
    assert (await _search(account, "lighthouse"), await _search(account, "quay")) == (known[:1], known[1:])
    await _change(account, known[0], externalId="zebra-1")
    await _change(account, known[0], status="APPROVED")
    assert await _search(account, "zebra lighthouse", status="APPROVED") == known[:1]
    await _delete(account, f"/customers/{account.id}/submissions/{known[1]}")
    assert await _search(account, "quay") == known[2:]
    response = await account.api.delete(f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}")
    assert response.status_code in (200, 204), response.text
    assert await _search(account, "quay") == []


async def test_a_search_stays_in_the_account(account: Account, standing: World) -> None:
    new_form = await form(account)
    await submission(account, new_form, data={"site": "Unmistakable"})
    found = await standing.account.api.get(f"{PREFIX}/submissions", params={"q": "unmistakable"})
    assert found.json()["items"] == []


async def test_a_search_waits_for_submissions_of_an_earlier_release(account: Account) -> None:
    new_form = await form(account)
    known = (await submission(account, new_form, data={"site": "Earlier"}))["id"]
    async with account.ctx.db.writing() as tx:
        await tx.execute(
            "UPDATE submissions SET search_text = NULL, search_text_as = NULL WHERE customer_id = $1", account.id
        )
    response = await account.api.get(f"{PREFIX}/submissions?q=earlier")
    assert (response.status_code, response.json()["code"]) == (503, "submission.search_not_ready")
    async with account.ctx.db.reading() as tx:
        assert account.id in await indexing.find_due_accounts(tx)
    await _index(account)
    assert await _search(account, "earlier") == [known]


async def test_a_search_that_takes_too_long_is_cut(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    await submission(account, await form(account))
    monkeypatch.setattr(search, "_MAX_SECONDS", -1.0)
    response = await account.api.get(f"{PREFIX}/submissions?q=harbour")
    assert (response.status_code, response.json()["code"]) == (409, "submission.search_too_broad")


_LETTERS = st.sampled_from("abcABCéßİıς東京都ทคไทयहिन्دمس😀ﬁ½-%_'\"\\.<& \n\t")
_TEXTS = st.text(_LETTERS, max_size=12)


@given(
    texts=st.lists(_TEXTS, min_size=1, max_size=25),
    changes=st.lists(st.tuples(st.integers(0, 24), st.none() | _TEXTS), max_size=6),
    indexed=st.integers(0, 25),
    queries=st.lists(st.lists(_TEXTS, min_size=1, max_size=2).map(" ".join), min_size=3, max_size=6),
    order=st.sampled_from(["submitted", "-submitted", "updated", "-updated"]),
    limit=st.integers(1, 7),
)
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
async def test_a_search_finds_what_python_finds(
    account: Account,
    small_blocks: None,
    texts: list[str],
    changes: list[tuple[int, str | None]],
    indexed: int,
    queries: list[str],
    order: str,
    limit: int,
) -> None:
    del small_blocks
    new_form = await form(account)
    stored = dict[str, str]()
    for number, text in enumerate(texts):
        if number == indexed:
            await _index(account)
        stored[(await submission(account, new_form, data={"site": "-" + text}))["id"]] = "-" + text
    for number, new in changes:
        record = list(stored)[number % len(stored)] if stored else ""
        if record and new is None:
            await _delete(account, f"/customers/{account.id}/submissions/{record}")
            del stored[record]
        elif record:
            await _change(account, record, data={"site": "-" + str(new)})
            stored[record] = "-" + str(new)
    for query in [*queries, *(text[1:5] for text in stored.values())]:
        address = f"/submissions?formId={new_form['id']}&order={order}&limit={limit}"
        words = fold(query).split()
        response = await account.api.get(f"{PREFIX}{address}", params={"q": query})
        if response.status_code == 400:
            assert all(len(word) < 3 for word in words)
            continue
        expected = {one for one, text in stored.items() if all(word in fold(text) for word in words)}
        found = ids(await pages(account, f"{address}&q={quote(query)}"))
        assert sorted(found) == sorted(expected), query
        whole = ids(await pages(account, address))
        assert found == [one for one in whole if one in expected]
