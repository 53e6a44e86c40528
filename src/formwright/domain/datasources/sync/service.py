"""The verbs of pulls that an account has; what workers do is in `pulling`."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

import msgspec
from cryptography.fernet import InvalidToken
from yarl import URL

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow
from formwright.core.crypto import SecretBox
from formwright.core.db import account_lock
from formwright.core.db.interface import Database, Rollback, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.core.events import AuditNote
from formwright.domain.datasources import store, sync_store
from formwright.domain.datasources.imports.validation import build_columns
from formwright.domain.datasources.models import (
    DAY_S,
    MAX_HEADERS,
    MAX_INTERVAL_S,
    MIN_INTERVAL_S,
    CellType,
    Datasource,
    DatasourceBusy,
    DatasourceNameTaken,
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
"""Headers that belong to the connection, or say what is already here."""


@dataclass(frozen=True, slots=True)
class PullSettings:
    """A change of a datasource's pull; a wish of None takes the pull away."""

    wish: PullUpdate | None
    seal: SecretBox
    check_url: CheckUrl

    async def apply(self, tx: WriteTransaction, of: Datasource) -> Datasource:
        """Write it down; `Invalid` with every fault. Another source is due at once, another interval from now."""
        scope = Scope(of.customer_id)
        if self.wish is None:
            await sync_store.delete(tx, scope, of.id)
            return replace(of, pull=None)
        before = await sync_store.find_stored(tx, scope, of.id)
        wanted = self.settled(self.wish, before)
        if before is None or replace(wanted, every_s=before.every_s) != before:
            await sync_store.save(tx, scope, of.id, wanted, tx.now())
        else:
            await sync_store.reschedule(tx, scope, of.id, wanted.every_s, tx.now())
        return replace(of, pull=await sync_store.find(tx, scope, of.id))

    def settled(self, wish: PullUpdate, before: StoredPull | None) -> StoredPull:
        """What is to be from now on; `Invalid` with every fault."""
        url = wish.url or (before.url if before else "")
        every_s = before.every_s if before else DAY_S
        headers, again = self._headers(wish, before, url)
        found = [*self._url_faults(url), *_check_interval(wish.every), *_check_headers(wish.headers or {}), *again]
        if found:
            raise Invalid(found)
        if wish.every is not None:
            every_s = parse_duration(wish.every)
        if before and url == before.url and headers == self._opened(before):
            return replace(before, every_s=every_s)
        return StoredPull(url, tuple(headers), self.seal.close(msgspec.json.encode(headers).decode()), every_s)

    def _headers(
        self, wish: PullUpdate, before: StoredPull | None, url: str
    ) -> tuple[dict[str, str], list[ValidationFault]]:
        """All headers from now on. A value is kept for the server that it was given for, and for no other."""
        known = (self._opened(before) or {}) if before and _origin(url) == _origin(before.url) else {}
        wanted = wish.headers if wish.headers is not None else dict.fromkeys(before.names if before else ())
        headers = {name: known.get(name, "") if value is None else value for name, value in wanted.items()}
        detail = "Its value is not known, or was given for another server. Send it."
        again = [name for name, value in wanted.items() if value is None and name not in known]
        return headers, [
            ValidationFault(pointer("pull", "headers", name), "datasource.pull.header.again", detail) for name in again
        ]

    def _opened(self, kept: StoredPull) -> dict[str, str] | None:
        """None where another key sealed them: then they are another's, even where there are none."""
        try:
            return msgspec.json.decode(self.seal.open(kept.headers), type=dict[str, str])
        except InvalidToken:
            return None

    def _url_faults(self, url: str) -> Iterator[ValidationFault]:
        if not url:
            yield ValidationFault("/pull/url", "value.required", "This is required.")
            return
        try:
            self.check_url(url)
        except ValueError as error:
            yield ValidationFault("/pull/url", "datasource.pull.url", f"Nothing can be pulled from there: {error}")


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
    detail = "Write a duration of PT15M to P7D as ISO 8601 does: PT15M, PT6H, P1D."
    yield ValidationFault("/pull/every", "datasource.pull.every", detail)


def _check_headers(headers: Mapping[str, str | None]) -> Iterator[ValidationFault]:
    if len(headers) > MAX_HEADERS:
        yield ValidationFault("/pull/headers", "value.too_many", f"This may have at most {MAX_HEADERS} members.")
    seen: set[str] = set()
    for name, value in headers.items():
        if problem := _find_header_problem(name, value, seen):
            yield ValidationFault(pointer("pull", "headers", name), "datasource.pull.header", problem)
        seen.add(name.lower())


def _find_header_problem(name: str, value: str | None, seen: set[str]) -> str:
    if not _HEADER_NAME.fullmatch(name):
        return "This is no name of a header."
    if _RESERVED_HEADERS.fullmatch(name):
        return "This header is set by the platform itself."
    if name.lower() in seen:
        return "This header is named twice."
    if value is not None and not _HEADER_VALUE.fullmatch(value):
        return "A value has 1 to 4,000 visible ASCII characters, and no space around them."
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
    dry_run: bool,
) -> Datasource:
    """A new datasource without rows, whose first pull is due at once; with `dry_run` nothing of it is kept."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    found = build_columns(tuple(columns) or (key_column,), key_column, dict(types))
    new = Datasource(datasource_id, scope.customer_id, name, key_column, found, 0, 0, 0, 0, 0, 0, 0)
    pull_settings.settled(pull_settings.wish or PullUpdate(), None)
    with suppress(Rollback):
        async with db.writing() as tx:
            new = await _insert(tx, pull_settings, new)
            if dry_run:
                raise Rollback()
    return new


async def _insert(tx: WriteTransaction, pull_settings: PullSettings, new: Datasource) -> Datasource:
    scope = Scope(new.customer_id)
    now = await account_lock.next_timestamp(tx, scope.customer_id)
    await store.free_abandoned_name(tx, scope, new.name, tx.now())
    if await store.is_name_taken(tx, scope, new.name):
        raise DatasourceNameTaken()
    await store.reserve(tx, new)
    leased = await store.acquire_lease(tx, scope, new.id, tx.new_id("imp"), tx.now(), tx.now())
    if leased is None:
        raise DatasourceBusy()
    saved = await pull_settings.apply(tx, replace(leased[0], version=1, created=now, updated=now, revision=1))
    await store.save_and_release(tx, saved)
    tx.audit(AuditNote(scope.customer_id, "datasource.created", saved.id, saved.name))
    return saved


async def refresh(tx: WriteTransaction, actor: Actor, *, datasource_id: str) -> Datasource:
    """Let it be pulled now; one that is being pulled goes on."""
    scope = allow(actor, Permission.DATASOURCES_EDIT)
    await account_lock.hold(tx, scope.customer_id)
    datasource = await store.find(tx, scope, datasource_id)
    if datasource is None:
        raise DatasourceNotFound()
    await sync_store.make_due(tx, scope, datasource.id, tx.now())
    pull = await sync_store.find(tx, scope, datasource.id)
    if pull is None:
        raise PullNotConfigured()
    tx.audit(AuditNote(scope.customer_id, "datasource.refreshed", datasource.id, datasource.name))
    return replace(datasource, pull=pull)
