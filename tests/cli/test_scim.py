"""`formwright scim`: the operator switches provisioning on and off."""

import asyncio
import json

import pytest
from cli.test_accounts import add_account
from fixtures.app_contexts import open_migrated_context

from formwright.cli import scim
from formwright.core.errors import Invalid
from formwright.domain.api_keys.models import KeyUnknown
from formwright.domain.provisioning import tokens
from formwright.settings import Settings, SettingsError


@pytest.fixture
def settings(own_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(own_settings.data_dir))
    monkeypatch.setenv("FORMWRIGHT_DATABASE_URL", own_settings.database_url)
    return own_settings


async def find_account(settings: Settings, secret: str) -> str:
    """Return the account of a token; "" if it is unknown."""
    async with open_migrated_context(settings) as ctx, ctx.db.reading() as tx:
        try:
            return (await tokens.authenticate(tx, secret))[1].customer_id
        except KeyUnknown:
            return ""


def test_a_token_is_printed_replaced_and_revoked(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    customer = asyncio.run(add_account(settings))
    scim.enable_scim(customer, as_json=True)
    first = json.loads(capsys.readouterr().out)
    assert sorted(first) == ["baseUrl", "token"]
    assert first["baseUrl"].endswith("/scim/v2")
    assert asyncio.run(find_account(settings, first["token"])) == customer
    scim.enable_scim(customer, name="Entra ID", as_json=True)
    second = json.loads(capsys.readouterr().out)["token"]
    assert asyncio.run(find_account(settings, first["token"])) == ""
    assert asyncio.run(find_account(settings, second)) == customer
    scim.disable_scim(customer)
    assert asyncio.run(find_account(settings, second)) == ""
    for name in ("", "x" * 101, "a\nb"):
        with pytest.raises(Invalid):
            scim.enable_scim(customer, name=name)
    with pytest.raises(SettingsError):
        scim.enable_scim("cus_01h455vb4pex5vsknk084sn02q")
