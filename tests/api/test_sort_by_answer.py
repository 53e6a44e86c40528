"""Lists in the order of an answer: the same order as that of Python, page by page, and what cannot be sorted by."""

import itertools
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.pagination import ids, pages
from factories.requests import PREFIX, post
from factories.submissions import submission

Submissions = list[dict[str, Any]]
OPTIONS = [{"value": value, "label": value} for value in "abc"]
LONG = "x" * 210
FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "indexed": True},
    {"type": "decimal", "name": "people", "label": "People", "indexed": True},
    {"type": "date", "name": "day", "label": "Day", "indexed": True},
    {"type": "datetime", "name": "moment", "label": "Moment", "indexed": True},
    {"type": "boolean", "name": "safe", "label": "Safe", "indexed": True},
    {"type": "location", "name": "place", "label": "Place", "indexed": True},
    {"type": "choices", "name": "seen", "label": "Seen", "indexed": True, "options": OPTIONS},
    {"type": "choice", "name": "kind", "label": "Kind", "options": OPTIONS},
    {
        "type": "repeat",
        "name": "visits",
        "label": "Visits",
        "fields": [{"type": "integer", "name": "size", "label": "Size", "indexed": True}],
    },
]
VALUES: dict[str, Callable[[Any], Any]] = {
    "site": lambda data: data.get("site", "")[:200] or None,
    "people": lambda data: data.get("people"),
    "day": lambda data: data.get("day"),
    "moment": lambda data: data.get("moment"),
    "safe": lambda data: data.get("safe"),
    "place.latitude": lambda data: data["place"]["latitude"] if "place" in data else None,
}


def answers(random: Random) -> dict[str, Any]:
    data = {
        "site": random.choice(["Quay", "quay", "Ålesund", "東京", 'a"b\\\n', LONG + "a", LONG + "b"]),
        "people": random.choice([-1.5, 0, 2, 2, 10, 2**53]),
        "day": f"2026-0{random.randrange(1, 4)}-01",
        "moment": f"2026-03-01T0{random.randrange(4)}:00:00Z",
        "safe": random.random() < 0.5,
        "place": {"latitude": random.choice([-3.5, 0, 52.25]), "longitude": 1},
        "seen": ["a"],
        "kind": random.choice("abc"),
    }
    return {name: value for name, value in data.items() if random.random() < 0.8}


@pytest.fixture
async def submissions(account: Account) -> Submissions:
    to_fill, random = await form(account, fields=FIELDS), Random(11)
    await submission(account, await form(account, fields=FIELDS), data={"site": "Elsewhere"})
    times = [f"2026-03-01T{number % 7:02d}:00:00Z" for number in range(24)]
    return [await submission(account, to_fill, data=answers(random), submittedAt=time) for time in times]


def in_order(submissions: Submissions, name: str, *, descending: bool = False) -> list[str]:
    """Return the ids in the order of an answer, and then those without one."""
    places = [(VALUES[name](one["data"]), one["submittedAt"], one["id"]) for one in submissions]
    known = sorted((one for one in places if one[0] is not None), reverse=descending)
    missing = sorted((one for one in places if one[0] is None), reverse=descending, key=lambda one: one[1:])
    return [one[2] for one in known + missing]


async def test_pages_are_in_the_order_of_the_answers(account: Account, submissions: Submissions) -> None:
    address = f"/customers/{account.id}/submissions?formId={submissions[0]['formId']}"
    filters: dict[str, Callable[[dict[str, Any]], bool]] = {
        "": lambda one: True,
        "&answers.people=2": lambda one: one["data"].get("people") == 2,
        "&answers.kind=a&submittedFrom=2026-03-01T02:00:00Z": (
            lambda one: one["data"].get("kind") == "a" and one["submittedAt"] >= "2026-03-01T02"
        ),
    }
    for name, descending in itertools.product(VALUES, (False, True)):
        sort = f"{'-' if descending else ''}answers.{name}"
        for (parameters, fits), limit in zip(filters.items(), (4, 3, 100), strict=True):
            found = ids(await pages(account, f"{address}{parameters}&sort={sort}&limit={limit}"))
            assert found == in_order([one for one in submissions if fits(one)], name, descending=descending), (
                sort,
                limit,
            )
    words = [one for one in submissions if "Quay" in one["data"].get("site", "")]
    found = ids(await pages(account, f"{address}&q=quay&sort=answers.people&limit=2"))
    assert [one for one in found if one in {word["id"] for word in words}] == in_order(words, "people")


async def test_a_cursor_stays_where_it_was(account: Account, submissions: Submissions) -> None:
    address = f"/customers/{account.id}/submissions?formId={submissions[0]['formId']}&sort=answers.people&limit=7"
    expected = in_order(submissions, "people")
    path = f"{PREFIX}/customers/{account.id}/submissions"
    read = iter([expected[6], expected[13], expected[20]])

    async def change() -> None:
        # The last submission of the page moves to the end, or is deleted.
        last = next(read)
        if last == expected[13]:
            assert (await account.api.delete(f"{path}/{last}")).is_success
        else:
            assert (await account.api.put(f"{path}/{last}", json={"data": {"people": 1e300}})).is_success

    found = ids(await pages(account, address, between=change))
    assert list(dict.fromkeys(found)) == expected


async def test_what_cannot_be_sorted_by_is_refused(
    account: Account, submissions: Submissions, stranger: Account
) -> None:
    form_id = submissions[0]["formId"]
    other = (await form(account, fields=FIELDS))["id"]
    theirs = (await form(stranger, fields=FIELDS))["id"]
    path = f"{PREFIX}/customers/{account.id}/submissions"
    for query, code in (
        (f"formId={form_id}&sort=answers.kind", "query.sort.not_indexed"),
        (f"formId={form_id}&sort=answers.gone", "query.sort.unknown"),
        (f"formId={form_id}&sort=answers.seen", "query.sort.unknown"),
        (f"formId={form_id}&sort=-answers.size", "query.sort.unknown"),
        (f"formId={theirs}&sort=answers.site", "query.sort.unknown"),
        (f"formId={form_id}&formId={other}&sort=answers.site", "query.sort.form"),
        ("sort=answers.site", "query.sort.form"),
        (f"formId={form_id}&sort=site", "query.value"),
        (f"formId={form_id}&sort=answers.site%00", "value.nul"),
    ):
        response = await account.api.get(f"{path}?{query}")
        assert (response.status_code, response.json()["errors"][0]["code"]) == (400, code), query
    # The position of one order is none of another.
    first = (await account.api.get(f"{path}?formId={form_id}&limit=1&sort=answers.site")).json()
    crossed = f"{path}?formId={form_id}&limit=1&sort=answers.people&cursor={first['nextCursor']}"
    assert (await account.api.get(crossed)).json()["errors"][0]["code"] == "cursor.other_list"
    view = {"name": "Of the form", "formId": form_id, "filter": {"status": ["SUBMITTED"]}}
    saved = await post(account, f"/customers/{account.id}/views", view)
    found = ids(await pages(account, f"/customers/{account.id}/submissions?view={saved['id']}&sort=-answers.people"))
    assert found == in_order(submissions, "people", descending=True)
