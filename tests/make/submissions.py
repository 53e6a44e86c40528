"""Submissions."""

from typing import Any

from cast import Account


async def submission(account: Account, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """A submission handed in over the API."""
    body = {"data": {"site": "Harbour", "people": 3}} | members
    path = f"/api/v1.0/customers/{account.id}/forms/{form['id']}/submissions"
    answer = await account.api.post(path, json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made
