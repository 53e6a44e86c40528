"""Forms."""

from typing import Any

from actors import Account

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "required": True},
    {"type": "integer", "name": "people", "label": "People", "min": 0, "max": 500},
    {
        "type": "choice",
        "name": "kind",
        "label": "Kind",
        "options": [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}],
    },
    {"type": "date", "name": "day", "label": "Day"},
]


def bundle(**members: Any) -> dict[str, Any]:
    """Return an exported form without lookups."""
    about = {"format": "formwright-form", "version": 1, "name": "Visit", "settings": {"language": "en"}}
    return about | {"fields": FIELDS} | members


async def form(account: Account, *, publish: bool = True, **members: Any) -> dict[str, Any]:
    """Create a form through the API, and publish it unless `publish` is false."""
    body = {"name": "Visit", "fields": FIELDS, "publish": publish} | members
    response = await account.api.post("/api/v1.0/forms", json=body)
    assert response.status_code == 201, response.text
    form: dict[str, Any] = response.json()
    return form
