"""Serves one SCIM request with the library. Importing it takes about a second, so it is loaded by the first request."""

import re
from typing import Any, cast

import msgspec
from scim2_models import NoTargetException, SCIMException
from scim2_server.requests import ScimRequest
from scim2_server.responses import ScimResponse
from scim2_server.service import ScimService

from formwright.asgi.http_response import HttpResponse
from formwright.core.auth.actor import Actor
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, WriteTransaction
from formwright.core.offload import offload
from formwright.scim.bodies import complete_patch, complete_user
from formwright.scim.errors import MEDIA_TYPE
from formwright.scim.groups import Groups
from formwright.scim.handler import Handler
from formwright.scim.limits import check_filter, check_query, decode_body
from formwright.scim.members import MemberChange, take_member_operations, take_members
from formwright.scim.schemas import PROVIDER
from formwright.scim.storage import Storage
from formwright.scim.users import Users

_SERVICE = ScimService(PROVIDER)
_RESOURCE = re.compile(r"/(users|groups)(?:/([^/]+))?", re.IGNORECASE)


async def serve(db: Database, secret_box: SecretBox, actor: Actor, request: ScimRequest) -> HttpResponse:
    """Return the response to a request, in one transaction. Raises errors of the domain.

    `secret_box` encrypts queued mails.
    """
    try:
        check_query(dict(request.query))
        if request.method == "GET" or request.path.endswith("/.search"):
            async with db.reading() as reading:
                storage = _open_storage(cast(WriteTransaction, reading), actor, secret_box)
                if request.method == "POST":
                    _check_search(request)
                answer = await Handler(_SERVICE, storage).handle(request)
        else:
            async with db.writing() as tx:
                # Before the library reads the resource, so that nobody changes it until the commit.
                await account_lock.hold(tx, actor.customer_id)
                storage = _open_storage(tx, actor, secret_box)
                await _prepare(storage, request)
                answer = await Handler(_SERVICE, storage).handle(request)
    except SCIMException as error:
        answer = _SERVICE.error_response(error)
    return _to_response(answer)


def _open_storage(tx: WriteTransaction, actor: Actor, secret_box: SecretBox) -> Storage:
    return Storage(Users(tx, actor, secret_box), Groups(tx, actor))


def _check_search(request: ScimRequest) -> None:
    document = _read_document(request)
    if isinstance(document, dict):
        check_filter(next((text for key, text in document.items() if key.lower() == "filter"), None))


async def _prepare(storage: Storage, request: ScimRequest) -> None:
    """Check the body of a change, complete the user in it, and take the members of a group out of it."""
    resource = _RESOURCE.fullmatch(request.path)
    if resource is None or request.method == "DELETE":
        return
    document, resource_id = _read_document(request), resource[2]
    if resource[1].lower() == "users":
        document = await _complete_user(storage.users, request.method, resource_id, document)
    elif isinstance(document, dict):
        document = await _take_members(storage.groups, request.method, resource_id, document)
    request.body = msgspec.json.encode(document)


def _read_document(request: ScimRequest) -> Any:
    """Return the JSON value of the body, within the limits. The library reads what was checked, not what was sent."""
    _SERVICE.ensure_json(request.header("Content-Type"))
    return decode_body(request.body)


async def _complete_user(users: Users, method: str, user_id: str | None, document: Any) -> Any:
    if method == "PATCH":
        return complete_patch(document)
    return complete_user(document, await users.load(user_id) if user_id else None)


async def _take_members(groups: Groups, method: str, group_id: str | None, document: dict[str, Any]) -> Any:
    if method != "PATCH" or group_id is None:
        rest, groups.change = take_members(document)
        return rest
    current = (await groups.load(group_id)).member_ids
    rest, change = await offload(take_member_operations, document, list(current))
    await _check_removed(groups, change, set(current))
    groups.change = change
    return rest


async def _check_removed(groups: Groups, change: MemberChange, current: set[str]) -> None:
    """Raise `NoTargetException` if a removal names somebody who is no user, so that it could not remove anybody.

    Users who are no members any more, or were deleted, are fine: identity providers repeat removals.
    """
    if unknown := await groups.list_unknown([one for one in change.removed if one not in current]):
        names = ", ".join(one[:100] for one in unknown[:5])
        raise NoTargetException(detail=f"The account has no such users, so they could not be removed: {names}")


def _to_response(response: ScimResponse) -> HttpResponse:
    headers = {"cache-control": "private, no-store"} | {
        name: text for name, text in response.headers.items() if name.lower() != "content-type"
    }
    body = b"" if response.body is None else msgspec.json.encode(response.body)
    return HttpResponse(int(response.status), body, MEDIA_TYPE, headers)
