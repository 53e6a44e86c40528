"""Completes what identity providers leave out of a user, because we need more than the standard requires."""

from typing import Any

from formwright.domain.provisioning.models import ProvisionedUser
from formwright.domain.users.models import is_email, normalise_email

ENTERPRISE = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:user"
"""The schema of the extension, in lower case."""


def complete_user(user: Any, current: ProvisionedUser | None) -> Any:
    """Return the JSON of a user with a name, an address and whether they are active.

    Missing properties keep their value, or are derived from the user name. `current` is None for a new user. JSON that
    is not a user is returned unchanged, for the library to reject.
    """
    if not isinstance(user, dict):
        return user
    user = _wrap_manager(user)
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
    return user


def complete_patch(patch: Any) -> Any:
    """Return the JSON of a PATCH of a user, in which a manager is an object. Other JSON is returned unchanged."""
    if not isinstance(patch, dict):
        return patch
    return {key: _wrap_operations(value) for key, value in patch.items()}


def _wrap_operations(operations: Any) -> Any:
    if not isinstance(operations, list):
        return operations
    wrapped = []
    for one in operations:
        operation = one
        if isinstance(one, dict):
            path = next((text for key, text in one.items() if key.lower() == "path"), None)
            is_manager = isinstance(path, str) and _is_manager(path)
            operation = {
                key: _wrap_text(value) if is_manager and key.lower() == "value" else _wrap_manager(value)
                for key, value in one.items()
            }
        wrapped.append(operation)
    return wrapped


def _wrap_manager(value: Any) -> Any:
    """Return a JSON value in which managers are objects: Microsoft Entra ID sends the id of the manager alone."""
    if not isinstance(value, dict):
        return value
    return {key: _wrap_text(inner) if _is_manager(key) else _wrap_manager(inner) for key, inner in value.items()}


def _is_manager(name: str) -> bool:
    return name.lower() in ("manager", f"{ENTERPRISE}:manager")


def _wrap_text(value: Any) -> Any:
    return {"value": value} if isinstance(value, str) else value


def _default_emails(user_name: str, current: ProvisionedUser | None) -> list[dict[str, Any]]:
    attributes = current.attributes if current else None
    # An address that was not derived from the user name stays when that changes.
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
    # A name that was the user name follows it. Any other stays.
    if composed or current is None or current.details.name == current.attributes.user_name:
        return composed or user_name
    return current.details.name


def _compose_name(name: dict[str, Any]) -> str:
    texts = {key.lower(): text.strip() for key, text in name.items() if isinstance(text, str)}
    parts = (texts.get("givenname"), texts.get("familyname"))
    return texts.get("formatted") or " ".join(part for part in parts if part)
