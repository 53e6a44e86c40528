"""Custom headers that are sent with each delivery, such as an API key of the receiver. They are stored encrypted."""

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
_VALUE_UNKNOWN = "There is no stored value for this header and this server. Send the value."


def encrypt_headers(headers: Mapping[str, str], secret_box: SecretBox) -> str:
    """Return the headers as encrypted JSON; an empty string if there are none."""
    return secret_box.close(msgspec.json.encode(headers).decode()) if headers else ""


def decrypt_headers(encrypted: str, secret_box: SecretBox) -> dict[str, str]:
    """Return the decrypted headers; raises `cryptography.fernet.InvalidToken` if another key encrypted them."""
    return msgspec.json.decode(secret_box.open(encrypted), type=dict[str, str]) if encrypted else {}


def merge_headers(
    requested: Mapping[str, str | None], encrypted: str, secret_box: SecretBox, *, same_origin: bool
) -> tuple[dict[str, str], list[ValidationFault]]:
    """Return the new headers and all validation errors. A value of None keeps the stored value.

    Stored values are only reused for the server that they were set for, because changing a subscriber's URL must not
    send its secrets to another server.
    """
    stored = _decrypt_or_empty(encrypted, secret_box) if same_origin else {}
    errors: list[ValidationFault] = []
    seen: set[str] = set()
    if len(requested) > MAX_HEADERS:
        errors.append(ValidationFault("/headers", "value.too_many", f"At most {MAX_HEADERS} headers are allowed."))
    for name, value in requested.items():
        if error := _find_error(name, value, seen):
            errors.append(ValidationFault(pointer("headers", name), "subscriber.header", error))
        elif value is None and name not in stored:
            errors.append(ValidationFault(pointer("headers", name), "subscriber.header.again", _VALUE_UNKNOWN))
        seen.add(name.lower())
    return {name: stored.get(name, "") if value is None else value for name, value in requested.items()}, errors


def has_same_origin(url: str, other: str) -> bool:
    """Whether two URLs have the same scheme, host and port."""
    return URL(url).origin() == URL(other).origin()


def _decrypt_or_empty(encrypted: str, secret_box: SecretBox) -> dict[str, str]:
    try:
        return decrypt_headers(encrypted, secret_box)
    except InvalidToken:
        return {}


def _find_error(name: str, value: str | None, previous_names: set[str]) -> str:
    if not _NAME.fullmatch(name):
        return "This is not a valid header name."
    if is_reserved(name):
        return "This header is reserved and is set by the server."
    if name.lower() in previous_names:
        return "This header is listed more than once."
    if value is not None and not _VALUE.fullmatch(value):
        return "A header value must be 1 to 4,000 visible ASCII characters without leading or trailing spaces."
    return ""
