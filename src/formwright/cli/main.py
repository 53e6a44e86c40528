"""The `formwright` command. Errors that the operator can fix are printed as one line."""

import asyncio
import os
import signal
import sys
import textwrap
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated

import typer

from formwright import __version__, logging_config, migrations
from formwright.api.openapi import document
from formwright.backup.models import BackupError
from formwright.bootstrap import check_settings, open_context
from formwright.cli import accounts, domains, keys, personal_data, scim, serve, settings_reference
from formwright.cli import backup as backup_commands
from formwright.cli.common import AsJson, DatabaseUrl, DataDir, load_settings, print_result, with_context
from formwright.cli.demo import load_demo
from formwright.cli.export import export
from formwright.cli.server_record import record_server, running_base_url
from formwright.cli.tls import CertificateError
from formwright.cli.welcome import welcome
from formwright.core.db.interface import DatabaseUnreachable
from formwright.core.errors import DomainError, Invalid
from formwright.core.garbage_collection import tune_garbage_collection
from formwright.migrations import distribute as distribute_module
from formwright.settings import Settings, SettingsError
from formwright.telemetry import metrics, tracing
from formwright.telemetry.exporter import serve_metrics
from formwright.worker.runner import build_loops
from formwright.worker.subscriber_alerts import retry_policy_from

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
database = typer.Typer(no_args_is_help=True, rich_markup_mode=None, help="Maintain the tables of the database.")
app.add_typer(database, name="db")
app.add_typer(accounts.account, name="account")
app.add_typer(keys.keys_app, name="keys")
app.add_typer(domains.domains_app, name="domains")
app.add_typer(scim.scim_app, name="scim")
app.command("backup")(backup_commands.backup_command)
app.command("restore")(backup_commands.restore_command)
database.command("copy")(backup_commands.copy_command)
app.add_typer(personal_data.person, name="person")

Host = Annotated[str, typer.Option(envvar="FORMWRIGHT_HOST", help="The address to listen on.")]
Port = Annotated[int, typer.Option(envvar="FORMWRIGHT_PORT", min=1, max=65535, help="The port to listen on.")]
DemoPort = Annotated[
    int | None,
    typer.Option(
        envvar="FORMWRIGHT_PORT",
        min=1,
        max=65535,
        help="The port of the server. [default: that of the running server, or 8443]",
    ),
]
BaseUrl = Annotated[
    str | None,
    typer.Option(envvar="FORMWRIGHT_BASE_URL", help="The public URL used in links. [default: that of the request]"),
]
InsecureHttp = Annotated[
    bool,
    typer.Option(
        "--insecure-http", envvar="FORMWRIGHT_INSECURE_HTTP", help="Serve plain HTTP, on loopback addresses only."
    ),
]


MetricsPort = Annotated[
    int | None,
    typer.Option(
        envvar="FORMWRIGHT_METRICS_PORT", min=0, max=65535, help="The port of the metrics for Prometheus; 0: none."
    ),
]


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Collect data with forms, and integrate it with other systems."""


def main() -> int:
    """Run a command and return its exit status.

    Errors that the operator can fix are printed as one line on standard error, with exit status 1.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # A terminal that cannot print a character must not hide a key that was just created.
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except (
        SettingsError,
        CertificateError,
        DatabaseUnreachable,
        DomainError,
        BackupError,
        distribute_module.NotDistributable,
    ) as error:
        return _print_error(
            " ".join(fault.detail for fault in error.faults) if isinstance(error, Invalid) else str(error)
        )
    except OSError as error:
        if error.filename is None:
            raise
        return _print_error(f"{error.filename}: {error.strerror}.")
    return 0


def _print_error(message: str) -> int:
    sys.stderr.write(f"formwright: {' '.join(message.split())}\n")
    return 1


@app.command("serve")
def serve_command(
    host: Host = "localhost",
    port: Port = serve.PORT,
    workers: Annotated[
        int, typer.Option(envvar="FORMWRIGHT_WORKERS", min=1, max=64, help="The number of processes.")
    ] = 1,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
    base_url: BaseUrl = None,
    tls_cert: Annotated[
        Path | None, typer.Option(envvar="FORMWRIGHT_TLS_CERT", help="Your certificate chain (PEM).")
    ] = None,
    tls_key: Annotated[
        Path | None, typer.Option(envvar="FORMWRIGHT_TLS_KEY", help="The key of the certificate (PEM).")
    ] = None,
    insecure_http: InsecureHttp = False,
    no_worker: Annotated[
        bool,
        typer.Option(
            "--no-worker", envvar="FORMWRIGHT_NO_WORKER", help="Leave background work to `formwright worker`."
        ),
    ] = False,
    drain: Annotated[
        float,
        typer.Option(
            envvar="FORMWRIGHT_DRAIN",
            min=0,
            max=600,
            help="Seconds to keep serving after SIGTERM, while /health/ready returns 503.",
        ),
    ] = 0,
    metrics_port: MetricsPort = None,
    with_demo: Annotated[
        bool, typer.Option("--demo", help="Create the demo account if there is no account, as `make run` does.")
    ] = False,
) -> None:
    """Serve the API and the pages, with an embedded worker."""
    settings = load_settings(
        host=host,
        data_dir=data_dir,
        database_url=database_url,
        base_url=base_url,
        insecure_http=insecure_http,
        no_worker=no_worker,
        metrics_port=metrics_port,
    )
    logging_config.configure(settings.log_level)
    retry_policy_from(settings)
    check_settings(settings)
    serve.warn_if_accessible(settings.data_dir)
    options = serve.resolve_listen_options(
        settings, host=host, port=port, workers=workers, cert=tls_cert, key=tls_key, drain=drain
    )
    serve.check_metrics_port(settings)
    base_url = settings.base_url or options.base_url
    typer.echo(with_context(settings, lambda ctx: welcome(ctx, base_url, with_demo=with_demo)))
    sys.stdout.flush()
    with metrics.shared_folder(settings), record_server(settings.data_dir, base_url):
        serve.run(options)


@app.command()
def worker(data_dir: DataDir = None, database_url: DatabaseUrl = None, metrics_port: MetricsPort = None) -> None:
    """Deliver webhooks, send emails and pull data sources, for servers with --no-worker."""
    settings = load_settings(data_dir=data_dir, database_url=database_url, metrics_port=metrics_port)
    logging_config.configure(settings.log_level)
    retry_policy_from(settings)
    check_settings(settings)
    serve.warn_if_accessible(settings.data_dir)
    serve.check_metrics_port(settings)
    with metrics.shared_folder(settings):
        asyncio.run(_work(settings))


async def _work(settings: Settings) -> None:
    await migrations.upgrade(settings)
    meter = metrics.create_metrics(settings)
    async with open_context(settings, metrics=meter, tracer=tracing.create_tracer()) as ctx:
        loops, _ = build_loops(ctx)
        loops += [serve_metrics(ctx, meter)] if meter else []
        tune_garbage_collection()
        jobs = asyncio.gather(*loops, return_exceptions=True)
        for stop in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(stop, jobs.cancel)
        typer.echo("The worker is running. Stop it with Ctrl+C: it finishes its current work first.")
        with suppress(asyncio.CancelledError):
            await jobs


@app.command("demo")
def demo_command(
    as_json: AsJson = False,
    base_url: BaseUrl = None,
    port: DemoPort = None,
    insecure_http: InsecureHttp = False,
    data_dir: DataDir = None,
    database_url: DatabaseUrl = None,
) -> None:
    """Create the demo account if there is no account, and print its URLs; with --json also its secrets."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    default = f"{'http' if insecure_http else 'https'}://localhost:{port or serve.PORT}"
    address = base_url or (default if port else None) or running_base_url(settings.data_dir) or default
    properties: dict[str, object] = dict(with_context(settings, lambda ctx: load_demo(ctx, address)))
    if not as_json:
        # A terminal may be visible to others and a log persists, so the secrets stay in the file.
        properties |= dict.fromkeys(("apiKey", "password"), f"in {settings.data_dir / 'demo.json'}")
    print_result(properties, as_json=as_json)


@database.command()
def upgrade(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Upgrade the tables to the newest revision."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    typer.echo(f"The tables are at revision {asyncio.run(migrations.upgrade(settings))}.")


@database.command()
def current(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Show the revision of the tables, and the newest one."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    here, newest = asyncio.run(migrations.current(settings))
    behind = f"the newest is {newest}; run `formwright db upgrade`"
    newer = f"newer than this version, which knows {newest}"
    state = "up to date" if here == newest else newer if here and here > newest else behind
    typer.echo(f"{here or 'No tables yet'} ({state})")


app.command("export")(export)


@app.command("settings")
def settings_command(
    markdown: Annotated[
        bool, typer.Option("--markdown", help="As a Markdown table, as in docs/reference/settings.md.")
    ] = False,
) -> None:
    """List the settings, whether they are set, and what they mean."""
    if markdown:
        typer.echo(settings_reference.render_table(typer.main.get_command(app)), nl=False)
        return
    for setting in settings_reference.SETTINGS:
        typer.echo(f"{setting.variable}  ({'set' if os.environ.get(setting.variable) else setting.default})")
        typer.echo(textwrap.fill(setting.meaning, 100, initial_indent="    ", subsequent_indent="    "))


@database.command()
def distribute(data_dir: DataDir = None, database_url: DatabaseUrl = None) -> None:
    """Distribute the tables over a Citus cluster, by account. After an upgrade: the new tables."""
    settings = load_settings(data_dir=data_dir, database_url=database_url)
    if not settings.is_postgres:
        raise SettingsError("Only PostgreSQL can be distributed: set FORMWRIGHT_DATABASE_URL.")
    result = asyncio.run(distribute_module.distribute(settings.database_url))
    typer.echo(
        f"{len(result.distributed)} tables are now distributed by account; {len(result.unchanged)} were distributed"
        f" before. Old rows of {len(result.cleared)} tables were removed from the coordinator."
    )


@app.command("openapi")
def openapi_command() -> None:
    """Print the OpenAPI document."""
    typer.echo(document.format_document(), nl=False)


@app.command("version")
def version_command() -> None:
    """Print the version, like `formwright --version`."""
    typer.echo(__version__)
