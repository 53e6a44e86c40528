"""Setting a state that a resource already has creates no revision, no event and no audit entry."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from actors import Account
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.subscribers import subscriber
from factories.users import built_in, grants, group, role, user

Asked = tuple[str, str, dict[str, Any] | None]
"""A method, a path and a body."""


async def _published(account: Account) -> Asked:
    new_form = await form(account)
    versions = f"/forms/customer/{account.id}/forms/{new_form['id']}/versions"
    return "POST", f"{versions}/{new_form['publishedVersionId']}/publish", None


async def _archived(account: Account) -> Asked:
    new_form = await form(account)
    return "PUT", f"/forms/customer/{account.id}/forms/{new_form['id']}", {"status": "ARCHIVED"}


async def _disabled_subscriber(account: Account) -> Asked:
    new_subscriber = await subscriber(account, types=["form.*"])
    return "PUT", f"/webhooks/customer/{account.id}/subscribers/{new_subscriber['id']}", {"status": "DISABLED"}


async def _approved(account: Account) -> Asked:
    new_submission = await submission(account, await form(account))
    return "PUT", f"/customers/{account.id}/submissions/{new_submission['id']}", {"status": "APPROVED"}


async def _granted(account: Account) -> Asked:
    someone = await user(account)
    given = grants(await built_in(account, "Data viewer"), account=account.id)
    return "PUT", f"/customers/{account.id}/users/{someone.id}", {"grants": given}


async def _disabled_user(account: Account) -> Asked:
    return "PUT", f"/customers/{account.id}/users/{(await user(account)).id}", {"status": "DISABLED"}


async def _in_group(account: Account) -> Asked:
    new_group = await group(account)
    return "PUT", f"/customers/{account.id}/groups/{new_group['id']}", {"members": [(await user(account)).id]}


async def _permitted(account: Account) -> Asked:
    new_role = await role(account)
    return "PUT", f"/customers/{account.id}/roles/{new_role['id']}", {"permissions": ["forms:read", "forms:edit"]}


ASKED = [
    _published,
    _archived,
    _disabled_subscriber,
    _approved,
    _granted,
    _disabled_user,
    _in_group,
    _permitted,
]


@pytest.mark.parametrize("prepare", ASKED, ids=lambda one: one.__name__.strip("_"))
async def test_setting_the_same_state_again_changes_nothing(
    account: Account, prepare: Callable[[Account], Awaitable[Asked]]
) -> None:
    method, path, body = await prepare(account)
    first = await account.api.request(method, PREFIX + path, json=body)
    assert first.is_success, first.text
    before = await _written(account)
    again = await account.api.request(method, PREFIX + path, json=body)
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert await _written(account) == before


async def _written(account: Account) -> tuple[list[Any], list[Any]]:
    events = await get(account, f"/webhooks/customer/{account.id}/events?limit=200")
    audit = await get(account, f"/customers/{account.id}/audit?limit=200")
    return events["items"], audit["items"]
