"""The data of the benchmarks: accounts with a form of ten fields, and submissions of the first account."""

from collections.abc import Sequence
from dataclasses import dataclass

import asyncpg
import msgspec

from formwright import migrations
from formwright.api.pagination import encode_cursor, list_of
from formwright.bootstrap import open_context
from formwright.cli.demo import FIELDS
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.pagination import Position
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import NewForm
from formwright.domain.submissions import store
from formwright.domain.submissions.models import Submission, SubmissionStatus
from formwright.domain.users import service as people
from formwright.settings import Settings

ACCOUNTS = 32
LIST = "/api/v1.0/submissions"
_BATCH = 20_000
SINCE, STEP_MS = 1_600_000_000_000, 1000

Answers = dict[str, object]


@dataclass(frozen=True, slots=True)
class Account:
    """An account with its key and its form."""

    id: str
    key: str
    form_id: str
    version_id: str


@dataclass(frozen=True, slots=True)
class Dataset:
    """The created data. All `rows` (id, list time, answers), in list order, belong to the first account."""

    accounts: list[Account]
    rows: list[tuple[str, int, Answers]]


def build_answers(number: int) -> Answers:
    """Return ten answers, about 300 bytes of JSON."""
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


async def create_dataset(settings: Settings, count: int) -> Dataset:
    """Create the tables, the accounts, and `count` submissions of the first one."""
    await migrations.upgrade(settings)
    async with open_context(settings) as ctx:
        accounts = [await create_account(ctx, number) for number in range(ACCOUNTS)]
        rows = [row for first in range(0, count, _BATCH) for row in await _insert_batch(ctx, accounts[0], first, count)]
    if settings.is_postgres:
        await analyze(settings.database_url)
    return Dataset(accounts, rows)


async def analyze(url: str) -> None:
    """Do what the server would do by itself within minutes: without statistics, its plans are random."""
    connection = await asyncpg.connect(url)
    await connection.execute("VACUUM ANALYZE")
    await connection.close()


async def create_account(ctx: AppContext, number: int, fields: Sequence[dict[str, object]] = FIELDS) -> Account:
    """Create an account with a key and a published form with these fields."""
    async with ctx.db.writing() as tx:
        email = f"owner{number}@example.org"
        customer, _ = await people.open_account(tx, name="Bench", email=email, password_hash="")
        actor = actors.system(customer.id)
        _, key = await keys.create(tx, actor, KeyProperties("Bench"), maker_name="Bench")
        draft = NewForm("Site visit", "", [], msgspec.convert(fields, list[AnyField]), FormSettings(), publish=True)
        form = await forms.create(tx, actor, draft)
    return Account(customer.id, key, form.id, form.published_version_id or "")


async def _insert_batch(ctx: AppContext, account: Account, first: int, count: int) -> list[tuple[str, int, Answers]]:
    """Insert a batch of rows directly, because the service functions create one at a time."""
    records = [_submission(account, number) for number in range(first, min(first + _BATCH, count))]
    async with ctx.db.writing() as tx:
        await tx.copy("submissions", store.COLUMNS, [store.to_row(record) for record in records])
    return [(record.id, record.at, build_answers(number)) for number, record in enumerate(records, first)]


def _submission(account: Account, number: int) -> Submission:
    return build_submission(account.id, account.form_id, account.version_id, number)


def build_submission(customer_id: str, form_id: str, version_id: str, number: int) -> Submission:
    """Return a submission as it is stored; there is one every second."""
    at = SINCE + number * STEP_MS
    return Submission(
        id=make_id("sub", number),
        customer_id=customer_id,
        form_id=form_id,
        version_id=version_id,
        status=SubmissionStatus.SUBMITTED,
        data=msgspec.json.encode(build_answers(number)).decode(),
        external_id=None,
        user_id=None,
        task_id=None,
        client_id=None,
        location=None,
        lookups=None,
        started=at,
        submitted=at,
        created=at,
        updated=at,
        revision=1,
        updated_by=make_id("key", 1),
    )


def make_id(prefix: str, number: int) -> str:
    """Return a valid id that rises with the number."""
    return f"{prefix}_{number:026d}"


def cursor_at(customer_id: str, number: int) -> str:
    """Return the cursor after this submission in the unfiltered list."""
    place = Position(SINCE + number * STEP_MS, make_id("sub", number))
    return encode_cursor(place, list_of(customer_id, LIST, []))
