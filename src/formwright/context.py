"""What every door is handed: the wired parts of one process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formwright.core.blobs import Contents
from formwright.core.clock import Clock
from formwright.core.crypto import Seal
from formwright.core.db.disk_full import WriteMonitor
from formwright.core.db.interface import Database
from formwright.core.free_space import FreeSpace
from formwright.core.ids import Ids
from formwright.core.lru_cache import Recent
from formwright.core.metrics import Meter
from formwright.core.net.email_message import Carrier
from formwright.core.net.http_client import Outbound
from formwright.core.net.ssrf_guard import Wall
from formwright.core.tracing import Tracer
from formwright.domain.api_keys.rate_limits import Rates
from formwright.domain.api_keys.service import Usage
from formwright.domain.files.signed_links import Links
from formwright.domain.mail.models import Outcomes
from formwright.domain.quotas.models import Source
from formwright.domain.quotas.request_limits import RequestLimits
from formwright.domain.quotas.service import Quotas
from formwright.domain.users.password_hashing import Passwords
from formwright.domain.webhooks.models import Catalogue
from formwright.settings import Settings


@dataclass(frozen=True, slots=True)
class House:
    """Made by `bootstrap`, and by nobody else."""

    settings: Settings
    clock: Clock
    ids: Ids
    db: Database
    seal: Seal
    wall: Wall
    outbound: Outbound
    carrier: Carrier
    outcomes: Outcomes
    files: Contents
    links: Links
    passwords: Passwords
    usage: Usage
    rates: Rates
    requests: RequestLimits
    quotas: Quotas
    links_seen: Recent[str, Source]
    """The public links that were used last, and what they open."""
    space: FreeSpace
    writes: WriteMonitor
    meter: Meter
    tracer: Tracer
    catalogue: Catalogue
    document: Callable[[], Mapping[str, Any]]
    """The OpenAPI document."""

    def check_space(self) -> None:
        """`StorageFull` if the disk of an embedded database is almost full."""
        if not self.settings.is_postgres:
            self.space.check()
