"""Fixtures for all tests: an application on each database, and accounts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_network

import hypothesis
import pytest
import pytest_asyncio
import structlog
from actors import Account, Stage
from factories.openapi_validator import check
from factories.sample_account import World, world
from fixtures import postgres
from fixtures.citus import upgrade_and_distribute
from fixtures.statement_recorder import hearing, strangers

from formwright.app import create_app
from formwright.asgi.middleware import RequestMiddleware
from formwright.context import AppContext
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings

pytest_plugins = [
    "fixtures.plugin",
    "fixtures.run_errors",
    "fixtures.browser",
    "fixtures.empty_databases",
    "fixtures.accounts",
    "fixtures.feed",
    "fixtures.scim",
    "fixtures.object_storage",
]

BASE_URL = "https://forms.test"


def _drop_information(_: object, method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Drop the entries of ordinary requests, whose formatting takes longer than the request in some tests."""
    if method in ("debug", "info"):
        raise structlog.DropEvent
    return event


# Tests of log entries use `capture_logs`, which replaces the processors, or configure the log themselves.
structlog.configure(processors=[_drop_information, *structlog.get_config()["processors"]])

# No test may fail because the machine is slow.
hypothesis.settings.register_profile(
    "tests", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow], print_blob=True
)
hypothesis.settings.load_profile("tests")


@pytest.fixture(scope="session", params=["sqlite", "postgres"])
def settings(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Settings:
    """Settings for each database in turn: a test that uses this, or anything based on it, runs on both."""
    url = ""
    if request.param == "postgres":
        server: postgres.Server = request.getfixturevalue("postgres_cluster")
        url = server.create_database(f"formwright_{worker_id}")
    return Settings(
        data_dir=tmp_path_factory.mktemp(f"data_{request.param}"),
        database_url=url,
        embedded_worker=False,
        rate_limit=0,
        allowed_hosts=("forms.test", "forms.example.org"),
        webhook_allow=(ip_network("127.0.0.0/8"),),
        log_level="error",
    )


@pytest_asyncio.fixture(scope="session")
async def stage(settings: Settings, report_run_error: Callable[[str], None]) -> AsyncIterator[Stage]:
    """The application on one database, with fast password hashing, shared by all tests of this process."""
    await upgrade_and_distribute(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    with hearing() as heard:
        async with _alive(entrance):
            stage = Stage(entrance, entrance.app.state.ctx, BASE_URL)
            tables = await _owned_tables(stage.ctx)
            yield stage
    strange = [] if settings.is_postgres else strangers(heard, tables)  # The statements of both databases are the same.
    if strange:
        text = f"these ran and name no customer, see tests/fixtures/cross_account_statements.py: {strange}"
        report_run_error(text)


async def _owned_tables(ctx: AppContext) -> set[str]:
    async with ctx.db.reading() as tx:
        rows = await tx.fetch(
            "/*postgres SELECT table_name FROM information_schema.columns WHERE column_name = 'customer_id'*/"
            "/*sqlite SELECT m.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE c.name = 'customer_id'*/"
        )
    return {row[0] for row in rows}


@asynccontextmanager
async def _alive(entrance: RequestMiddleware) -> AsyncIterator[None]:
    """Run the application's lifespan in one task: a fixture starts and stops in two, which cancel scopes forbid."""
    started, over = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with entrance.app.lifespan():
            started.set()
            await over.wait()

    life = asyncio.create_task(live())
    waiting = asyncio.create_task(started.wait())
    await asyncio.wait([life, waiting], return_when=asyncio.FIRST_COMPLETED)
    waiting.cancel()
    if not started.is_set():
        await life
    yield
    over.set()
    await life


@pytest_asyncio.fixture
async def account(stage: Stage) -> AsyncIterator[Account]:
    """A new account that no other test knows."""
    async with stage.account() as account:
        yield account


@pytest_asyncio.fixture(scope="session")
async def standing(stage: Stage) -> AsyncIterator[World]:
    """An account with one of everything, shared by all tests of this process, which must not change it."""
    async with stage.account("Standing") as created:
        furnished = await world(created)
        created.api.event_hooks["response"].append(check)
        yield furnished


@pytest_asyncio.fixture(scope="session")
async def elsewhere(stage: Stage) -> AsyncIterator[World]:
    """Another account with one of everything, which the first must not see."""
    async with stage.account("Elsewhere") as created:
        yield await world(created)


@pytest_asyncio.fixture
async def stranger(stage: Stage) -> AsyncIterator[Account]:
    """Another account, which must not see or change anything of the first."""
    async with stage.account("Stranger") as created:
        yield created
