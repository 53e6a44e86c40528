"""The demo account: a form to fill, a person who can sign in, a key that works."""

import json
import os
import secrets
from pathlib import Path
from typing import Any

import msgspec

from formwright.core.access import actor as actors
from formwright.core.access.actor import Actor
from formwright.core.kernel.paging import Window
from formwright.core.storage.private import make_private_folder
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import AnyField, FormSettings
from formwright.domain.forms.model import Draft, Form
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import KeyEnded, Wish
from formwright.domain.people import service as people
from formwright.house import House

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


async def demo(house: House, base_url: str) -> dict[str, str]:
    """The demo account's addresses and secrets, made where they are missing; called again, the same.

    What cannot be read from the database (key, password) is kept in `demo.json` in the data folder, for its owner only.
    Beside the password stands the hash that it had then: while that is the one kept, nothing need be computed.
    """
    path = house.settings.data_dir / _FILE
    kept = _read(path)
    actor = await _account(house, kept)
    form = await _form(house, actor)
    if not await _opens(house, kept.get("apiKey", "")):
        async with house.db.writing() as tx:
            _, kept["apiKey"] = await keys.add(tx, actor, Wish(_KEY_NAME), maker_name=_NAME)
    _write(path, kept)
    return {
        "baseUrl": base_url,
        "customerId": actor.customer_id,
        "apiKey": kept["apiKey"],
        "formId": form.id,
        "fillUrl": f"{base_url}/fill/{form.link}",
        "email": EMAIL,
        "password": kept["password"],
    }


async def _account(house: House, kept: dict[str, str]) -> Actor:
    async with house.db.reading() as tx:
        found = await people.sign_ins(tx, EMAIL)
    if found and await _is_password(house, kept, found[0].password_hash):
        return actors.system(found[0].customer_id)
    kept["password"] = secrets.token_urlsafe(12)
    kept["passwordHash"] = password_hash = await house.passwords.hash(kept["password"])
    async with house.db.writing() as tx:
        if found:
            await people.set_password(tx, actors.system(found[0].customer_id), found[0].user_id, password_hash)
            return actors.system(found[0].customer_id)
        customer, _ = await people.open_account(tx, name=_NAME, email=EMAIL, password_hash=password_hash)
    return actors.system(customer.id)


async def _is_password(house: House, kept: dict[str, str], password_hash: str | None) -> bool:
    if password_hash is None or "password" not in kept:
        return False
    if kept.get("passwordHash") != password_hash and not await house.passwords.fits(kept["password"], password_hash):
        return False
    kept["passwordHash"] = password_hash
    return True


async def _form(house: House, actor: Actor) -> Form:
    async with house.db.reading() as tx:
        page = await forms.page(tx, actor, Window(1))
    if page.items:
        return page.items[0]
    fields = msgspec.convert(FIELDS, list[AnyField])
    draft = Draft("Site visit", "A short form to try Formwright with.", ["demo"], fields, FormSettings(), publish=True)
    async with house.db.writing() as tx:
        return await forms.create(tx, actor, draft)


async def _opens(house: House, text: str) -> bool:
    async with house.db.reading() as tx:
        try:
            return await keys.authenticate(tx, text, house.clock.now()) is not None
        except KeyEnded:
            return False


def _read(path: Path) -> dict[str, str]:
    try:
        kept = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return {name: str(kept[name]) for name in ("apiKey", "password", "passwordHash") if name in kept}


def _write(path: Path, kept: dict[str, str]) -> None:
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    make_private_folder(path.parent)
    with os.fdopen(os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        json.dump(kept, file)
    fresh.replace(path)
