"""The demo account is created once, in an empty installation, and stays as its owner leaves it."""

import asyncio
import json
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fixtures.app_contexts import open_migrated_context
from fixtures.ports import free_port
from fixtures.server_process import Server, command, eventually

from formwright.cli.demo import EMAIL, create_demo, demo_path
from formwright.cli.welcome import welcome
from formwright.core.auth import actor as actors
from formwright.domain.api_keys import service as keys
from formwright.domain.users import service as people
from formwright.settings import Settings

STARTS = 10


@pytest.fixture
def server(own_settings: Settings) -> Iterator[Server]:
    arguments = Server(own_settings.data_dir, database_url=own_settings.database_url)
    yield arguments
    arguments.close()


async def test_a_changed_password_and_a_revoked_key_survive_ten_starts(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as ctx:
        await welcome(ctx, "https://localhost:1", with_demo=True)
        kept = json.loads(demo_path(ctx).read_text())
        assert stat.S_IMODE(demo_path(ctx).stat().st_mode) == 0o600
        changed = await ctx.passwords.hash("quite another one")
        async with ctx.db.writing() as tx:
            [owner] = await people.find_credentials(tx, EMAIL)
            demo = actors.system(owner.customer_id)
            await people.set_password(tx, demo, owner.user_id, changed)
            [key] = await keys.list_active(tx, demo)
            await keys.revoke(tx, demo, key_id=key.id)
        for _ in range(STARTS):
            said = await welcome(ctx, "https://localhost:1", with_demo=True)
            assert f"as {EMAIL} with the password in" in said
            assert kept["password"] not in said
            assert kept["apiKey"] not in said
            assert "first-owner" not in said
        async with ctx.db.reading() as tx:
            [owner] = await people.find_credentials(tx, EMAIL)
            assert owner.password_hash == changed
            assert list(await keys.list_active(tx, demo)) == []
        assert json.loads(demo_path(ctx).read_text()) == kept


async def test_the_form_of_an_older_file_has_its_path(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as ctx:
        await welcome(ctx, "https://localhost:1", with_demo=True)
        kept = json.loads(demo_path(ctx).read_text())
        for missing in (["fillPath"], ["fillPath", "formId", "customerId"]):
            demo_path(ctx).write_text(json.dumps({name: kept[name] for name in kept if name not in missing}))
            said = await welcome(ctx, "https://localhost:1", with_demo=True)
            assert f"Form to fill:    https://localhost:1{kept['fillPath']}" in said.splitlines()[-1]
            assert kept["fillPath"].startswith("/fill/")


async def test_concurrent_starts_create_one_demo(own_settings: Settings) -> None:
    async with open_migrated_context(own_settings) as one, open_migrated_context(own_settings) as other:
        await asyncio.gather(*(create_demo(ctx) for ctx in (one, other) * 3))
        async with one.db.reading() as tx:
            [owner] = await people.find_credentials(tx, EMAIL)
        assert await one.passwords.verify(json.loads(demo_path(one).read_text())["password"], owner.password_hash)


async def test_the_demo_is_only_created_on_request_and_without_other_accounts(server: Server) -> None:
    await server.start()
    assert EMAIL not in server.words()
    arguments = [
        "account",
        "create",
        "--name",
        "Ark",
        "--email",
        "a@example.org",
        "--password",
        "correct horse battery",
    ]
    assert server.command(*arguments).returncode == 0
    refused = server.command("demo")
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert "empty installation" in refused.stderr
    assert not (server.data / "demo.json").exists()


async def test_the_demo_uses_the_address_of_the_running_server(tmp_path: Path) -> None:
    def demo(*arguments: str) -> dict[str, str]:
        found: dict[str, str] = json.loads(command("demo", "--json", *arguments, DATA_DIR=str(tmp_path)).stdout)
        return found

    async def is_up() -> bool:
        async with httpx.AsyncClient() as http:
            try:
                return (await http.get(f"http://localhost:{port}/health/live")).status_code == 200
            except httpx.TransportError:
                return False

    port, server = free_port(), Server(tmp_path)
    try:
        server.spawn("serve", "--insecure-http", "--host", "127.0.0.1", "--port", str(port))
        await eventually(is_up, 60)
        assert demo()["baseUrl"] == f"http://localhost:{port}"
        assert demo("--base-url", "https://forms.example.org")["baseUrl"] == "https://forms.example.org"
        assert demo("--port", "9000")["baseUrl"] == "https://localhost:9000"
        async with httpx.AsyncClient() as http:
            assert (await http.get(demo()["fillUrl"], timeout=30)).status_code == 200
    finally:
        server.close()
    # The killed server left its record behind.
    assert demo()["baseUrl"] == "https://localhost:8443"
