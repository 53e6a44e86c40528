"""Configuring the pull of a data source. `queue` has the SQL with which workers run pulls."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from cryptography.fernet import InvalidToken
from yarl import URL

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, ReadTransaction, Rollback, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import AuditNote
from formwright.domain.datasources import store, sync_store, uniqueness
from formwright.domain.datasources.imports.validation import build_columns
from formwright.domain.datasources.models import (
    DAY_S,
    MAX_HEADERS,
    MAX_INTERVAL_S,
    MIN_INTERVAL_S,
    CellType,
    Datasource,
    DatasourceBusy,
    DatasourceNotFound,
    PullNotConfigured,
    PullUpdate,
    parse_duration,
)
from formwright.domain.datasources.sync_store import StoredPull

CheckUrl = Callable[[str], object]

_HEADER_NAME = re.compile(r"[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}")
_HEADER_VALUE = re.compile(r"[\x21-\x7e](?:[\x20-\x7e\t]{0,3998}[\x21-\x7e])?")
_RESERVED_HEADERS = re.compile(
    r"accept-encoding|connection|content-.*|expect|host|if-.*|keep-alive|proxy-.*|range|te|trailer|transfer-encoding"
    r"|upgrade",
    re.IGNORECASE,
)
"""Headers that the HTTP client sets itself, for the connection or for conditional requests."""


@dataclass(frozen=True, slots=True)
class PullSettings:
    """A change of a data source's pull, and what is needed to apply it. An `update` of None removes the pull."""

    update: PullUpdate | None
    secret_box: SecretBox
    check_url: CheckUrl

    async def apply(self, tx: WriteTransaction, datasource: Datasource) -> Datasource:
        """Save the change and return the data source with its new pull. Raises `Invalid` with all errors.

        After a change of the URL or headers, the pull is due immediately. A new interval counts from now.
        """
        scope = Scope(datasource.customer_id)
        if self.update is None:
            await sync_store.delete(tx, scope, datasource.id)
            return replace(datasource, pull=None)
        before = await sync_store.find_stored(tx, scope, datasource.id)
        after = self.merge(self.update, before)
        if before is None or replace(after, every_s=before.every_s) != before:
            await sync_store.save(tx, scope, datasource.id, after, tx.now())
        else:
            await sync_store.reschedule(tx, scope, datasource.id, after.every_s, tx.now())
        return replace(datasource, pull=await sync_store.find(tx, scope, datasource.id))

    async def differ_from_stored(self, tx: ReadTransaction, datasource: Datasource) -> bool:
        """Return whether `apply` would change anything. Raises `Invalid` with all errors."""
        before = await sync_store.find_stored(tx, Scope(datasource.customer_id), datasource.id)
        after = None if self.update is None else self.merge(self.update, before)
        return after != before

    def merge(self, update: PullUpdate, before: StoredPull | None) -> StoredPull:
        """Return the pull after the update. Raises `Invalid` with all errors."""
        url = update.url or (before.url if before else "")
        every_s = before.every_s if before else DAY_S
        headers, missing = self._merge_headers(update, before, url)
        faults = [
            *self._check_url(url),
            *_check_interval(update.every),
            *_check_headers(update.headers or {}),
            *missing,
        ]
        if faults:
            raise Invalid(faults)
        if update.every is not None:
            every_s = parse_duration(update.every)
        if before and url == before.url and headers == self._decrypt_headers(before):
            return replace(before, every_s=every_s)
        return StoredPull(url, tuple(headers), self.secret_box.close(msgspec.json.encode(headers).decode()), every_s)

    def _merge_headers(
        self, update: PullUpdate, before: StoredPull | None, url: str
    ) -> tuple[dict[str, str], list[ValidationFault]]:
        """Return all headers after the update, and an error for each whose value is unknown.

        Stored values are reused only for the same origin. Otherwise a user could send them to a server of their own.
        """
        known = (self._decrypt_headers(before) or {}) if before and _origin(url) == _origin(before.url) else {}
        changes = update.headers if update.headers is not None else dict.fromkeys(before.names if before else ())
        headers = {name: known.get(name, "") if value is None else value for name, value in changes.items()}
        detail = "The value is not stored, or was stored for another server. Send it again."
        missing = [name for name, value in changes.items() if value is None and name not in known]
        return headers, [
            ValidationFault(pointer("pull", "headers", name), "datasource.pull.header.again", detail)
            for name in missing
        ]

    def _decrypt_headers(self, pull: StoredPull) -> dict[str, str] | None:
        """Return None if they were encrypted with another key, even if there are none."""
        try:
            return msgspec.json.decode(self.secret_box.open(pull.headers), type=dict[str, str])
        except InvalidToken:
            return None

    def _check_url(self, url: str) -> Iterator[ValidationFault]:
        if not url:
            yield ValidationFault("/pull/url", "value.required", "This is required.")
            return
        try:
            self.check_url(url)
        except ValueError as error:
            yield ValidationFault("/pull/url", "datasource.pull.url", f"The server cannot pull from this URL: {error}")


def _origin(url: str) -> object:
    try:
        return URL(url).origin()
    except ValueError:
        return None


def _check_interval(every: str | None) -> Iterator[ValidationFault]:
    try:
        if every is None or MIN_INTERVAL_S <= parse_duration(every) <= MAX_INTERVAL_S:
            return
    except ValueError:
        pass
    detail = "Enter an ISO 8601 duration from PT15M to P7D, such as PT15M, PT6H or P1D."
    yield ValidationFault("/pull/every", "datasource.pull.every", detail)


def _check_headers(headers: Mapping[str, str | None]) -> Iterator[ValidationFault]:
    if len(headers) > MAX_HEADERS:
        yield ValidationFault("/pull/headers", "value.too_many", f"At most {MAX_HEADERS} headers are allowed.")
    seen: set[str] = set()
    for name, value in headers.items():
        if problem := _find_header_problem(name, value, seen):
            yield ValidationFault(pointer("pull", "headers", name), "datasource.pull.header", problem)
        seen.add(name.lower())


def _find_header_problem(name: str, value: str | None, previous_names: set[str]) -> str:
    if not _HEADER_NAME.fullmatch(name):
        return "This is not a valid header name."
    if _RESERVED_HEADERS.fullmatch(name):
        return "The server sets this header itself. Remove it."
    if name.lower() in previous_names:
        return "This header appears more than once."
    if value is not None and not _HEADER_VALUE.fullmatch(value):
        return "A header value must have 1 to 4,000 visible ASCII characters, without leading or trailing spaces."
    return ""


async def create(
    db: Database,
    actor: Actor,
    pull_settings: PullSettings,
    *,
    datasource_id: str,
    name: str,
    key_column: str,
    columns: Sequence[str],
    types: Mapping[str, CellType],
    external_id: str | None = None,
    dry_run: bool,
) -> Datasource:
    """Create a data source without rows, whose first pull is due immediately; with `dry_run`, only check the input."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    built = build_columns(tuple(columns) or (key_column,), key_column, dict(types))
    new = Datasource(datasource_id, scope.customer_id, name, key_column, built, 0, 0, 0, 0, 0, 0, 0, external_id)
    pull_settings.merge(pull_settings.update or PullUpdate(), None)
    with suppress(Rollback):
        async with db.writing() as tx:
            new = await _insert(tx, pull_settings, new)
            if dry_run:
                raise Rollback()
    return new


async def _insert(tx: WriteTransaction, pull_settings: PullSettings, new: Datasource) -> Datasource:
    scope = Scope(new.customer_id)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await store.free_abandoned(tx, scope, new.name, new.external_id, tx.now())
    await uniqueness.check_reserved(tx, scope, new.name, new.external_id, new.id)
    await store.reserve(tx, new)
    leased = require(await store.acquire_lease(tx, scope, new.id, tx.new_id("imp"), tx.now(), tx.now()), DatasourceBusy)
    saved = await pull_settings.apply(tx, replace(leased[0], version=1, created=now, updated=now, revision=1))
    await store.save_and_release(tx, saved)
    tx.audit(AuditNote(scope.customer_id, "datasource.created", saved.id, saved.name))
    return saved


async def refresh(tx: WriteTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """Make the pull due now. A running pull continues. Raises `PullNotConfigured` if the data source has no pull."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    await account_lock.hold(tx, scope.customer_id)
    datasource = require(await store.find(tx, scope, datasource_id), DatasourceNotFound)
    await sync_store.make_due(tx, scope, datasource.id, tx.now())
    pull = require(await sync_store.find(tx, scope, datasource.id), PullNotConfigured)
    tx.audit(AuditNote(scope.customer_id, "datasource.refreshed", datasource.id, datasource.name))
    return replace(datasource, pull=pull)
