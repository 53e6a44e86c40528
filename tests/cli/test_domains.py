"""`formwright domains`: the operator claims email domains for single sign-on."""

import asyncio
import json

import pytest
from cli.test_accounts import add_account

from formwright.cli import domains
from formwright.core.errors import Invalid
from formwright.settings import Settings, SettingsError


@pytest.fixture
def settings(own_settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("FORMWRIGHT_DATA_DIR", str(own_settings.data_dir))
    monkeypatch.setenv("FORMWRIGHT_DATABASE_URL", own_settings.database_url)
    return own_settings


def test_domains_are_claimed_listed_and_released(settings: Settings, capsys: pytest.CaptureFixture[str]) -> None:
    customer = asyncio.run(add_account(settings))
    for domain in ("Example.ORG", "@example.org", "b.example"):
        domains.claim_domain(customer, domain, as_json=True)
    domains.list_domains(customer, as_json=True)
    found = [json.loads(line)["domains"] for line in capsys.readouterr().out.splitlines()]
    assert found == [["example.org"], ["example.org"], *[["b.example", "example.org"]] * 2]
    for domain in ("nodots", "a b.example", "münchen.example", "x" * 300 + ".example", ""):
        with pytest.raises(Invalid):
            domains.claim_domain(customer, domain)
    domains.release_domain(customer, "example.org", as_json=True)
    assert json.loads(capsys.readouterr().out)["domains"] == ["b.example"]
    with pytest.raises(SettingsError):
        domains.claim_domain("cus_01h455vb4pex5vsknk084sn02q", "c.example")
