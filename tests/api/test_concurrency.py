"""Invariants under concurrent requests, whose order is chosen by Hypothesis."""

import asyncio
from collections.abc import Sequence
from typing import Any, Literal

import httpx
from actors import Account
from factories.datasources import body, datasource, pulled_body, rows
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

FEW = settings(
    max_examples=6, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
Deed = tuple[Literal["insert", "edit", "delete"], int]
_deeds = st.lists(st.tuples(st.sampled_from(["insert", "edit", "delete"]), st.integers(0, 5)), max_size=3)
_orders = st.sampled_from(["submitted", "-submitted", "updated", "-updated"])


@FEW
@given(order=_orders, limit=st.integers(1, 4), plan=st.lists(_deeds, min_size=1, max_size=6))
async def test_paging_during_writes_has_no_gaps_or_duplicates(
    account: Account, order: str, limit: int, plan: Sequence[Sequence[Deed]]
) -> None:
    new_form = await form(account)
    ids = [(await submission(account, new_form))["id"] for _ in range(9)]
    moved, stays = ids[:6], ids[6:]
    steps, seen = iter(plan), []
    following = f"{PREFIX}/submissions?formId={new_form['id']}&order={order}&limit={limit}"
    while following:
        deeds = [_do(account, new_form, moved, deed) for deed in next(steps, [])]
        response, *_ = await asyncio.gather(account.api.get(following), *deeds)
        assert response.status_code == 200, response.text
        seen += [item["id"] for item in response.json()["items"]]
        following = response.json()["next"]
    touched = {moved[number] for deeds in plan for kind, number in deeds if kind != "insert"}
    for one in [*stays, *(set(moved) - touched)]:
        assert seen.count(one) == 1, f"{one} was there all the time"
    if order.endswith("submitted"):
        assert len(set(seen)) == len(seen)


async def _do(account: Account, form: dict[str, Any], moved: Sequence[str], deed: Deed) -> None:
    kind, number = deed
    address = f"{PREFIX}/customers/{account.id}/submissions/{moved[number]}"
    if kind == "insert":
        await submission(account, form)
    elif kind == "edit":
        response = await account.api.put(address, json={"data": {"site": "Pier", "people": 4}})
        assert response.status_code in (200, 404), response.text
    else:
        assert (await account.api.delete(address)).status_code in (204, 404)


@FEW
@given(sent=st.lists(st.tuples(st.sampled_from("kl"), st.sampled_from(["Harbour", "Pier"])), min_size=2, max_size=8))
async def test_concurrent_requests_have_one_effect_per_idempotency_key(
    account: Account, sent: Sequence[tuple[str, str]]
) -> None:
    new_form = await form(account)
    path = f"{PREFIX}/customers/{account.id}/forms/{new_form['id']}/submissions"

    async def post(key: str, site: str) -> httpx.Response:
        headers = {"idempotency-key": f"{new_form['id']}-{key}"}
        return await account.api.post(path, json={"data": {"site": site}}, headers=headers)

    at_once = await asyncio.gather(*(post(key, site) for key, site in sent))
    later = [await post(key, site) for key, site in sent]
    done: dict[str, tuple[str, bytes]] = {}
    for (key, site), response in zip([*sent, *sent], [*at_once, *later], strict=True):
        if response.status_code == 201:
            assert done.setdefault(key, (site, response.content)) == (site, response.content)
        else:
            assert (response.status_code, response.json()["code"][:12]) == (409, "idempotency."), response.text
    assert done.keys() == {key for key, _ in sent}
    for (key, site), response in zip(sent, later, strict=True):
        assert response.status_code == (201 if done[key][0] == site else 409), "the other body is refused for good"
    assert len((await get(account, "/submissions", formId=new_form["id"]))["items"]) == len(done)


@FEW
@given(names=st.lists(st.text("abc ", min_size=1, max_size=5).filter(str.strip), min_size=2, max_size=5, unique=True))
async def test_only_one_of_concurrent_conditional_changes_succeeds(account: Account, names: list[str]) -> None:
    new_form = await form(account)
    address = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    tag = (await account.api.get(address)).headers["etag"]
    puts = (account.api.put(address, json={"name": name}, headers={"if-match": tag}) for name in names)
    answers = await asyncio.gather(*puts)
    assert sorted(response.status_code for response in answers) == [200, *([412] * (len(names) - 1))]
    [won] = [response.json() for response in answers if response.status_code == 200]
    now = (await account.api.get(address)).json()
    assert (now["name"], now["revision"]) == (won["name"], new_form["revision"] + 1)


async def test_only_one_of_concurrent_renames_to_one_name_succeeds(account: Account) -> None:
    path = f"{PREFIX}/customers/{account.id}/datasources"
    there = [(await datasource(account))["id"] for _ in range(3)]
    named = {"name": "Customers"}
    for deeds in (
        [account.api.post(path, json=body() | named) for _ in range(3)],
        [account.api.post(path, json=pulled_body() | {"name": "Pulled"}) for _ in range(3)],
        [account.api.put(f"{path}/{one}", json={"name": "Renamed"}) for one in there],
        [account.api.put(f"{path}/{one}", json={"name": "Replaced", "rows": rows(1)}) for one in there],
    ):
        answers = await asyncio.gather(*deeds)
        assert sorted(response.status_code // 100 for response in answers) == [2, 4, 4]
        assert {response.json().get("code") for response in answers} == {None, "datasource.name_taken"}


async def test_conditional_changes_of_a_data_source_do_not_deadlock(account: Account) -> None:
    for _ in range(5):
        address = f"{PREFIX}/customers/{account.id}/datasources/{(await datasource(account))['id']}"
        several = {"rows": rows(200)}
        answers = await asyncio.gather(
            *(account.api.put(f"{address}/rows", json=several, headers=headers) for headers in ({}, {"if-match": "*"})),
            *(account.api.put(address, json={"types": {}}, headers=headers) for headers in ({}, {"if-match": "*"})),
        )
        assert {response.status_code for response in answers} <= {200, 409}
