"""What every door is handed: the wired parts of one process."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from formwright.core.kernel.clock import Clock
from formwright.core.kernel.ids import Ids
from formwright.core.kernel.meter import Meter
from formwright.core.kernel.recent import Recent
from formwright.core.kernel.seal import Seal
from formwright.core.kernel.tracing import Tracer
from formwright.core.outbound.http import Outbound
from formwright.core.outbound.mail import Carrier
from formwright.core.outbound.wall import Wall
from formwright.core.storage.database import Database
from formwright.core.storage.files import Contents
from formwright.core.storage.monitor import WriteMonitor
from formwright.core.storage.space import FreeSpace
from formwright.domain.files.links import Links
from formwright.domain.keys.rates import Rates
from formwright.domain.keys.service import Usage
from formwright.domain.mail.model import Outcomes
from formwright.domain.people.passwords import Passwords
from formwright.domain.quotas.model import Source
from formwright.domain.quotas.requests import RequestLimits
from formwright.domain.quotas.service import Quotas
from formwright.domain.webhooks.model import Catalogue
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
