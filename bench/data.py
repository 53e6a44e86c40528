"""The data that is measured on: accounts, a form of ten fields and filled forms, made by the domain's own verbs."""

from collections.abc import Iterator
from dataclasses import dataclass

import asyncpg
import msgspec

from formwright import migrations
from formwright.bootstrap import open_house
from formwright.cli.demo import FIELDS
from formwright.core.access import actor as actors
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import AnyField, FormSettings
from formwright.domain.forms.model import Draft
from formwright.domain.keys import service as keys
from formwright.domain.keys.model import Wish
from formwright.domain.people import service as people
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.model import Import
from formwright.house import House
from formwright.settings import Settings

ACCOUNTS = 32
_BATCH = 500
_DRAFT = Draft("Site visit", "", [], msgspec.convert(FIELDS, list[AnyField]), FormSettings(), publish=True)

Answers = dict[str, object]


@dataclass(frozen=True, slots=True)
class Account:
    """An account, its key and its form."""

    id: str
    key: str
    form_id: str
    version_id: str


@dataclass(frozen=True, slots=True)
class Stock:
    """What was made. All of `rows` (id, time in lists, answers), in the order of lists, are of the first account."""

    accounts: list[Account]
    rows: list[tuple[str, int, Answers]]


def answers(number: int) -> Answers:
    """Ten answers, about 300 bytes of JSON."""
    return {
        "site": f"Harbour {number}, quay {number % 7}",
        "day": f"2026-03-{number % 28 + 1:02d}",
        "kind": ("routine", "complaint", "handover")[number % 3],
        "people": number % 40,
        "temperature": number % 300 / 10,
        "safe": number % 5 > 0,
        "seen": ["exits", "first_aid"],
        "order": number % 5 + 1,
        "contact": f"site{number}@example.org",
        "remarks": "The gate was open; the crane stood still. Größe und Maß geprüft, nothing to add for now.",
    }


async def make(settings: Settings, count: int) -> Stock:
    """Make the tables, the accounts, and `count` submissions of the first."""
    await migrations.upgrade(settings)
    async with open_house(settings) as house:
        accounts = [await _account(house, number) for number in range(ACCOUNTS)]
        rows = [row for first in range(0, count, _BATCH) for row in await _batch(house, accounts[0], first, count)]
    if settings.is_postgres:
        await _know(settings.database_url)
    return Stock(accounts, rows)


async def _know(url: str) -> None:
    """What the server does by itself within minutes: without figures of the tables it plans at random."""
    connection = await asyncpg.connect(url)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def _account(house: House, number: int) -> Account:
    async with house.db.writing() as tx:
        email = f"owner{number}@example.org"
        customer, _ = await people.open_account(tx, name="Bench", email=email, password_hash="")
        actor = actors.system(customer.id)
        _, key = await keys.add(tx, actor, Wish("Bench"), maker_name="Bench")
        form = await forms.create(tx, actor, _DRAFT)
    return Account(customer.id, key, form.id, form.published_version_id or "")


async def _batch(house: House, account: Account, first: int, count: int) -> list[tuple[str, int, Answers]]:
    actor = actors.system(account.id)
    async with house.db.writing() as tx:
        return [
            (made.id, made.at, handed.data)
            for handed in _handed(first, min(first + _BATCH, count))
            for made in [await submissions.bring_in(tx, actor, form_id=account.form_id, handed=handed)]
        ]


def _handed(first: int, end: int) -> Iterator[Import]:
    return (Import(answers(number)) for number in range(first, end))
