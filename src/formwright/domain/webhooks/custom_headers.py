"""Headers that a subscriber wants with each delivery, such as a key of its own. Their values are kept sealed."""

import re
from collections.abc import Mapping

import msgspec
from cryptography.fernet import InvalidToken
from yarl import URL

from formwright.core.crypto import SecretBox
from formwright.core.errors import ValidationFault, pointer
from formwright.domain.webhooks.signing import is_reserved

MAX_HEADERS = 20
_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e\t]{0,3998}[\x21-\x7e])?")
_VALUE_UNKNOWN = "Its value is not known, or was given for another server. Send it."


def encrypt_headers(headers: Mapping[str, str], secret_box: SecretBox) -> str:
    """The headers as they are kept; empty for none."""
    return secret_box.close(msgspec.json.encode(headers).decode()) if headers else ""


def decrypt_headers(encrypted: str, secret_box: SecretBox) -> dict[str, str]:
    """What was kept; raises `cryptography.fernet.InvalidToken` where another key sealed it."""
    return msgspec.json.decode(secret_box.open(encrypted), type=dict[str, str]) if encrypted else {}


def merge_headers(
    requested: Mapping[str, str | None], encrypted: str, secret_box: SecretBox, *, same_origin: bool
) -> tuple[dict[str, str], list[ValidationFault]]:
    """The headers from now on, None keeping a value, and all that is wrong with them.

    A value is kept for the server that it was given for, and for no other.
    """
    known = _decrypt_or_empty(encrypted, secret_box) if same_origin else {}
    found = [ValidationFault("/headers", "value.too_many", f"This may have at most {MAX_HEADERS} members.")]
    found, seen = ([] if len(requested) <= MAX_HEADERS else found), set[str]()
    for name, value in requested.items():
        if why := _find_error(name, value, seen):
            found.append(ValidationFault(pointer("headers", name), "subscriber.header", why))
        elif value is None and name not in known:
            found.append(ValidationFault(pointer("headers", name), "subscriber.header.again", _VALUE_UNKNOWN))
        seen.add(name.lower())
    return {name: known.get(name, "") if value is None else value for name, value in requested.items()}, found


def has_same_origin(one: str, other: str) -> bool:
    """Whether two addresses lead to one server."""
    return URL(one).origin() == URL(other).origin()


def _decrypt_or_empty(encrypted: str, secret_box: SecretBox) -> dict[str, str]:
    try:
        return decrypt_headers(encrypted, secret_box)
    except InvalidToken:
        return {}


def _find_error(name: str, value: str | None, seen: set[str]) -> str:
    if not _NAME.fullmatch(name):
        return "This is no name of a header."
    if is_reserved(name):
        return "This header is set by the platform itself."
    if name.lower() in seen:
        return "This header is named twice."
    if value is not None and not _VALUE.fullmatch(value):
        return "A value has 1 to 4,000 visible ASCII characters, and no space around them."
    return ""
