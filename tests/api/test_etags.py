"""ETags: unchanged resources are not sent again, and concurrent changes are not overwritten."""

import asyncio
from pathlib import Path

import pytest
from actors import Account
from factories.requests import PREFIX
from factories.sample_account import BY_NAME, call, example, path, state, world

from formwright.api.etags import matches
from formwright.api.v1_0.operations import OPERATIONS

CHANGING = [one for one in OPERATIONS if one.method in ("PUT", "DELETE") and one.getter]


def test_every_put_and_delete_supports_if_match_except_the_documented_one() -> None:
    wanted = [one.path for one in OPERATIONS if one.method in ("PUT", "DELETE") and not one.getter]
    # Operations on a single row, grant, member or media file, and deleting the logo: no representation with an ETag.
    parts = {"rows", "grants", "{userId}", "logo", "{mediaId}"}
    assert {path.rpartition("/")[2] for path in wanted} == {"tasks", "by-external-id"} | parts
    page = (Path(__file__).parents[2] / "docs/reference/conventions.md").read_text(encoding="utf-8")
    assert "`PUT /tasks` and `PUT …/by-external-id`" in page


async def test_if_none_match_returns_304(account: Account) -> None:
    here = await world(account)
    for operation in [one for one in OPERATIONS if one.method == "GET" and one.has_etag]:
        first = await call(operation, here)
        tag = first.headers["etag"]
        for header in (tag, f"W/{tag}", f'"other", {tag}', "*"):
            again = await call(operation, here, headers={"if-none-match": header})
            assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag), operation.name
        assert (await call(operation, here, headers={"if-none-match": '"other"'})).content == first.content


async def test_an_outdated_if_match_changes_nothing(account: Account) -> None:
    here = await world(account)
    for operation in CHANGING:
        assert operation.getter
        address = path(operation.getter, here.ids | example(operation).ids(here))
        tag, before = (await account.api.get(address)).headers["etag"], await state(account)
        for header in ('"other"', f"W/{tag}", "", "nonsense"):
            refused = await call(operation, here, headers={"if-match": header})
            assert (refused.status_code, refused.json()["code"]) == (412, "precondition.failed"), operation.name
        assert await state(account) == before
        if operation.method == "DELETE":
            continue
        done = await call(operation, here, headers={"if-match": f'"other", {tag}'})
        assert done.status_code == operation.status, done.text
        now = (await account.api.get(address)).headers["etag"]
        assert not operation.has_etag or done.headers["etag"] == now, operation.name


async def test_one_of_two_concurrent_conditional_changes_fails(account: Account) -> None:
    here = await world(account)
    # A comment is deleted before its submission.
    order = sorted(CHANGING, key=lambda one: (one.method == "DELETE", one.name != "deleteSubmissionComment"))
    for operation in order:
        assert operation.getter
        address = path(operation.getter, here.ids | example(operation).ids(here))
        tag = (await account.api.get(address)).headers["etag"]
        answers = await asyncio.gather(*(call(operation, here, headers={"if-match": tag}) for _ in range(2)))
        first, late = sorted(response.status_code for response in answers)
        assert first == operation.status, operation.name
        assert late == 412 or (late == 404 and operation.method == "DELETE"), operation.name


async def test_head_is_get_without_the_body(account: Account) -> None:
    here = await world(account)
    for address in (path(BY_NAME["getForm"], here.ids), f"{PREFIX}/submissions", "/sign-in"):
        whole, head = await account.api.get(address), await account.api.head(address)
        assert (head.status_code, head.content) == (whole.status_code, b"")
        for name in ("etag", "content-type", "content-length"):
            assert head.headers.get(name) == whole.headers.get(name)
    assert (await account.api.head(f"{PREFIX}/forms")).status_code == 405


@pytest.mark.parametrize(
    ("header", "strongly", "weakly"),
    [
        ('"a"', True, True),
        (' "b" ,"a"', True, True),
        ('W/"a"', False, True),
        ("*", True, True),
        ("a", False, False),
        ('"a', False, False),
        ('"A"', False, False),
        ("", False, False),
        ('"a,"', False, False),
        ('"b" "a"', False, False),
        ('"a.1"', True, False),
        ('"b.a"', False, False),
    ],
)
def test_lists_of_etags_follow_rfc_9110(header: str, strongly: bool, weakly: bool) -> None:
    assert (matches(header, '"a"'), matches(header, '"a"', weakly=True)) == (strongly, weakly)
