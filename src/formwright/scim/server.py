"""Serves one SCIM request with the library. Importing it takes about a second, so it is loaded by the first request."""

import re
from typing import Any, cast

import msgspec
from litestar.response import Response
from scim2_models import SCIMException
from scim2_server.handler import AsyncScimHandler
from scim2_server.requests import ScimRequest
from scim2_server.responses import ScimResponse
from scim2_server.service import ScimService

from formwright.core.auth.actor import Actor
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, WriteTransaction
from formwright.scim.bodies import complete_patch, complete_user
from formwright.scim.errors import MEDIA_TYPE
from formwright.scim.groups import Groups
from formwright.scim.schemas import PROVIDER
from formwright.scim.storage import Storage
from formwright.scim.users import Users

_SERVICE = ScimService(PROVIDER)
_ONE_USER = re.compile(r"/users/([^/]+)", re.IGNORECASE)


async def serve(db: Database, secret_box: SecretBox, actor: Actor, request: ScimRequest) -> Response[bytes]:
    """Return the response to a request, in one transaction. Raises errors of the domain.

    `secret_box` encrypts queued mails.
    """
    try:
        if request.method == "GET" or request.path.endswith("/.search"):
            async with db.reading() as reading:
                storage = _open_storage(cast(WriteTransaction, reading), actor, secret_box)
                answer = await AsyncScimHandler(_SERVICE, storage).handle(request)
        else:
            async with db.writing() as tx:
                # Before the library reads the resource, so that nobody changes it until the commit.
                await account_lock.hold(tx, actor.customer_id)
                storage = _open_storage(tx, actor, secret_box)
                await _complete(storage.users, request)
                answer = await AsyncScimHandler(_SERVICE, storage).handle(request)
    except SCIMException as error:
        answer = _SERVICE.error_response(error)
    return _to_response(answer)


def _open_storage(tx: WriteTransaction, actor: Actor, secret_box: SecretBox) -> Storage:
    return Storage(Users(tx, actor, secret_box), Groups(tx, actor))


async def _complete(users: Users, request: ScimRequest) -> None:
    """Complete the user in the body of a request that creates or changes one."""
    user_id = _ONE_USER.fullmatch(request.path)
    if request.method == "POST" and request.path.lower() == "/users":
        request.body = complete_user(request.body, None)
    elif request.method == "PATCH" and user_id:
        request.body = complete_patch(request.body)
    elif request.method == "PUT" and user_id:
        request.body = complete_user(request.body, await users.load(user_id[1]))


def _to_response(answer: ScimResponse) -> Response[Any]:
    headers = {"cache-control": "private, no-store"} | {
        name: text for name, text in answer.headers.items() if name.lower() != "content-type"
    }
    body = b"" if answer.body is None else msgspec.json.encode(answer.body)
    return Response(body, status_code=int(answer.status), media_type=MEDIA_TYPE, headers=headers)
