"""Creates and reads resources through the API."""

from typing import Any

from actors import Account

PREFIX = "/api/v1.0"


async def post(account: Account, path: str, body: object) -> dict[str, Any]:
    """Post this body and return the created resource."""
    answer = await account.api.post(PREFIX + path, json=body)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def get(account: Account, path: str, **query: Any) -> Any:
    """Return the JSON at this path."""
    answer = await account.api.get(PREFIX + path, params=query or None)
    assert answer.status_code == 200, answer.text
    return answer.json()
