"""`formwright account list`: the accounts and how much they contain."""

import asyncio
import json
from pathlib import Path

import pytest
from cli.test_export import create_submissions
from fixtures.app_contexts import open_migrated_context

from formwright.cli import accounts
from formwright.core.auth import actor as actors
from formwright.domain.users import management
from formwright.domain.users import service as people
from formwright.domain.users.models import NewUser
from formwright.settings import Settings, SettingsError

NAME = "Hafen & “co” 🚢"


@pytest.fixture
def settings(own_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(own_settings.data_dir))
    monkeypatch.setenv("FORMWRIGHT_DATABASE_URL", own_settings.database_url)
    return own_settings


async def add_account(settings: Settings) -> str:
    """Add an account with two users and no form."""
    async with open_migrated_context(settings) as ctx, ctx.db.writing() as tx:
        account, _ = await people.open_account(tx, name=NAME, email="b@example.org", password_hash="")
        await management.invite(tx, actors.system(account.id), NewUser("c@example.org", "Cleo", "en"))
        return account.id


def test_accounts_are_listed_oldest_first(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, _ = asyncio.run(create_submissions(settings, 3))
    second = asyncio.run(add_account(settings))
    accounts.list_accounts(as_json=True)
    items = json.loads(capsys.readouterr().out)["items"]
    assert [item["created"].endswith("Z") and item.pop("created") > "2020" for item in items] == [True, True]
    nothing_more = {"moreSubmissions": False}
    assert items == [
        {"customerId": first, "name": "Ark", "people": 1, "forms": 1, "submissions": 3, **nothing_more},
        {"customerId": second, "name": NAME, "people": 2, "forms": 0, "submissions": 0, **nothing_more},
    ]

    monkeypatch.setattr(accounts, "_COUNTED", 2)
    accounts.list_accounts()
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["Account", "Name", "Created", "People", "Forms", "Submissions"]
    assert [line.split()[0] for line in lines] == [first, second]
    assert [line.split()[-3:] for line in lines] == [["1", "1", "2+"], ["2", "0", "0"]]
    assert {len(line) for line in lines} == {len(head)}, "columns are aligned with their headings"
    accounts.list_accounts(as_json=True)
    one = json.loads(capsys.readouterr().out)["items"][0]
    assert (one["submissions"], one["moreSubmissions"]) == (2, True)


def test_an_empty_installation_and_a_missing_one_are_reported(
    settings: Settings, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    accounts.list_accounts(as_json=True)
    assert json.loads(capsys.readouterr().out) == {"items": []}
    monkeypatch.delenv("FORMWRIGHT_DATABASE_URL")
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(tmp_path / "misspelt"))
    with pytest.raises(SettingsError, match="no installation"):
        accounts.list_accounts()
