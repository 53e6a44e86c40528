"""Lists are complete and in one order, page by page, even during writes."""

import asyncio
import base64
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from actors import Account
from factories.datasources import datasource, rows
from factories.forms import form
from factories.pagination import Make, ids, pages
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.tasks import task
from factories.users import user


async def submissions(account: Account) -> tuple[str, Make]:
    new_form = await form(account)
    return "/submissions", lambda: submission(account, new_form)


async def forms(account: Account) -> tuple[str, Make]:
    return f"/forms/customer/{account.id}/forms", lambda: form(account)


async def datasources(account: Account) -> tuple[str, Make]:
    return "/datasources", lambda: datasource(account)


async def tasks(account: Account) -> tuple[str, Make]:
    new_form = await form(account)
    return f"/customers/{account.id}/tasks", lambda: task(account, new_form)


async def users(account: Account) -> tuple[str, Make]:
    return f"/customers/{account.id}/users", lambda: user(account)


async def subscribers(account: Account) -> tuple[str, Make]:
    return f"/webhooks/customer/{account.id}/subscribers", lambda: subscriber(account)


async def events(account: Account) -> tuple[str, Make]:
    return f"/webhooks/customer/{account.id}/events", lambda: form(account)


LISTS = pytest.mark.parametrize(
    "listed", [submissions, forms, datasources, tasks, users, subscribers, events], ids=lambda listed: listed.__name__
)
Listed = Callable[[Account], Awaitable[tuple[str, Make]]]


@LISTS
async def test_the_pages_form_the_complete_list_in_order(account: Account, listed: Listed) -> None:
    address, make = await listed(account)
    for _ in range(7):
        await make()
    [whole] = await pages(account, f"{address}?limit=1000")
    assert len(whole) >= 7
    for limit in (1, 2, 3, len(whole) - 1, len(whole), len(whole) + 1):
        found = await pages(account, f"{address}?limit={limit}")
        assert [item for page in found for item in page] == whole
        assert [len(page) for page in found[:-1]] == [limit] * (len(found) - 1)
        assert found[-1], "the last page is not an empty one"


@LISTS
async def test_the_order_is_by_time(account: Account, listed: Listed) -> None:
    address, make = await listed(account)
    for _ in range(4):
        await make()
    [whole] = await pages(account, f"{address}?limit=1000")
    times = [item.get("timestamp") or item["created"] for item in whole]
    assert times == sorted(times)


@LISTS
async def test_new_items_while_paging_appear_last_and_once(account: Account, listed: Listed) -> None:
    address, make = await listed(account)
    for _ in range(4):
        await make()
    [before] = await pages(account, f"{address}?limit=1000")
    left = iter(range(5))

    async def between() -> None:
        if next(left, None) is not None:
            await make()

    found = ids(await pages(account, f"{address}?limit=2", between))
    assert found[: len(before)] == [item["id"] for item in before]
    assert len(set(found)) == len(found)
    assert found == ids(await pages(account, f"{address}?limit=1000"))


@pytest.mark.parametrize("order", ["-submitted", "-updated"])
async def test_newest_first_is_not_affected_by_new_items(account: Account, order: str) -> None:
    new_form = await form(account)
    before = [(await submission(account, new_form))["id"] for _ in range(6)]
    found = await pages(account, f"/submissions?order={order}&limit=2", lambda: submission(account, new_form))
    assert ids(found) == before[::-1]


@pytest.mark.parametrize("order", ["submitted", "updated"])
async def test_readers_have_no_gaps_or_duplicates_during_writes(account: Account, order: str) -> None:
    new_form = await form(account)
    writers = [asyncio.create_task(_write(account, new_form, 8)) for _ in range(8)]
    await asyncio.wait(writers, return_when=asyncio.FIRST_COMPLETED)
    first = f"{PREFIX}/submissions?order={order}&limit=3"
    seen, last = await _read_on(account, first, [])
    acknowledged = [made_id for ids_ in await asyncio.gather(*writers) for made_id in ids_]
    seen, _ = await _read_on(account, last, seen)
    assert sorted(seen) == sorted(acknowledged)


async def _write(account: Account, form: dict[str, Any], count: int) -> list[str]:
    return [(await submission(account, form))["id"] for _ in range(count)]


async def _read_on(account: Account, address: str, seen: list[str]) -> tuple[list[str], str]:
    """Follow `next` to the end. A reader that continues later reads the last page again, so its items are known."""
    known, found = set(seen[-3:]), list(seen)
    while True:
        answer = (await account.api.get(address)).json()
        found += [item["id"] for item in answer["items"] if item["id"] not in known]
        known = set()
        if answer["next"] is None:
            return found, address
        address = answer["next"]


async def test_the_event_log_has_no_gaps_during_writes(account: Account) -> None:
    new_form = await form(account)
    writers = asyncio.gather(*(_write(account, new_form, 6) for _ in range(8)))
    seen: list[int] = []
    while not writers.done() or not seen or await _more(account, seen[-1]):
        seen += await _more(account, seen[-1] if seen else 0)
        # Reads of SQLite never wait, so give the writers a chance to run.
        await asyncio.sleep(0)
    await writers
    assert seen == list(range(1, len(seen) + 1))
    assert len(seen) == 3 + 48


async def _more(account: Account, after: int) -> list[int]:
    found = await get(account, f"/webhooks/customer/{account.id}/events", after=after, limit=5)
    return [event["sequence"] for event in found["items"]]


async def test_rows_of_a_data_source_have_their_own_order(account: Account) -> None:
    given = [{"number": f"C-{n * 7919 % 250}", "name": "x"} for n in range(250)]
    new_datasource = await datasource(account, rows=given)
    address = f"/customers/{account.id}/datasources/{new_datasource['id']}/rows"
    found = await pages(account, f"{address}?limit=99")
    assert [row["key"] for page in found for row in page] == [row["number"] for row in given]
    assert [len(page) for page in found] == [99, 99, 52]


async def test_the_default_limit_is_100(account: Account) -> None:
    new_datasource = await datasource(account, rows=rows(101))
    found = await get(account, f"/customers/{account.id}/datasources/{new_datasource['id']}/rows")
    assert len(found["items"]) == 100
    assert found["next"]


async def test_an_empty_list_is_an_empty_page(account: Account) -> None:
    assert await get(account, "/submissions") == {"items": [], "nextCursor": None, "next": None}


def _word(text: str | bytes) -> str:
    return base64.urlsafe_b64encode(text if isinstance(text, bytes) else text.encode()).rstrip(b"=").decode()


@LISTS
async def test_an_invalid_cursor_is_rejected(account: Account, listed: Listed) -> None:
    address, make = await listed(account)
    for _ in range(3):
        await make()
    cursor = (await get(account, address, limit=1))["next"].partition("cursor=")[2]
    own = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode().partition(".")[0] + "."
    for broken in (
        *("", "x", "1", "!!!!", "🎉", "=", cursor + "!", cursor + "=", "!" + cursor, cursor[:3], "x" * 501, "\0"),
        *(_word(own + t) for t in (".", "a.b", "1", "9" * 19 + ".x", "01.x", "-.x", "1.\0", "1." + "x" * 201)),
        *(_word(t) for t in (own, own.encode() + b"1.\xff", "1.x")),
    ):
        response = await account.api.get(PREFIX + address, params={"cursor": broken})
        assert response.status_code == 400, f"{broken!r}: {response.text}"
        assert [fault["pointer"] for fault in response.json()["errors"]] == ["?cursor"]


@LISTS
async def test_a_cursor_of_another_account_reveals_nothing(account: Account, stranger: Account, listed: Listed) -> None:
    theirs, make_theirs = await listed(stranger)
    own, make_own = await listed(account)
    for make in (make_theirs, make_theirs, make_own, make_own):
        await make()
    following = (await get(stranger, theirs, limit=1))["next"]
    response = await account.api.get(following)
    assert response.status_code == (404 if stranger.id in theirs else 400)
    mine = await account.api.get(PREFIX + own, params={"cursor": following.partition("cursor=")[2]})
    assert _refusal(mine) == (400, ["cursor.other_list"])


@pytest.mark.parametrize("other", ["?order=-submitted", "?order=updated&status=SUBMITTED", "?answers.site=Harbour"])
async def test_a_cursor_of_another_order_or_filter_is_rejected(account: Account, other: str) -> None:
    new_form = await form(account)
    for _ in range(3):
        await submission(account, new_form)
    word = (await get(account, "/submissions?order=updated", limit=1))["next"].partition("cursor=")[2]
    response = await account.api.get(f"{PREFIX}/submissions{other}&cursor={word}")
    assert _refusal(response) == (400, ["cursor.other_list"])
    wider = await get(account, "/submissions?limit=2&order=updated", cursor=word)
    assert len(wider["items"]) == 2, "another limit is no other list"


def _refusal(response: httpx.Response) -> tuple[int, list[str]]:
    return response.status_code, [fault["code"] for fault in response.json().get("errors", [])]
