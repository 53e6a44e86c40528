"""What each actor can reach: every operation for every actor, generated from the router.

The API's only callers are keys. Here, each operation is called with limited keys and as users, to check that it
requires the permission that it declares, and that lists and single resources show the same part of the account.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field, replace
from typing import Any

import httpx
import pytest
import pytest_asyncio
from actors import Account
from factories.pagination import items_of
from factories.requests import post
from factories.sample_account import BY_NAME, World, call, deletions_last, example, state, world
from factories.users import built_in, member
from fixtures.one_database import ONE_DATABASE

from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.core.auth.actor import Actor, ResourceType
from formwright.core.auth.permissions import ACCOUNT_WIDE_PERMISSIONS, BUILT_IN_ROLES, FORM_PERMISSIONS
from formwright.domain.api_keys import authentication
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.authentication import Credential
from formwright.domain.api_keys.models import KeyLimits, KeyProperties
from formwright.domain.users.models import Grant

ROLES = list(BUILT_IN_ROLES)
PARTIAL = ["in a folder", "of a form", "key in a folder", "key of a form"]
OF_NO_FORM = {
    f"{verb}{noun}" for verb in ("create", "update", "delete", "restore") for noun in ("Template", "QuestionBlock")
}
"""Operations that need their permission for the whole account, because the resource is in no folder."""
OF_FOLDERS = {o.name for o in OPERATIONS if o.tag == "Folders" and o.name != "listFolders"} | {
    "createForm",
    "createCustomerForm",
    "copyForm",
    "upsertForm",
    "importFormBundle",
    "updateForm",
    "restoreForm",
    "createView",
    "updateView",
}
"""Operations whose examples create, move or read something in folders."""
_OF_FILLERS: dict[str, Callable[[World], dict[str, Any]]] = {
    "createSubmission": lambda world: {"data": {"site": "A"}},
    "changeSubmissions": lambda world: {
        "items": [{"op": "create", "formId": world.ids["formId"], "data": {"site": "A"}}]
    },
}
"""Bodies without what fillers lack a permission for, such as naming the user who filled in the form."""
_IN_FORMS = {
    "formId",
    "submissionId",
    "fileId",
    "importId",
    "taskId",
    "inviteId",
    "folderId",
    "viewId",
    "exportId",
    "runId",
}
"""Parameters that name a form, or something in a form or a folder."""
ORDER = sorted(OPERATIONS, key=deletions_last)


@dataclass(slots=True)
class Cast:
    """Two worlds in one account, of which members with a partial grant reach the first, and the current actor."""

    account: Account
    inside: World
    outside: World
    members: dict[str, Actor]
    http: httpx.AsyncClient
    """A client without validation: keys are never refused the way users are."""
    keys: dict[str, httpx.AsyncClient]
    """Clients with the limited keys, by the name of the member."""
    acting: list[Actor] = field(default_factory=list)

    async def call(self, name: str, operation: Operation, here: World, **more: Any) -> Any:
        """Call the operation as the current actor."""
        self.acting[:] = [] if name in self.keys else [self.members[name]]
        return await call(operation, here, client=self.keys.get(name, self.http), **more)

    async def state(self) -> dict[str, Any]:
        """Return everything in the account, as its key sees it."""
        self.acting.clear()
        return await state(self.account)


@pytest_asyncio.fixture
async def cast(account: Account, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Cast]:
    """The owner and each other role for the account, managers of a folder and of a form, a guest, and limited keys."""
    mine = await post(account, f"/forms/customer/{account.id}/folders", {"name": "Mine"})
    inside, outside = await world(account, mine["id"]), await world(account)
    members = {name: await _member(account, name, ResourceType.ACCOUNT, account.id) for name in ROLES}
    members["in a folder"] = await _member(account, "Form manager", ResourceType.FOLDER, mine["id"])
    members["of a form"] = await _member(account, "Form manager", ResourceType.FORM, inside.ids["formId"])
    members["guest"] = await member(account)
    manager = BUILT_IN_ROLES["Form manager"]
    effective = manager & (FORM_PERMISSIONS | ACCOUNT_WIDE_PERMISSIONS)
    limits = {
        "key": KeyLimits(manager),
        "key in a folder": KeyLimits(effective, folder_ids=(mine["id"],)),
        "key of a form": KeyLimits(effective, form_ids=(inside.ids["formId"],)),
    }
    texts = {name: await _key(account, one) for name, one in limits.items()}
    async with account.ctx.db.reading() as tx:
        for name, text in texts.items():
            members[name] = (await authentication.look_up(tx, text, account.ctx.clock.now())).actor
    look_up, recognise = authentication.look_up, authentication.recognise

    def acting(credential: Credential | None) -> Credential | None:
        return replace(credential, actor=new_cast.acting[0]) if new_cast.acting and credential else credential

    async def look_up_acting(*args: Any) -> Credential | None:
        return acting(await look_up(*args))

    monkeypatch.setattr(authentication, "look_up", look_up_acting)
    monkeypatch.setattr(authentication, "recognise", lambda *args: acting(recognise(*args)))
    async with AsyncExitStack() as stack:

        async def client(key: str) -> httpx.AsyncClient:
            return await stack.enter_async_context(account.stage.client(**{"x-api-key": key}))

        clients = {name: await client(text) for name, text in texts.items()}
        new_cast = Cast(account, inside, outside, members, await client(account.key), clients)
        yield new_cast


async def _key(account: Account, limits: KeyLimits) -> str:
    async with account.ctx.db.writing() as tx:
        return (await keys.create(tx, account.actor, KeyProperties("Limited", limits=limits), maker_name="Test"))[1]


async def _member(account: Account, role: str, type_: ResourceType, id_: str) -> Actor:
    return await member(account, Grant(await built_in(account, role), type_, id_), name=role.replace(" ", ""))


def _parts(cast: Cast) -> Iterator[tuple[str, Actor]]:
    return ((name, actor) for name, actor in cast.members.items() if actor.parts)


async def _own_ids(cast: Cast, name: str, operation: Operation, here: World) -> dict[str, str]:
    """Create what the operation only accepts from its author: a comment. Returns its id."""
    if operation.name != "deleteSubmissionComment":
        return {}
    created = await cast.call(name, BY_NAME["createSubmissionComment"], here, body={"body": "Mine"})
    return {"commentId": created.json()["id"]}


@ONE_DATABASE
async def test_without_the_permission_an_operation_is_refused_and_changes_nothing(cast: Cast) -> None:
    before = await cast.state()
    for operation in ORDER:
        for name, actor in cast.members.items():
            if operation.permission not in actor.permissions:
                response = await cast.call(name, operation, cast.inside)
                assert response.status_code == 403, f"{name}, {operation.name}: {response.text}"
                assert response.json()["code"] in ("access.denied", "key.read_only")
    assert await cast.state() == before


@ONE_DATABASE
async def test_a_permission_for_the_account_applies_everywhere(cast: Cast) -> None:
    folders = f"/forms/customer/{cast.account.id}/folders"
    for name in [*ROLES, "key"]:
        cast.acting.clear()
        here = await world(cast.account, (await post(cast.account, folders, {"name": name}))["id"])
        for operation in ORDER:
            if operation.permission in cast.members[name].permissions:
                plain = _OF_FILLERS.get(operation.name) if name == "Filler" else None
                own = await _own_ids(cast, name, operation, here)
                response = await cast.call(name, operation, here, **({"body": plain(here)} if plain else {}), **own)
                assert response.status_code == operation.status, f"{name}, {operation.name}: {response.text}"


async def test_resources_outside_a_partial_grant_do_not_exist(cast: Cast) -> None:
    before = await cast.state()
    for name, actor in _parts(cast):
        for operation in ORDER:
            if operation.permission not in actor.parts:
                continue
            response = await cast.call(name, operation, cast.outside)
            where = f"{name}, {operation.name}: {response.text}"
            if operation.name in OF_NO_FORM:
                assert response.status_code == 403, where
            elif set(operation.parameters) & _IN_FORMS:
                assert (response.status_code, response.json()["code"].rpartition(".")[2]) == (404, "not_found"), where
            elif operation.method != "GET":
                assert response.status_code in (404, 422), where
            else:
                assert response.status_code == 200, where
    assert await cast.state() == before


@pytest.mark.parametrize("name", PARTIAL)
async def test_a_partial_grant_covers_everything_inside_it(cast: Cast, name: str) -> None:
    without = OF_NO_FORM | {"importForm"} | (OF_FOLDERS if name.endswith("of a form") else set())
    for operation in ORDER:
        if operation.permission in cast.members[name].parts and operation.name not in without:
            own = await _own_ids(cast, name, operation, cast.inside)
            response = await cast.call(name, operation, cast.inside, **own)
            assert response.status_code == operation.status, f"{operation.name}: {response.text}"


async def test_a_partial_grant_creates_nothing_outside_folders(cast: Cast) -> None:
    for name, body in [("createForm", {"folderId": None}), ("createFolder", {"parentId": None})]:
        sample_body = example(BY_NAME[name]).body
        assert sample_body
        for member_name in PARTIAL:
            response = await cast.call(member_name, BY_NAME[name], cast.inside, body=sample_body(cast.inside) | body)
            assert [fault["code"] for fault in response.json()["errors"]] == ["folder.required"]
    response = await cast.call("in a folder", BY_NAME["updateForm"], cast.inside, body={"folderId": None})
    assert response.json()["errors"][0]["code"] == "folder.required"
    kept = await cast.call("of a form", BY_NAME["updateForm"], cast.inside, body={"name": "Other"})
    assert (kept.status_code, kept.json()["name"]) == (200, "Other")


async def test_lists_match_single_resources(cast: Cast) -> None:
    foreign = {cast.outside.ids["formId"], cast.outside.ids["folderId"], cast.outside.parent}
    for name in PARTIAL:
        has_folder = name.endswith("in a folder")
        hers = {cast.inside.ids["formId"], *({cast.inside.ids["folderId"]} if has_folder else ())}
        for list_, own in (
            ("listForms", "id"),
            ("listFolders", "id"),
            ("listSubmissions", "formId"),
            ("listSubmissionFeatures", "_form_id"),
            ("listTasks", "formId"),
        ):
            response = await cast.call(name, BY_NAME[list_], cast.inside, query=[("limit", "1000")])
            shown = {item.get("properties", item)[own] for item in items_of(response.json())}
            assert shown & foreign == set(), (name, list_)
            assert bool(shown & hers) == (list_ != "listFolders" or has_folder), (name, list_)
        listed = await cast.call(name, BY_NAME["listSubmissions"], cast.inside, query=[("limit", "1000")])
        counted = await cast.call(name, BY_NAME["getFormSummary"], cast.inside, query=[])
        own_items = [one for one in listed.json()["items"] if one["formId"] == cast.inside.ids["formId"]]
        assert counted.json()["submissions"] == len(own_items) > 0, name
