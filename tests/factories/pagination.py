"""Reads lists like integrations do: page by page, following `next`."""

from collections.abc import Awaitable, Callable
from typing import Any

from actors import Account

from factories.requests import PREFIX

Make = Callable[[], Awaitable[object]]


def items_of(page: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the items of a page of a list, which GeoJSON calls features."""
    found: list[dict[str, Any]] = page["features" if page.get("type") == "FeatureCollection" else "items"]
    return found


async def pages(account: Account, address: str, between: Make | None = None) -> list[list[dict[str, Any]]]:
    """Return every page from this URL on; `between` runs before each next page is read."""
    found, following = [], PREFIX + address
    while following and len(found) < 200:
        response = await account.api.get(following)
        assert response.status_code == 200, response.text
        found.append(items_of(response.json()))
        following = response.json()["next"]
        if following:
            assert following.startswith("https://forms.test/api/v1.0/")
            if between:
                await between()
    return found


def ids(found: list[list[dict[str, Any]]]) -> list[str]:
    return [item["id"] for page in found for item in page]
