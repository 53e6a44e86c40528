"""Creates the application context from the settings. All wiring happens here."""

import asyncio
import secrets
import ssl
from collections.abc import AsyncIterator, Callable, Collection
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

from formwright.api.openapi.document import document
from formwright.api.v1_0.event_types import EventCatalogue
from formwright.context import AppContext
from formwright.core.blobs import BlobStore, open_blob_store
from formwright.core.clock import Clock, SystemClock
from formwright.core.crypto import SecretBox
from formwright.core.data_folder import make_private_folder
from formwright.core.db.disk_full import WriteMonitor
from formwright.core.db.group_commit import CommitHooks
from formwright.core.db.instrumentation import InstrumentedDatabase
from formwright.core.db.interface import Database
from formwright.core.db.postgres import open_postgres
from formwright.core.db.replicas import Replica, ReplicatedDatabase
from formwright.core.db.sqlite import SqliteDatabase
from formwright.core.free_space import FreeSpace
from formwright.core.ids import Ids
from formwright.core.lru_cache import LRUCache
from formwright.core.metrics import Metrics
from formwright.core.net.email_file_backend import MailFolder
from formwright.core.net.email_message import MailTransport, Sender
from formwright.core.net.http_client import HttpClient
from formwright.core.net.smtp import SmtpServer, SmtpTransport
from formwright.core.net.ssrf_guard import AddressPolicy
from formwright.core.tracing import Tracer
from formwright.core.work_kinds import WorkKind
from formwright.domain.api_keys.authentication import KeyUsage
from formwright.domain.api_keys.rate_limits import RateLimiter
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.files.signed_links import FileLinkSigner
from formwright.domain.identity_providers.installation import create_provider
from formwright.domain.identity_providers.oidc_client import OidcClient
from formwright.domain.invites import service as invites
from formwright.domain.invites.transitions import PURPOSE as INVITE
from formwright.domain.mail.models import OutcomeHandlers
from formwright.domain.quotas.models import DailyQuota, Unit
from formwright.domain.quotas.proof_of_work import AbuseDetector, ProofOfWork
from formwright.domain.quotas.request_limits import RequestLimits
from formwright.domain.quotas.service import Quotas
from formwright.domain.receipts import emails as receipt_emails
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.outbox import publish_events
from formwright.settings import Settings, SettingsError

_KEY_FILE = "secret.key"
_MIN_SECRET_LENGTH = 32
_CONNECTIONS_PER_HOST = 200
_CACHED_LINKS = 10_000
_MIB = 1024 * 1024

OUTCOME_HANDLERS: OutcomeHandlers = {INVITE: invites.handle_mail_result}
"""Callbacks for the outcome of an email, by the email's purpose."""


@asynccontextmanager
async def open_context(
    settings: Settings,
    *,
    clock: Clock | None = None,
    passwords: PasswordVerifier | None = None,
    on_commit: Callable[[Collection[WorkKind]], None] | None = None,
    trust: ssl.SSLContext | None = None,
    metrics: Metrics | None = None,
    tracer: Tracer | None = None,
) -> AsyncIterator[AppContext]:
    """Open the application context and close it when the block ends.

    `on_commit` is called after each commit that made work due, with the kinds of this work. Without `metrics` and
    `tracer`, no metrics and no traces are recorded. Raises `SettingsError` or `DatabaseUnreachable`.
    """
    clock = clock or SystemClock()
    ids = Ids(clock)
    monitor = WriteMonitor()
    hooks = CommitHooks(publish_events, on_commit, monitor.observe)
    address_policy = AddressPolicy(settings.webhook_allow)
    secret = secret_key(settings)
    mail_transport = _mail_transport(settings, trust)
    files = _open_files(settings)
    free_space = _free_space(settings, settings.data_dir)
    db = await _open_database(settings, clock, ids, hooks, monitor, metrics or Metrics())
    # The queue already limits each subscriber. This prevents a hanging host from using up the connections of others.
    http_client = HttpClient(
        address_policy, ssl_context=trust, per_host=_CONNECTIONS_PER_HOST, proxy=settings.egress_proxy
    )
    ctx = AppContext(
        settings=settings,
        clock=clock,
        ids=ids,
        db=InstrumentedDatabase(db, metrics) if metrics else db,
        secret_box=SecretBox(secret),
        address_policy=address_policy,
        http_client=http_client,
        oidc=OidcClient(http_client, clock),
        installation_provider=create_provider(settings.oidc, SecretBox(secret)) if settings.oidc else None,
        mail_transport=mail_transport,
        mail_outcome_handlers=OUTCOME_HANDLERS,
        email_finishers={receipt_emails.PURPOSE: receipt_emails.finish},
        files=files,
        file_links=FileLinkSigner(secret),
        destination_rules=DestinationRules(
            settings.export_folders, address_policy, SecretBox(secret), settings.egress_proxy
        ),
        passwords=passwords or PasswordVerifier(),
        usage=KeyUsage(),
        rates=RateLimiter(settings.rate_limit),
        requests=RequestLimits(settings.fill_rate_limit),
        quotas=Quotas(_quotas(settings), clock),
        proofs=ProofOfWork(secret),
        abuse=AbuseDetector(settings.link_proof_threshold),
        link_cache=LRUCache(_CACHED_LINKS),
        free_space=free_space,
        check_space=(lambda: None) if settings.is_postgres else free_space.check,
        write_monitor=monitor,
        metrics=metrics or Metrics(),
        tracer=tracer or Tracer(),
        catalogue=EventCatalogue(),
        document=document,
    )
    try:
        yield ctx
    finally:
        await http_client.close()
        await files.close()
        await db.close()
        await asyncio.to_thread(ctx.tracer.close)


def _free_space(settings: Settings, folder: Path) -> FreeSpace:
    return FreeSpace(folder, settings.min_free_mib * _MIB)


def _quotas(settings: Settings) -> dict[Unit, DailyQuota]:
    return {
        Unit.SUBMISSIONS: DailyQuota(settings.link_daily_submissions, settings.account_daily_submissions),
        Unit.KIB: DailyQuota(settings.link_daily_mib * 1024, settings.account_daily_mib * 1024),
    }


async def _open_database(
    settings: Settings, clock: Clock, ids: Ids, hooks: CommitHooks, monitor: WriteMonitor, metrics: Metrics
) -> Database:
    if not settings.is_postgres:
        return SqliteDatabase(settings.sqlite_path, clock, ids, hooks)
    db = await open_postgres(settings.database_url, clock, ids, hooks, pooler=settings.database_pooler)
    monitor.probe = db.probe_disk
    replicas = [Replica(url, pooled=db.pooled) for url in settings.database_replicas]
    return ReplicatedDatabase(db, replicas, metrics) if replicas else db


def check_settings(settings: Settings) -> None:
    """Raise the `SettingsError` that `open_context` would raise, without connecting to anything."""
    secret_key(settings)
    _mail_transport(settings, None)


def _mail_transport(settings: Settings, trust: ssl.SSLContext | None) -> MailTransport:
    sender = _mail_sender(settings)
    if not settings.smtp_url:
        return MailFolder(settings.mail_folder, sender)
    try:
        return SmtpTransport(SmtpServer.parse(settings.smtp_url), sender, trust=trust)
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_SMTP_URL {error}") from None


def _mail_sender(settings: Settings) -> Sender:
    if not settings.mail_from:
        # Without SMTP, emails are only written to a folder, so a placeholder sender is enough.
        return Sender("Formwright", f"formwright@{urlsplit(settings.base_url).hostname or 'localhost'}")
    try:
        return Sender.parse(settings.mail_from)
    except ValueError as error:
        raise SettingsError(f"FORMWRIGHT_MAIL_FROM {error}") from None


def _open_files(settings: Settings) -> BlobStore:
    try:
        return open_blob_store(settings.files_url, settings.files_folder, partial(_free_space, settings))
    except OSError as error:
        raise SettingsError(f"The folder {error.filename} for files cannot be created: {error.strerror}.") from error


def secret_key(settings: Settings) -> str:
    """Return the configured secret key, or the one in the data folder, which the first start creates."""
    if settings.secret_key:
        if len(settings.secret_key) < _MIN_SECRET_LENGTH:
            raise SettingsError(f"FORMWRIGHT_SECRET_KEY must have at least {_MIN_SECRET_LENGTH} characters.")
        return settings.secret_key
    path = settings.data_dir / _KEY_FILE
    try:
        return _load_or_create_secret(path)
    except OSError as error:
        raise SettingsError(f"The secret key {path} cannot be read or created: {error.strerror}.") from error


def _load_or_create_secret(path: Path) -> str:
    make_private_folder(path.parent)
    temporary = path.with_name(f"{path.name}.{secrets.token_hex(4)}")
    if not path.exists():
        # Written under a temporary name and then linked, so that two processes starting at once agree on one key.
        temporary.touch(mode=0o600)
        temporary.write_text(secrets.token_urlsafe(48))
        try:
            path.hardlink_to(temporary)
        except FileExistsError:
            pass
        finally:
            temporary.unlink()
    return path.read_text().strip()
