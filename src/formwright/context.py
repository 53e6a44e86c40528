"""The application context: the shared services of one process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formwright.core.blobs import BlobStore
from formwright.core.clock import Clock
from formwright.core.crypto import SecretBox
from formwright.core.db.disk_full import WriteMonitor
from formwright.core.db.interface import Database
from formwright.core.free_space import FreeSpace
from formwright.core.ids import Ids
from formwright.core.lru_cache import LRUCache
from formwright.core.metrics import Metrics
from formwright.core.net.email_message import MailTransport
from formwright.core.net.http_client import HttpClient
from formwright.core.net.ssrf_guard import AddressPolicy
from formwright.core.tracing import Tracer
from formwright.domain.api_keys.authentication import KeyUsage
from formwright.domain.api_keys.rate_limits import RateLimiter
from formwright.domain.exports.destinations import DestinationRules
from formwright.domain.files.signed_links import FileLinkSigner
from formwright.domain.identity_providers.models import IdentityProvider
from formwright.domain.identity_providers.oidc_client import OidcClient
from formwright.domain.mail.models import OutcomeHandlers
from formwright.domain.mail.queue import EmailFinishers
from formwright.domain.quotas.models import LinkSource
from formwright.domain.quotas.proof_of_work import AbuseDetector, ProofOfWork
from formwright.domain.quotas.request_limits import RequestLimits
from formwright.domain.quotas.service import Quotas
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.domain.webhooks.models import EventCatalogue
from formwright.settings import Settings


@dataclass(frozen=True, slots=True)
class AppContext:
    """The shared services of a process, which every entry point receives. Only `bootstrap` creates it."""

    settings: Settings
    clock: Clock
    ids: Ids
    db: Database
    secret_box: SecretBox
    address_policy: AddressPolicy
    http_client: HttpClient
    oidc: OidcClient
    installation_provider: IdentityProvider | None
    """The identity provider of the whole installation."""
    mail_transport: MailTransport
    mail_outcome_handlers: OutcomeHandlers
    email_finishers: EmailFinishers
    files: BlobStore
    file_links: FileLinkSigner
    destination_rules: DestinationRules
    passwords: PasswordVerifier
    usage: KeyUsage
    rates: RateLimiter
    requests: RequestLimits
    quotas: Quotas
    proofs: ProofOfWork
    abuse: AbuseDetector
    link_cache: LRUCache[str, LinkSource]
    """Recently used fill links, and the forms they open."""
    free_space: FreeSpace
    write_monitor: WriteMonitor
    metrics: Metrics
    tracer: Tracer
    catalogue: EventCatalogue
    document: Callable[[], Mapping[str, Any]]
    """The OpenAPI document."""
    check_space: Callable[[], None]
    """Raises `StorageFull` if the disk of an embedded database is almost full."""
