"""Completes what identity providers leave out of a user, because we need more than the standard requires."""

from typing import Any

import msgspec

from formwright.domain.provisioning.models import ProvisionedUser
from formwright.domain.users.models import is_email, normalise_email


def complete_user(body: bytes, current: ProvisionedUser | None) -> bytes:
    """Return the JSON of a user with a name, an address and whether they are active.

    Missing properties keep their value, or are derived from the user name. `current` is None for a new user. JSON that
    is not a user is returned unchanged, for the library to reject.
    """
    try:
        user = msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return body
    if not isinstance(user, dict):
        return body
    # Names of attributes have no case.
    keys = {key.lower(): key for key in user}

    def fill(name: str, value: Any) -> None:
        key = keys.get(name.lower(), name)
        if user.get(key) in (None, "", []) and value:
            user[key] = value

    user_name = user.get(keys.get("username", ""))
    if isinstance(user_name, str):
        fill("emails", _default_emails(user_name, current))
        fill("displayName", _default_name(user_name, user.get(keys.get("name", "")), current))
    fill("active", "True" if current is None or current.is_active else "False")
    return msgspec.json.encode(user)


def _default_emails(user_name: str, current: ProvisionedUser | None) -> list[dict[str, Any]]:
    attributes = current.attributes if current else None
    if current and attributes and current.details.user.email != normalise_email(attributes.user_name):
        return [
            {
                "value": current.details.user.email,
                "type": attributes.email_type,
                "primary": attributes.is_email_primary,
            }
        ]
    if is_email(user_name):
        return [{"value": user_name.strip(), "type": "work", "primary": True}]
    return []


def _default_name(user_name: str, name: Any, current: ProvisionedUser | None) -> str:
    composed = _compose_name(name) if isinstance(name, dict) else ""
    if composed or current is None or current.details.name == current.attributes.user_name:
        return composed or user_name
    return current.details.name


def _compose_name(name: dict[str, Any]) -> str:
    texts = {key.lower(): text.strip() for key, text in name.items() if isinstance(text, str)}
    parts = (texts.get("givenname"), texts.get("familyname"))
    return texts.get("formatted") or " ".join(part for part in parts if part)
