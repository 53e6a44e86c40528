"""Who reaches what: every operation, with every id of another account, for every caller.

Generated from the router. A new operation is covered as soon as it has an example in
`tests/factories/sample_account.py`.
"""

import io
import json
import re
import zipfile
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

import msgspec
import pytest
from actors import Account
from factories.bodies import Steps, places, with_value
from factories.pagination import items_of
from factories.sample_account import BY_NAME, EXAMPLES, World, call, example, path, unchanged
from fixtures.one_database import ONE_DATABASE

from formwright.api.binary_bodies import is_file
from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.api.v1_0.schemas.forms import FormCreate
from formwright.core import crypto
from formwright.core.auth.permissions import ALL_PERMISSIONS, Permission
from formwright.core.errors import pointer
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import PREFIX, KeyLimits, KeyProperties

ID = re.compile(r"[a-z]{3,4}_[0-7][0-9a-hjkmnp-tv-z]{25}")
PATTERN = re.compile(r"\^([a-z]{3,4})_\[")

BY_PARAMETER = [(operation.name, name) for operation in OPERATIONS for name in operation.parameters]
TURNS = [(*one, place % 4) for place, one in enumerate(BY_PARAMETER)]
"""For long lists of bad values: each parameter is tried with a fourth of them."""
UNSTORABLE = ["\0", "a\0b", "\ud800"]
"""Texts that PostgreSQL rejects as parameters, so they must not reach it."""
GARBAGE = [*UNSTORABLE, "a/b", "🎉", "x" * 1000, "%", "%00", " ", "'", "*", "null", "\n", "-1"]
KINDS = {
    "cus": "customerId",
    "usr": "userId",
    "grp": "groupId",
    "rol": "roleId",
    "frm": "formId",
    "ver": "versionId",
    "sub": "submissionId",
    "fil": "fileId",
    "imp": "importId",
    "dat": "datasourceId",
    "tsk": "taskId",
    "ivt": "inviteId",
    "hook": "subscriberId",
    "inv": "invocationId",
    "evt": "eventId",
    "view": "viewId",
    "exp": "exportId",
    "run": "runId",
    "fol": "folderId",
    "tpl": "templateId",
    "blk": "blockId",
}


ASKING = {"validateFormVersion", "reconcileSubmissions"}
"""Operations that have a body but change nothing."""


@dataclass(frozen=True, slots=True)
class TwoAccounts:
    """Two accounts, each with one of everything."""

    here: World
    there: World

    def assert_unchanged(self, operation: Operation) -> AbstractAsyncContextManager[None]:
        """Assert that the block changes neither account, unless the operation only reads."""
        return unchanged(operation, self.here, self.there)


@pytest.fixture
def two(standing: World, elsewhere: World) -> TwoAccounts:
    return TwoAccounts(standing, elsewhere)


def test_every_operation_has_an_example() -> None:
    for operation in OPERATIONS:
        example(operation)


def test_no_example_outlives_its_operation() -> None:
    assert EXAMPLES.keys() - BY_NAME.keys() == set()


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.body and not is_file(o.body)], ids=lambda o: o.name)
async def test_the_examples_contain_every_kind_of_id_that_a_body_accepts(standing: World, operation: Operation) -> None:
    body = example(operation).body
    assert body
    taken = set(PATTERN.findall(json.dumps(msgspec.json.schema(operation.documented_body))))
    # A reference to a question block outlives the block, so any id is accepted: tests/api/test_question_blocks.py.
    taken -= {"blk"}
    named = {value.partition("_")[0] for _, value in _ids_in(body(standing))}
    if operation.body is FormCreate:
        taken -= {
            "tpl"
        }  # A form is created from fields or from a template; tests/api/test_templates.py covers the other way.
    if operation.name in ("addUserGrant", "addGroupGrant"):
        taken -= {"cus", "fol"}  # A single grant is for one resource.
    assert named == taken, f"the example of {operation.name} in tests/factories/sample_account.py leaves an id out"


@pytest.mark.parametrize(("name", "parameter"), BY_PARAMETER)
async def test_an_id_of_another_account_in_the_path_is_answered_like_an_unknown_id(
    two: TwoAccounts, name: str, parameter: str
) -> None:
    never = two.there.ids[parameter][:-6] + "000000"
    async with two.assert_unchanged(BY_NAME[name]):
        foreign = await call(BY_NAME[name], two.here, **{parameter: two.there.ids[parameter]})
        unknown = await call(BY_NAME[name], two.here, **{parameter: never})
    assert foreign.status_code == 404, foreign.text
    assert foreign.json()["code"].endswith(".not_found")
    assert _without_request_id(foreign.json()) == _without_request_id(unknown.json())


@ONE_DATABASE
@pytest.mark.parametrize(("name", "parameter", "turn"), TURNS)
async def test_an_id_of_another_kind_is_not_found(standing: World, name: str, parameter: str, turn: int) -> None:
    async with unchanged(BY_NAME[name], standing):
        for other in sorted(standing.ids.keys() - {parameter})[turn::4]:
            response = await call(BY_NAME[name], standing, **{parameter: standing.ids[other]})
            assert response.status_code == 404, f"{other}: {response.text}"


@pytest.mark.parametrize(("name", "parameter", "turn"), TURNS)
async def test_a_malformed_id_is_not_found(standing: World, name: str, parameter: str, turn: int) -> None:
    known = standing.ids[parameter]
    texts = [*GARBAGE, known + "\n", known.upper(), known + "0"]
    if standing.account.ctx.settings.is_postgres:
        texts = UNSTORABLE  # The API rejects the others before it uses the database.
    async with unchanged(BY_NAME[name], standing):
        for garbage in texts[turn % len(texts) :: 4]:
            response = await call(BY_NAME[name], standing, **{parameter: _sendable(garbage)})
            # A slash, even percent-encoded, would change the path.
            assert response.status_code in ((404, 405) if "/" in garbage else (404,)), (
                f"{garbage[:40]!r}: {response.text}"
            )
            assert response.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("operation", [o for o in OPERATIONS if o.body and not is_file(o.body)], ids=lambda o: o.name)
async def test_an_id_of_another_account_in_the_body_is_refused(two: TwoAccounts, operation: Operation) -> None:
    body = example(operation).body
    assert body
    whole = body(two.here)
    async with two.assert_unchanged(operation):
        for steps, value in _ids_in(whole):
            response = await call(operation, two.here, body=with_value(whole, steps, _same_kind(two.there, value)))
            if operation.name == "reconcileSubmissions" and steps[0] == "submissions":
                assert response.json()["deleted"] == [two.there.ids["submissionId"]], "as one that never was"
            elif response.status_code == 422 or operation.name == "validateFormVersion":
                assert pointer(*steps) in {fault["pointer"] for fault in response.json()["errors"]}
            else:
                assert (response.status_code, len(steps)) == (404, 1), f"{pointer(*steps)}: {response.text}"


@pytest.mark.parametrize(
    ("name", "member", "prefix"),
    [
        (o.name, field.encode_name, found[0])
        for o in OPERATIONS
        if o.query
        for field in msgspec.structs.fields(o.query)
        if (found := PATTERN.findall(json.dumps(msgspec.json.schema(field.type))))
    ],
)
async def test_an_id_of_another_account_in_the_query_finds_nothing(
    two: TwoAccounts, name: str, member: str, prefix: str
) -> None:
    others = [(key, value) for key, value in example(BY_NAME[name]).query(two.here) if key != member]
    query = [*(others if BY_NAME[name].method != "GET" else ()), (member, two.there.ids[KINDS[prefix]])]
    response = await call(BY_NAME[name], two.here, query=query)
    if member == "view":
        assert (response.status_code, response.json()["code"]) == (404, "view.not_found")
    elif "limit" in {field.encode_name for field in msgspec.structs.fields(BY_NAME[name].query)}:
        assert response.status_code == 200, response.text
        assert (items_of(response.json()), response.json()["next"]) == ([], None)
    elif name == "getFormSummary":
        assert (response.status_code, response.json()["submissions"]) == (200, 0)
    elif name == "downloadSubmissionFiles":
        assert (response.status_code, zipfile.ZipFile(io.BytesIO(response.content)).namelist()) == (200, [])
    elif name in ("removeUserGrant", "removeGroupGrant"):
        holder = await two.here.account.api.get(path(BY_NAME[name], two.here.ids).removesuffix("/grants"))
        assert (response.status_code, response.json()) == (200, holder.json())
    else:
        assert response.status_code in (404, 422), response.text


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
async def test_invalid_keys_open_nothing(standing: World, operation: Operation) -> None:
    shut = await _shut(standing.account)
    async with unchanged(operation, standing):
        for key, code in [(None, "key.missing"), ("", "key.missing"), *[(k, "key.unknown") for k in shut]]:
            async with standing.account.stage.client(**({} if key is None else {"x-api-key": key})) as nobody:
                response = await call(operation, standing, client=nobody)
            assert (response.status_code, response.json()["code"]) == (401, code), response.text


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
async def test_another_accounts_key_finds_nothing(two: TwoAccounts, operation: Operation) -> None:
    async with unchanged(operation, two.here):
        response = await call(operation, two.here, client=two.there.account.api)
    if operation.parameters:
        assert response.status_code == 404, response.text
    elif response.is_success:
        assert _shows_only(two.there, response.json())
    else:
        assert response.status_code in (404, 422), response.text


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
async def test_a_read_only_key_reads_everything_and_changes_nothing(two: TwoAccounts, operation: Operation) -> None:
    account = two.here.account
    async with account.ctx.db.writing() as tx:
        key, text = await keys.create(tx, account.actor, KeyProperties("BI", read_only=True), maker_name="Test")
    async with unchanged(operation, two.here), account.stage.client(**{"x-api-key": text}) as reader:
        response = await call(operation, two.here, client=reader)
        if operation.method == "GET" or operation.name in ASKING:
            assert response.status_code == operation.status, response.text
        else:
            assert (response.status_code, response.json()["code"]) == (403, "key.read_only")
            if "customerId" in operation.parameters:
                foreign = await call(operation, two.here, client=reader, customerId=two.there.ids["customerId"])
                assert foreign.status_code == 404
    async with account.ctx.db.writing() as tx:
        await keys.revoke(tx, account.actor, key_id=key.id)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda o: o.name)
async def test_a_limited_key_lacks_exactly_what_it_is_not_given(two: TwoAccounts, operation: Operation) -> None:
    account = two.here.account
    limits = KeyLimits(ALL_PERMISSIONS - {operation.permission})
    async with account.ctx.db.writing() as tx:
        key, text = await keys.create(tx, account.actor, KeyProperties("Limited", limits=limits), maker_name="Test")
    async with unchanged(operation, two.here), account.stage.client(**{"x-api-key": text}) as client:
        response = await call(operation, two.here, client=client)
        if operation.permission is Permission.CUSTOMER_READ:
            assert response.status_code == operation.status, "every key may read its account"
        else:
            assert (response.status_code, response.json()["code"]) == (403, "access.denied")
            assert operation.permission.value in response.json()["detail"]
        if "customerId" in operation.parameters:
            foreign = await call(operation, two.here, client=client, customerId=two.there.ids["customerId"])
            assert foreign.status_code == 404
    async with account.ctx.db.writing() as tx:
        await keys.revoke(tx, account.actor, key_id=key.id)


async def _shut(account: Account) -> list[str]:
    """Return keys that are invalid: unknown, malformed, or revoked."""
    async with account.ctx.db.writing() as tx:
        key, revoked = await keys.create(tx, account.actor, KeyProperties("Old"), maker_name="Test")
    async with account.ctx.db.writing() as tx:
        await keys.revoke(tx, account.actor, key_id=key.id)
    own = account.key
    return [crypto.new_secret(PREFIX), "x", own[:-1], own + "0", own.swapcase(), "' OR 1=1 --", revoked]


def _ids_in(body: Any) -> list[tuple[Steps, str]]:
    """Return every id in a body, and the path to it."""
    return [(steps, value) for steps, value in places(body) if isinstance(value, str) and ID.fullmatch(value)]


def _same_kind(there: World, own: str) -> str:
    return there.ids[KINDS[own.partition("_")[0]]]


def _sendable(text: str) -> str:
    """Lone surrogates cannot be percent-encoded; careless clients send the bytes of such text, decoded."""
    return text.encode("utf-8", "surrogatepass").decode("latin-1") if "\ud800" in text else text


def _shows_only(owner: World, body: Any) -> bool:
    shown = [body, *body.get("items", [])]
    return {item["customerId"] for item in shown if "customerId" in item} <= {owner.account.id}


def _without_request_id(problem: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in problem.items() if name != "requestId"}
