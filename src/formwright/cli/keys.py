"""`formwright keys`: creates, changes, rotates, lists and revokes API keys."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Annotated
from zoneinfo import ZoneInfo

import msgspec
import typer

from formwright.cli.common import (
    AsJson,
    Customer,
    DatabaseUrl,
    DataDir,
    load_settings,
    print_result,
    with_migrated_context,
)
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.auth.permissions import Permission
from formwright.core.clock import rfc3339, to_milliseconds
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import Key, KeyLimits, KeyProperties
from formwright.domain.customers import service as customers
from formwright.settings import SettingsError

keys_app = typer.Typer(no_args_is_help=True, help="Manage the API keys of an account.")

_MAKER = "Command line"
_HOUR_MS = 3600 * 1000
KeyId = Annotated[str, typer.Option("--id", help="The id of the key, key_….")]
Expires = Annotated[
    str | None,
    typer.Option(help="The last day of the key in the account's time zone, 2027-01-31, or a time with offset."),
]
Permissions = Annotated[
    list[Permission] | None,
    typer.Option(
        "--permission", help="Limit the key to this permission, such as submissions:read. Repeat it for several."
    ),
]
Folders = Annotated[
    list[str] | None,
    typer.Option(
        "--folder", help="Limit the permissions to this folder, fol_…, with everything in it. Repeat it for several."
    ),
]
Forms = Annotated[
    list[str] | None,
    typer.Option("--form", help="Limit the permissions to this form, frm_…. Repeat it for several."),
]
RateLimit = Annotated[
    int | None,
    typer.Option(min=1, help="Requests per minute of this key, instead of the limit of the installation."),
]


@keys_app.command("create")
def create_key(
    customer: Customer,
    name: Annotated[str, typer.Option(help="The name of the key: what it is for.")],
    read_only: Annotated[
        bool, typer.Option("--read-only", help="The key may read everything and change nothing.")
    ] = False,
    expires: Expires = None,
    permissions: Permissions = None,
    folders: Folders = None,
    forms: Forms = None,
    rate_limit: RateLimit = None,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Create a key and print it. It cannot be shown again."""
    limits = _read_limits(permissions or (), folders or (), forms or (), read_only=read_only)

    async def work(ctx: AppContext) -> dict[str, object]:
        actor = actors.system(customer)
        async with ctx.db.writing() as tx:
            zone = (await customers.get(tx, actor)).time_zone
            ends = _parse_expiry(expires, zone) if expires else None
            wish = KeyProperties(name, read_only, ends, limits, rate_limit)
            key, text = await keys.create(tx, actor, wish, maker_name=_MAKER)
        return _key_properties(key, text)

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    print_result(with_migrated_context(settings, work), as_json=as_json)


def _read_limits(
    permissions: Sequence[Permission], folder_ids: Sequence[str], form_ids: Sequence[str], *, read_only: bool
) -> KeyLimits | None:
    """Return what the key is limited to; None if it is not. Raises `SettingsError`."""
    if not permissions:
        if folder_ids or form_ids:
            raise SettingsError("--folder and --form need at least one --permission, such as submissions:read.")
        return None
    if read_only:
        raise SettingsError("Use either --read-only or --permission.")
    return KeyLimits(frozenset(permissions), tuple(dict.fromkeys(folder_ids)), tuple(dict.fromkeys(form_ids)))


def _parse_expiry(text: str, zone: str) -> int:
    """Return when a key expires, in milliseconds: after its last day, or at a time. Raises `SettingsError`."""
    try:
        if "T" not in text.upper():
            last = date.fromisoformat(text)
            return to_milliseconds(datetime.combine(last + timedelta(days=1), time(), ZoneInfo(zone)))
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            raise ValueError
        return to_milliseconds(moment.astimezone(UTC))
    except (ValueError, OverflowError):
        raise SettingsError(
            f"--expires must be a day like 2027-01-31, or a time like 2027-01-31T12:00:00Z, not {text!r}."
        ) from None


def _key_properties(key: Key, text: str = "") -> dict[str, object]:
    """Return the properties to print, with the secret if it is new."""
    expiry = {"expiresAt": rfc3339(key.expires)} if key.expires else {}
    overlap = {"oldKeyWorksUntil": rfc3339(key.old_ends)} if key.old_ends else {}
    secret = {"apiKey": text} if text else {}
    properties = {"id": key.id, **secret, "name": key.name, "customerId": key.customer_id}
    limits = msgspec.to_builtins(key.limits, order="sorted") if key.limits else {}
    rate_limit = {"rateLimit": key.rate_limit} if key.rate_limit else {}
    return {**properties, "readOnly": key.read_only, **limits, **rate_limit, **expiry, **overlap}


@keys_app.command("update")
def update_key(
    customer: Customer,
    key_id: KeyId,
    name: Annotated[str | None, typer.Option(help="The new name of the key.")] = None,
    expires: Expires = None,
    no_expiry: Annotated[bool, typer.Option("--no-expiry", help="The key works until it is revoked.")] = False,
    permissions: Permissions = None,
    folders: Folders = None,
    forms: Forms = None,
    rate_limit: RateLimit = None,
    no_rate_limit: Annotated[
        bool, typer.Option("--no-rate-limit", help="The limit of the installation applies to the key.")
    ] = False,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Change a key. It applies to the next request with the key.

    What you leave out stays as it is. Permissions, folders and forms are replaced together.
    """
    limits = _read_limits(permissions or (), folders or (), forms or (), read_only=False)
    if (expires and no_expiry) or (rate_limit and no_rate_limit):
        raise SettingsError("Use either --expires or --no-expiry, and either --rate-limit or --no-rate-limit.")

    async def work(ctx: AppContext) -> dict[str, object]:
        actor = actors.system(customer)
        async with ctx.db.writing() as tx:
            zone = (await customers.get(tx, actor)).time_zone
            key = await keys.get(tx, actor, key_id=key_id)
            new = KeyProperties(
                key.name if name is None else name,
                key.read_only,
                None if no_expiry else _parse_expiry(expires, zone) if expires else key.expires,
                limits or key.limits,
                None if no_rate_limit else rate_limit or key.rate_limit,
            )
            return _key_properties(await keys.update(tx, actor, key_id=key_id, new=new))

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    print_result(with_migrated_context(settings, work), as_json=as_json)


@keys_app.command("rotate")
def rotate_key(
    customer: Customer,
    key_id: KeyId,
    overlap: Annotated[
        int, typer.Option(min=0, max=168, help="How many hours the old secret stays valid, 0 to 168.")
    ] = 24,
    as_json: AsJson = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Give a key a new secret and print it. The old one stays valid for a while."""

    async def work(ctx: AppContext) -> dict[str, object]:
        async with ctx.db.writing() as tx:
            actor = actors.system(customer)
            await customers.get(tx, actor)
            return _key_properties(*await keys.rotate(tx, actor, key_id=key_id, overlap_ms=overlap * _HOUR_MS))

    settings = load_settings(data_dir=data_dir, database_url=database_url)
    print_result(with_migrated_context(settings, work), as_json=as_json)


@keys_app.command("list")
def list_keys(customer: Customer, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """List the keys of an account."""

    async def work(ctx: AppContext) -> list[tuple[Key, str]]:
        async with ctx.db.reading() as tx:
            await customers.get(tx, actors.system(customer))
            live = await keys.list_active(tx, actors.system(customer))
        return [(key, _describe(key, ctx.clock.now())) for key in live]

    for key, description in with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work):
        typer.echo(f"{key.id}  {key.hint}…  {key.name}  ({description})")


def _describe(key: Key, now: int) -> str:
    parts = [f"by {key.maker_name}, {rfc3339(key.created)}"]
    parts.append(f"used {rfc3339(key.last_used)}" if key.last_used else "never used")
    if key.read_only:
        parts.append("read-only")
    if key.limits:
        places = [*key.limits.folder_ids, *key.limits.form_ids] or ["the whole account"]
        parts.append(f"limited to {' '.join(sorted(key.limits.permissions))} for {' '.join(places)}")
    if key.rate_limit:
        parts.append(f"{key.rate_limit} requests per minute")
    if key.expires:
        parts.append(f"{'ended' if key.has_expired(now) else 'ends'} {rfc3339(key.expires)}")
    if key.old_ends and key.old_ends > now:
        parts.append(f"the old one works until {rfc3339(key.old_ends)}")
    return ", ".join(parts)


@keys_app.command("revoke")
def revoke_key(customer: Customer, key_id: KeyId, data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Revoke a key. It stops working immediately."""

    async def work(ctx: AppContext) -> Key:
        async with ctx.db.writing() as tx:
            await customers.get(tx, actors.system(customer))
            return await keys.revoke(tx, actors.system(customer), key_id=key_id)

    key = with_migrated_context(load_settings(data_dir=data_dir, database_url=database_url), work)
    typer.echo(f"{key.name} ({key.id}) has been revoked.")
