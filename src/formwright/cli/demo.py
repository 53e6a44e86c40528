"""The demo account: a published form, a user who can sign in, and an API key."""

import asyncio
import json
import os
import secrets
from pathlib import Path
from typing import Any

import msgspec

from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.data_folder import make_private_folder
from formwright.core.pagination import Window
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import NewForm
from formwright.domain.users import service as people
from formwright.domain.users import setup
from formwright.settings import SettingsError

EMAIL = "demo@example.org"
_NAME = "Demo"
_KEY_NAME = "Demo key"
_FILE = "demo.json"

FIELDS: list[dict[str, Any]] = [
    {"type": "text", "name": "site", "label": "Site", "required": True, "maxLength": 100},
    {"type": "date", "name": "day", "label": "Day of the visit", "required": True},
    {
        "type": "choice",
        "name": "kind",
        "label": "Kind of visit",
        "required": True,
        "options": [
            {"value": "routine", "label": "Routine"},
            {"value": "complaint", "label": "After a complaint"},
            {"value": "handover", "label": "Handover"},
        ],
    },
    {"type": "integer", "name": "people", "label": "People on site", "min": 0, "max": 500},
    {"type": "decimal", "name": "temperature", "label": "Temperature", "hint": "In degrees Celsius"},
    {"type": "boolean", "name": "safe", "label": "Is the site safe?"},
    {
        "type": "choices",
        "name": "seen",
        "label": "What did you look at?",
        "options": [
            {"value": "exits", "label": "Exits"},
            {"value": "extinguishers", "label": "Fire extinguishers"},
            {"value": "first_aid", "label": "First aid"},
        ],
    },
    {"type": "rating", "name": "order", "label": "Order and cleanliness", "max": 5},
    {"type": "email", "name": "contact", "label": "E-mail of the contact on site"},
    {"type": "textarea", "name": "remarks", "label": "Remarks"},
]


class DemoUnavailable(SettingsError):
    """The installation has no demo account, and none is created because it has other accounts."""


async def create_demo(ctx: AppContext) -> None:
    """Create the demo account if the installation is empty, and write its secrets to `demo.json`.

    Everything is created in one transaction under the lock of `setup`, so several processes on one database create only
    one demo account. The file is written before the commit, because an account without a known password would be worse
    than a stale file. Only its owner can read it.
    """
    path = demo_path(ctx)
    secrets_file = {"email": EMAIL, "password": secrets.token_urlsafe(12)}
    async with ctx.db.reading() as tx:
        if await people.has_accounts(tx):
            return
    password_hash = await ctx.passwords.hash(secrets_file["password"])
    async with ctx.db.writing() as tx:
        if not await setup.lock_if_empty(tx):
            return
        customer, _ = await people.open_account(tx, name=_NAME, email=EMAIL, password_hash=password_hash)
        actor = actors.system(customer.id)
        form = await forms.create(tx, actor, _draft())
        _, secrets_file["apiKey"] = await keys.create(tx, actor, KeyProperties(_KEY_NAME), maker_name=_NAME)
        _write(path, secrets_file | {"customerId": customer.id, "formId": form.id, "fillPath": f"/fill/{form.link}"})


def demo_path(ctx: AppContext) -> Path:
    """Return the path of the file with the secrets of the demo account."""
    return ctx.settings.data_dir / _FILE


async def demo_fill_path(ctx: AppContext) -> str:
    """Return the path of the page on which the demo form is filled in."""
    return (await _load_properties(ctx))["fillPath"]


async def has_demo(ctx: AppContext) -> bool:
    """Return whether the installation has a demo account, and this data folder its secrets."""
    if not demo_path(ctx).exists():
        return False
    async with ctx.db.reading() as tx:
        return bool(await people.find_credentials(tx, EMAIL))


async def load_demo(ctx: AppContext, base_url: str) -> dict[str, str]:
    """Return the URLs and secrets of the demo account, which is created if the installation is empty.

    Raises `DemoUnavailable` if there are other accounts.
    """
    await create_demo(ctx)
    if not await has_demo(ctx):
        raise DemoUnavailable("There is already an account. The demo account is only created in an empty installation.")
    stored = await _load_properties(ctx)
    return {
        "baseUrl": base_url,
        **{name: stored.get(name, "") for name in ("customerId", "apiKey", "formId")},
        "fillUrl": f"{base_url}{stored['fillPath']}",
        "email": EMAIL,
        "password": stored.get("password", ""),
    }


async def _load_properties(ctx: AppContext) -> dict[str, str]:
    """Return the content of the file, with the properties that files of earlier versions do not contain."""
    stored = await asyncio.to_thread(_read, demo_path(ctx))
    return stored if "fillPath" in stored else stored | await _missing_properties(ctx)


async def _missing_properties(ctx: AppContext) -> dict[str, str]:
    """Return the properties that files written by earlier versions do not contain."""
    async with ctx.db.reading() as tx:
        [owner, *_] = await people.find_credentials(tx, EMAIL)
        page = await forms.page(tx, actors.system(owner.customer_id), Window(1))
    form = page.items[0] if page.items else None
    found = {"customerId": owner.customer_id, "formId": form.id if form else ""}
    return found | {"fillPath": f"/fill/{form.link}" if form else "/"}


def _draft() -> NewForm:
    fields = msgspec.convert(FIELDS, list[AnyField])
    return NewForm("Site visit", "A short form to try Formwright with.", ["demo"], fields, FormSettings(), publish=True)


def _read(path: Path) -> dict[str, str]:
    try:
        return {name: str(value) for name, value in json.loads(path.read_text()).items()}
    except (OSError, ValueError, AttributeError):
        return {}


def _write(path: Path, values: dict[str, str]) -> None:
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    make_private_folder(path.parent)
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(values, file, indent=2)
    temporary.replace(path)
