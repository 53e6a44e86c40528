"""Houses of a test's own. Several may stand on one database, as those of several processes do."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import msgspec

from formwright import migrations
from formwright.bootstrap import open_house
from formwright.core.access import actor as actors
from formwright.core.access.actor import Actor
from formwright.core.kernel.paging import Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import AnyField, FormSettings
from formwright.domain.forms.model import Draft, Form
from formwright.domain.people import service as people
from formwright.domain.people.passwords import Passwords
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import Import, Submission
from formwright.domain.webhooks import log
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.model import Invocation, LoggedEvent, NewSubscriber, Subscriber
from formwright.domain.webhooks.patience import Patience
from formwright.house import House
from formwright.settings import Settings
from formwright.worker.deliver import Deliverer

SITE: dict[str, Any] = {"type": "text", "name": "site", "label": "Site"}
_numbers = iter(range(1, 1_000_000))


def settings_for(folder: Path, database_url: str = "") -> Settings:
    """Subscribers may live on loopback; workers are the test's own affair."""
    return Settings(
        data_dir=folder,
        database_url=database_url,
        embedded_worker=False,
        rate_limit=0,
        allowed_hosts=("forms.test",),
        webhook_allow=(ip_network("127.0.0.0/8"),),
    )


@asynccontextmanager
async def opened(settings: Settings, **parts: Any) -> AsyncIterator[House]:
    """A house with its tables; `parts` are those of `open_house`: another clock, for one."""
    await migrations.upgrade(settings)
    async with open_house(settings, passwords=Passwords(cheap=True), **parts) as house:
        yield house


class SetClock:
    """A clock that shows what it was set to."""

    def __init__(self, now: int) -> None:
        self.ms = now

    def now(self) -> int:
        return self.ms


@dataclass(frozen=True, slots=True)
class Tenant:
    """An account in a house, with a form to fill; `in_house` is the same account seen by another process."""

    house: House
    actor: Actor
    form: Form

    @property
    def id(self) -> str:
        """The customerId."""
        return self.actor.customer_id

    def in_house(self, house: House) -> "Tenant":
        return Tenant(house, self.actor, self.form)

    async def submit(self, site: str = "Harbour") -> Submission:
        """As the API does it."""
        async with self.house.db.writing(account=self.id) as tx:
            return await submissions.bring_in(tx, self.actor, form_id=self.form.id, handed=Import({"site": site}))

    async def subscribe(self, url: str) -> Subscriber:
        """To every submission."""
        new = NewSubscriber("Test", url, ["submission.submitted"], [])
        async with self.house.db.writing() as tx:
            made, _ = await webhooks.subscribe(
                tx, self.actor, new, seal=self.house.seal, check_url=self.house.wall.check_url
            )
        return made

    async def subscriber(self, subscriber_id: str) -> Subscriber:
        async with self.house.db.reading() as tx:
            return await webhooks.get(tx, self.actor, subscriber_id=subscriber_id)

    async def invocations(self, subscriber: Subscriber) -> list[Invocation]:
        """In the order of their events."""
        async with self.house.db.reading() as tx:
            page = await webhooks.invocations(tx, self.actor, Window(500), subscriber_id=subscriber.id)
        return sorted(page.items, key=lambda invocation: invocation.sequence)

    async def events(self) -> list[LoggedEvent]:
        async with self.house.db.reading() as tx:
            return list((await log.page(tx, self.actor, Window(500), types=["submission.submitted"])).items)


async def tenant(house: House) -> Tenant:
    """A new account with a form of one field."""
    async with house.db.writing() as tx:
        email = f"owner{next(_numbers)}@example.org"
        customer, _ = await people.open_account(tx, name="Tenant", email=email, password_hash="-")
        actor = actors.system(customer.id)
        draft = Draft("Visit", "", [], msgspec.convert([SITE], list[AnyField]), FormSettings(), publish=True)
        return Tenant(house, actor, await forms.create(tx, actor, draft))


@asynccontextmanager
async def working(house: House, *schedule: float) -> AsyncIterator[Deliverer]:
    """A worker that delivers while the block lasts; `schedule` in seconds before each try. It never rests for long."""
    deliverer = Deliverer(house, Patience(schedule or (0, 0.05, 0.05, 0.05)))
    job, waking = asyncio.create_task(deliverer.run()), asyncio.create_task(_keep_awake(deliverer))
    try:
        yield deliverer
    finally:
        waking.cancel()
        job.cancel()
        with suppress(asyncio.CancelledError):
            await job


async def _keep_awake(deliverer: Deliverer) -> None:
    while True:
        deliverer.wake()
        await asyncio.sleep(0.02)
