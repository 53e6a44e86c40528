"""Options that several commands take, each also a `FORMWRIGHT_…` variable, and what becomes of them."""

import asyncio
import os
import signal
from collections.abc import Awaitable, Callable, Coroutine
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec
import typer

from formwright import migrations
from formwright.bootstrap import open_context
from formwright.context import AppContext
from formwright.core.auth import actor, request_context
from formwright.domain.customers.service import CustomerNotFound
from formwright.settings import Settings, SettingsError

T = TypeVar("T")

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir", envvar="FORMWRIGHT_DATA_DIR", help="Folder of the database, keys and files. [default: data]"
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url", envvar="FORMWRIGHT_DATABASE_URL", help="postgresql://… instead of SQLite in the data folder."
    ),
]
Customer = Annotated[str, typer.Option(help="The account's id, cus_….")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def load_settings(**given: object) -> Settings:
    """The settings of this command. What was given goes into the environment, where the server's processes find it."""
    for name, value in given.items():
        if value is not None and value is not False:
            os.environ[f"FORMWRIGHT_{name.upper()}"] = "1" if value is True else str(value)
    return Settings.from_environment()


def with_context(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    """Do something in the house, once its tables are up to date."""
    return asyncio.run(_in_house(settings, work))


async def _in_house(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    await migrations.upgrade(settings)
    request_context.set_actor(actor.system("", "Command line"))
    async with open_context(settings) as ctx:
        return await work(ctx)


def with_migrated_context(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    """The same, to the end, where there is an installation already: a folder that was misspelt must not become one."""
    if not settings.is_postgres and not settings.sqlite_path.exists():
        raise SettingsError(
            f"There is no installation in {settings.data_dir}: name the data folder with --data-dir, or the database"
            " with --database-url."
        )
    try:
        return run_to_completion(_in_house(settings, work))
    except CustomerNotFound:
        raise SettingsError("There is no such account here. `account list` shows those there are.") from None


def run_to_completion(work: Coroutine[Any, Any, T]) -> T:
    """Do it. Who ends it by a signal, at whatever point, has it put its things away first."""
    before = {number: signal.signal(number, _stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(work)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _stop(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def print_result(answer: dict[str, object], *, as_json: bool) -> None:
    """Print an answer: as JSON for programs, else a line each."""
    if as_json:
        typer.echo(msgspec.json.encode(answer).decode())
        return
    width = max(len(name) for name in answer)
    for name, value in answer.items():
        typer.echo(f"{name:<{width}}  {value}")
