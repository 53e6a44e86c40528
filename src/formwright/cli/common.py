"""Options shared by several commands, and functions that run commands with a context."""

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
from formwright.core.garbage_collection import tune_garbage_collection
from formwright.domain.customers.service import CustomerNotFound
from formwright.settings import Settings, SettingsError

T = TypeVar("T")

DataDir = Annotated[
    Path | None,
    typer.Option(
        "--data-dir",
        envvar="FORMWRIGHT_DATA_DIR",
        help="The folder of the database, keys and files. [default: data in a checkout, else the user's data folder]",
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database-url",
        envvar="FORMWRIGHT_DATABASE_URL",
        help="A postgresql:// URL, instead of SQLite in the data folder.",
    ),
]
Customer = Annotated[str, typer.Option(help="The id of the account, cus_….")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


def load_settings(**options: object) -> Settings:
    """Return the settings of this command.

    Options that were used are set in the environment, so that the processes of the server find them.
    """
    for name, value in options.items():
        if value is not None and value is not False:
            os.environ[f"FORMWRIGHT_{name.upper()}"] = "1" if value is True else str(value)
    return Settings.from_environment()


def with_context(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    """Upgrade the tables, run `work` with an application context, and return its result."""
    return asyncio.run(_run_with_context(settings, work))


async def _run_with_context(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    await migrations.upgrade(settings)
    request_context.set_actor(actor.system("", "Command line"))
    async with open_context(settings) as ctx:
        tune_garbage_collection()
        return await work(ctx)


def with_migrated_context(settings: Settings, work: Callable[[AppContext], Awaitable[T]]) -> T:
    """Like `with_context`, for an existing installation, and with `run_to_completion`.

    Raises `SettingsError` if there is no installation, because a misspelt folder must not become a new one.
    """
    if not settings.is_postgres and not settings.sqlite_path.exists():
        raise SettingsError(
            f"There is no installation in {settings.data_dir}: name the data folder with --data-dir, or the database"
            " with --database-url."
        )
    try:
        return run_to_completion(_run_with_context(settings, work))
    except CustomerNotFound:
        raise SettingsError("There is no such account. `formwright account list` lists all accounts.") from None


def run_to_completion(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine. If SIGINT or SIGTERM arrives, it is cancelled, and can clean up before the command ends."""
    previous = {number: signal.signal(number, _raise_interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        return asyncio.run(work)
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _raise_interrupt(number: int, frame: object) -> None:
    raise KeyboardInterrupt


def print_result(result: dict[str, object], *, as_json: bool) -> None:
    """Print a result: as one JSON object, or as one line per value."""
    if as_json:
        typer.echo(msgspec.json.encode(result).decode())
        return
    width = max(len(name) for name in result)
    for name, value in result.items():
        text = " ".join(map(str, value)) if isinstance(value, list) else value
        typer.echo(f"{name:<{width}}  {text}")
