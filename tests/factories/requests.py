"""Creates and reads resources through the API."""

from typing import Any

from actors import Account

PREFIX = "/api/v1.0"


async def post(account: Account, path: str, body: object) -> dict[str, Any]:
    """Post this body and return the created resource."""
    response = await account.api.post(PREFIX + path, json=body)
    assert response.status_code == 201, response.text
    created: dict[str, Any] = response.json()
    return created


async def get(account: Account, path: str, **query: Any) -> Any:
    """Return the JSON at this path."""
    response = await account.api.get(PREFIX + path, params=query or None)
    assert response.status_code == 200, response.text
    return response.json()
