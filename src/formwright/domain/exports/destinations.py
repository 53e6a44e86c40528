"""Checking the destinations of exports, and keeping their credentials."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from formwright.core.crypto import SecretBox
from formwright.core.errors import ValidationFault
from formwright.core.net.ssrf_guard import AddressPolicy, ForbiddenUrl
from formwright.domain.exports.models import Destination, DestinationType, Export, NewExport

# Without a leading dot, a name is neither `..` nor hidden.
_PATH = re.compile(r"(?:[A-Za-z0-9_=-][A-Za-z0-9._=-]*(?:/[A-Za-z0-9_=-][A-Za-z0-9._=-]*)*)?")
_BUCKET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]")
_REGION = re.compile(r"[A-Za-z0-9-]{1,40}")
_ACCESS_KEY = re.compile(r"[\x21-\x7e]{1,128}")


@dataclass(frozen=True, slots=True)
class DestinationRules:
    """Which destinations exports may have. `folders` are those that the operator offers, by name."""

    folders: Mapping[str, Path]
    address_policy: AddressPolicy
    secret_box: SecretBox
    egress_proxy: str = ""


def find_errors(rules: DestinationRules, new: NewExport, stored: Export | None) -> Iterator[ValidationFault]:
    """Yield what is wrong with the destination of an export. `stored` is the export before the change."""
    destination = new.settings.destination
    if destination is None:
        return
    if not _PATH.fullmatch(destination.path):
        detail = "Use folder names of letters, digits and . _ = - separated by /, such as exports/daily."
        yield ValidationFault("/destination/path", "export.path", detail)
    if destination.type is DestinationType.FOLDER:
        if destination.folder not in rules.folders:
            yield ValidationFault("/destination/folder", "export.folder_unknown", _describe_folders(rules))
        return
    yield from _find_bucket_errors(rules, destination)
    if not new.secret_access_key and not _keeps_secret(destination, stored):
        detail = "Send the secret access key. A stored one is used again for the same bucket and access key only."
        yield ValidationFault("/destination/secretAccessKey", "export.secret_missing", detail)


def _describe_folders(rules: DestinationRules) -> str:
    if not rules.folders:
        return "The operator of this server offers no folders for exports."
    return f"The operator of this server offers these folders: {', '.join(sorted(rules.folders))}."


def _find_bucket_errors(rules: DestinationRules, destination: Destination) -> Iterator[ValidationFault]:
    patterns = {
        "bucket": (_BUCKET, destination.bucket),
        "region": (_REGION, destination.region),
        "accessKeyId": (_ACCESS_KEY, destination.access_key_id),
    }
    for name, (pattern, value) in patterns.items():
        if not value:
            yield ValidationFault(f"/destination/{name}", "value.required", "This is required.")
        elif not pattern.fullmatch(value):
            yield ValidationFault(
                f"/destination/{name}", "value.format", "This contains characters that are not allowed here."
            )
    if destination.endpoint:
        try:
            url = rules.address_policy.check_url(destination.endpoint)
            if url.raw_path.strip("/") or url.raw_query_string:
                raise ForbiddenUrl("must not have a path or a query")
        except ForbiddenUrl as error:
            detail = f"The server cannot write to this endpoint: {error}"
            yield ValidationFault("/destination/endpoint", "export.endpoint", detail)


def _keeps_secret(destination: Destination, stored: Export | None) -> bool:
    """Whether the stored secret is for the same server. Otherwise, it could be sent to a server of somebody else."""
    before = stored.settings.destination if stored else None
    return bool(stored and stored.secret and before and before.server == destination.server)


def encrypt_secret(rules: DestinationRules, new: NewExport, stored: Export | None) -> str | None:
    """Return the encrypted secret of the export after the change. `find_errors` has found no errors."""
    destination = new.settings.destination
    if destination is None or destination.type is not DestinationType.S3:
        return None
    if new.secret_access_key:
        return rules.secret_box.close(new.secret_access_key)
    return stored.secret if stored else None
