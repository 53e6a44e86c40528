"""Every command, run like an operator would."""

import asyncio
import json
import os
import random
import signal
import stat
import subprocess
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from factories.forms import FIELDS
from fixtures.metrics import read_metrics
from fixtures.ports import free_port
from fixtures.server_process import KILL_SECONDS, Server, command, eventually

from formwright import __version__
from formwright.settings import Settings

PASSWORD = "correct horse battery"
COMMANDS: dict[tuple[str, ...], tuple[str, ...]] = {
    ("serve",): (
        *("HOST", "PORT", "WORKERS", "DATA_DIR", "DATABASE_URL", "BASE_URL"),
        *("TLS_CERT", "TLS_KEY", "INSECURE_HTTP", "NO_WORKER", "DRAIN", "METRICS_PORT"),
    ),
    ("worker",): ("DATA_DIR", "DATABASE_URL", "METRICS_PORT"),
    ("demo",): ("BASE_URL", "PORT", "DATA_DIR", "DATABASE_URL"),
    ("account", "create"): ("PASSWORD", "DATA_DIR", "DATABASE_URL"),
    ("account", "list"): ("DATA_DIR", "DATABASE_URL"),
    ("keys", "create"): ("DATA_DIR", "DATABASE_URL"),
    ("keys", "list"): ("DATA_DIR", "DATABASE_URL"),
    ("keys", "update"): ("DATA_DIR", "DATABASE_URL"),
    ("keys", "revoke"): ("DATA_DIR", "DATABASE_URL"),
    ("backup",): ("DATA_DIR", "DATABASE_URL"),
    ("restore",): ("DATA_DIR", "DATABASE_URL"),
    ("person", "erase"): ("DATA_DIR", "DATABASE_URL"),
    ("export",): ("DATA_DIR", "DATABASE_URL"),
    ("db", "upgrade"): ("DATA_DIR", "DATABASE_URL"),
    ("db", "copy"): ("DATA_DIR",),
    ("db", "current"): ("DATA_DIR", "DATABASE_URL"),
    ("openapi",): (),
    ("version",): (),
}


@pytest.fixture
def server(own_settings: Settings) -> Iterator[Server]:
    created = Server(own_settings.data_dir, database_url=own_settings.database_url)
    yield created
    created.close()


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_help_lists_every_option_and_its_variable(words: tuple[str, ...]) -> None:
    done = command(*words, "--help")
    assert done.returncode == 0
    said = "".join(done.stdout.split())
    for variable in COMMANDS[words]:
        assert f"FORMWRIGHT_{variable}" in said


def test_each_group_of_commands_has_help() -> None:
    for group in {words[0] for words in COMMANDS if len(words) > 1}:
        assert command(group, "--help").returncode == 0


def test_without_arguments_all_commands_are_listed() -> None:
    said = command().stdout + command().stderr
    assert all(words[0] in said for words in COMMANDS)


def test_the_version_is_an_option_and_a_command() -> None:
    assert command("--version").stdout == command("version").stdout == f"{__version__}\n"


def test_the_openapi_document_is_printed() -> None:
    done = command("openapi")
    assert done.returncode == 0
    assert json.loads(done.stdout)["openapi"].startswith("3.1")


def test_the_demo_is_created_once(server: Server) -> None:
    first, second = server.demo(), server.demo()
    assert first == second
    assert set(first) == {"baseUrl", "customerId", "apiKey", "formId", "fillUrl", "email", "password"}
    assert first["fillUrl"].startswith(first["baseUrl"] + "/fill/")
    assert first["baseUrl"] == server.base_url
    kept = server.data / "demo.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE((server.data / "secret.key").stat().st_mode) == 0o600


def test_other_users_of_the_machine_cannot_read_the_data(server: Server) -> None:
    server.demo()
    databases = list(server.data.glob("formwright.sqlite3*"))
    assert databases or server.settings().is_postgres
    assert {stat.S_IMODE(path.stat().st_mode) for path in databases} <= {0o600}


@pytest.mark.slow
def test_the_upgrade_of_the_tables_is_reported(settings_without_tables: Settings) -> None:
    server = Server(settings_without_tables.data_dir, database_url=settings_without_tables.database_url)
    assert "No tables yet" in server.command("db", "current").stdout
    assert server.command("db", "upgrade").returncode == 0
    assert server.command("db", "upgrade").returncode == 0
    assert "up to date" in server.command("db", "current").stdout


async def test_an_account_and_its_keys_are_managed(server: Server) -> None:
    created = server.command(
        "account", "create", "--name", "Ark", "--email", "A@Example.org", "--password", PASSWORD, "--json"
    )
    account = json.loads(created.stdout)
    assert account["email"] == "a@example.org"
    customer = ("--customer", account["customerId"])
    key = json.loads(server.command("keys", "create", *customer, "--name", "Nightly", "--json").stdout)
    assert key["customerId"] == account["customerId"]
    listed = server.command("keys", "list", *customer).stdout
    assert key["id"] in listed
    assert "Nightly" in listed
    assert "never used" in listed
    assert key["apiKey"] not in listed

    await server.start()
    async with server.client(**{"x-api-key": key["apiKey"]}) as http:
        assert (await http.get("/api/v1.0/customers")).json()["items"][0]["name"] == "Ark"
        revoked = server.command("keys", "revoke", *customer, "--id", key["id"])
        assert revoked.returncode == 0
        assert (await http.get("/api/v1.0/customers")).status_code == 401
    assert server.command("keys", "list", *customer).stdout == ""
    assert "Demo" not in server.words(), "no demo account beside a real one"


@pytest.mark.slow
async def test_limits_of_a_key_are_set_and_changed(server: Server) -> None:
    created = server.command(
        "account", "create", "--name", "Ark", "--email", "a@example.org", "--password", PASSWORD, "--json"
    )
    customer = ("--customer", json.loads(created.stdout)["customerId"])
    await server.start()
    full = json.loads(server.command("keys", "create", *customer, "--name", "All", "--json").stdout)["apiKey"]
    async with server.client(**{"x-api-key": full}) as http:
        form_ids = []
        for name in ("Visit", "Count"):
            new_created = await http.post("/api/v1.0/forms", json={"name": name, "fields": FIELDS, "publish": True})
            form_ids.append(new_created.json()["id"])

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return server.command("keys", words[0], *customer, *words[1:])

    reads = ("--permission", "forms:read", "--permission", "submissions:read")
    limited = ("--form", form_ids[0], "--rate-limit", "100", "--expires", "2035-01-31")
    key = json.loads(run("create", "--name", "BI", *reads, *limited, "--json").stdout)
    assert key["apiKey"].startswith("fwl_")
    assert key["permissions"] == ["forms:read", "submissions:read"]
    assert key["formIds"] == [form_ids[0]]
    assert key["rateLimit"] == 100
    assert "limited to forms:read submissions:read for " + form_ids[0] in run("list").stdout
    for words in (
        ["--form", form_ids[0]],
        [*reads, "--read-only"],
        [*reads, "--form", "frm_x"],
        ["--permission", "all"],
    ):
        assert run("create", "--name", "Bad", *words).returncode != 0, words
    assert "Bad" not in run("list").stdout

    async with server.client(**{"x-api-key": key["apiKey"]}) as http:

        async def readable() -> list[int]:
            return [
                (await http.get(f"/api/v1.0/forms/customer/{key['customerId']}/forms/{form_id}")).status_code
                for form_id in form_ids
            ]

        # Twice, because the server caches keys.
        assert [await readable(), await readable()] == [[200, 404]] * 2
        answer = run("update", "--id", key["id"], *reads, "--form", form_ids[1], "--rate-limit", "50", "--json")
        changed = json.loads(answer.stdout)
        assert changed | {"apiKey": key["apiKey"]} == {**key, "formIds": [form_ids[1]], "rateLimit": 50}
        assert await readable() == [404, 200]
        assert run("update", "--id", key["id"], "--no-rate-limit", "--no-expiry", "--name", "New").returncode == 0
        account = (await http.get("/api/v1.0/customers")).json()["items"][0]
        assert account["key"]["name"] == "New"
        assert account["key"]["expiresAt"] is None
    for words in (
        ["--form", form_ids[0]],
        ["--no-expiry", "--expires", "2030-01-01"],
        ["--name", ""],
        ["--rate-limit", "0"],
    ):
        assert run("update", "--id", key["id"], *words).returncode != 0, words


async def test_a_backup_of_a_running_server_is_restored_elsewhere(server: Server, tmp_path: Path) -> None:
    demo = server.demo()
    target = tmp_path / "kept.tar.gz"
    taken = server.command("backup", str(target), "--without-database", "--json")
    assert (taken.returncode, json.loads(taken.stdout)["database"]) == (0, "none"), taken.stderr
    assert server.command("backup", str(target)).returncode == 1
    assert json.loads(command("restore", "--check", str(target), "--json").stdout)["files"] == 0
    assert "--replace" in server.command("restore", str(target)).stderr
    elsewhere = {"DATA_DIR": str(tmp_path / "elsewhere"), "DATABASE_URL": server.settings().database_url}
    assert command("restore", str(target), **elsewhere).returncode == 0
    assert json.loads((tmp_path / "elsewhere" / "demo.json").read_text())["apiKey"] == demo["apiKey"]


async def test_several_processes_serve_share_metrics_and_stop_cleanly(
    server: Server, record_property: Callable[[str, object], None]
) -> None:
    port = free_port()
    seconds = await server.start("--workers", "2", "--metrics-port", str(port))
    for _ in range(10):
        async with server.client() as http:
            assert (await http.get("/health/live")).status_code == 200
            assert (await http.get("/metrics")).status_code == 404

    async def all_counted() -> bool:
        # Either process responds, with the metrics of both.
        figures = await read_metrics(port)
        return figures.of("requests_total", operation="health-live", status="200") == 10

    assert await eventually(all_counted)
    figures = await read_metrics(port)
    assert [figures.of("process_resident_memory_bytes", process=number) > 0 for number in ("1", "2", "3")] == [
        *(True, True, False)
    ]
    status, took = await server.stop()
    assert (status, took < KILL_SECONDS) == (0, True), server.log()
    record_property("start_seconds", round(seconds, 2))
    assert "Traceback" not in server.log()


async def test_a_signal_during_the_start_stops_the_server(server: Server) -> None:
    server.spawn("serve", "--workers", "2")
    while "Formwright is at" not in server.words():
        assert server.running, server.log()
        await asyncio.sleep(0.01)
    # The worker processes are being started, so the signal arrives at any point of their start.
    await asyncio.sleep(random.uniform(0, 0.6))
    _, took = await server.stop()
    assert took < KILL_SECONDS, server.log()


async def test_a_server_starts_although_workers_of_a_killed_one_still_run(server: Server) -> None:
    await server.start("--workers", "2")
    left = server.kill_first()
    try:
        server.spawn("serve")
        while server.words().count("Formwright is at") < 2:
            assert server.running, server.log()
            await asyncio.sleep(0.01)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(left, signal.SIGKILL)


async def test_the_first_start_prints_the_next_steps_and_no_secret(server: Server) -> None:
    await server.start("--demo")
    demo, said = server.demo(), server.words()
    for word in (
        server.base_url + "/sign-in",
        demo["email"],
        str(server.data / "demo.json"),
        demo["fillUrl"],
        "ca.pem",
    ):
        assert word in said
    assert "first-owner" not in said
    for output in (said, server.log(), server.command("demo").stdout):
        assert demo["password"] not in output
        assert demo["apiKey"] not in output
    # The two lines are commands: the first reads the key, and the second uses it.
    lines = [line.partition(":")[2].strip() for line in said.splitlines() if "KEY" in line]
    done = await asyncio.to_thread(
        subprocess.run, ["sh", "-ec", "\n".join(lines)], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == {"items": [], "nextCursor": None, "next": None}


async def test_a_worker_stops_cleanly(server: Server) -> None:
    server.spawn("worker")
    while "running" not in server.words():
        assert server.running, server.log()
        await asyncio.sleep(0.01)
    status, took = await server.stop()
    assert (status, took < KILL_SECONDS) == (0, True), server.log()


async def test_plain_http_can_be_enabled_on_loopback(tmp_path: Path) -> None:
    server = Server(tmp_path, port=free_port())
    try:
        server.spawn("serve", "--demo", "--insecure-http", "--host", "127.0.0.1")
        while "sign-in" not in server.words():
            assert server.running, server.log()
            await asyncio.sleep(0.01)
        assert f"http://localhost:{server.port}/sign-in" in server.words()
        assert not (tmp_path / "tls").exists()
    finally:
        server.close()
