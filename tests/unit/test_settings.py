"""Settings from the environment."""

import os
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

import pytest

from formwright import settings as settings_module
from formwright.bootstrap import open_context
from formwright.settings import Settings, SettingsError
from formwright.settings.parsers import between
from formwright.settings.setting import declared_settings, setting


def read(**given: str) -> Settings:
    return Settings.from_environment({f"FORMWRIGHT_{name}": value for name, value in given.items()})


def test_the_default_is_sqlite_in_the_data_folder() -> None:
    settings = read()
    assert settings == Settings()
    assert (settings.data_dir, settings.is_postgres) == (Path("data"), False)
    assert settings.sqlite_path == Path("data/formwright.sqlite3")
    assert settings.exports_folder == Path("data/exports")
    assert (settings.embedded_worker, settings.insecure_http) == (True, False)


def test_outside_a_checkout_the_default_is_the_users_data_folder_unless_there_is_an_installation_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings_module, "__file__", str(tmp_path / "lib/site-packages/formwright/settings.py"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "own"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").mkdir()
    assert read().data_dir == tmp_path / "own" / "formwright"
    assert read(DATA_DIR="here").data_dir == Path("here")
    (tmp_path / "data" / "secret.key").touch()
    assert read().data_dir == Path("data")


def test_without_a_home_folder_the_data_folder_must_be_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings_module, "__file__", str(tmp_path / "lib/site-packages/formwright/settings.py"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    monkeypatch.delenv("HOME")
    monkeypatch.setattr(os, "getuid", lambda: 54321)  # As in a container that runs as a user who is not in its passwd.
    assert read(DATA_DIR="here").data_dir == Path("here")
    with pytest.raises(SettingsError, match="FORMWRIGHT_DATA_DIR"):
        read()


def test_empty_values_count_as_unset() -> None:
    names = ["DATA_DIR", "DATABASE_URL", "BASE_URL", "WEBHOOK_ALLOW", "INSECURE_HTTP", "LOG_LEVEL"]
    assert read(**dict.fromkeys(names, " ")) == Settings()


def test_a_setting_of_an_earlier_version_is_ignored() -> None:
    assert read(EXPORTS_DIR="/mnt/exports") == Settings()


def test_all_settings() -> None:
    settings = read(
        DATA_DIR="/srv/forms",
        DATABASE_URL="postgresql://u:p@db/forms",
        BASE_URL="https://forms.example.org/",
        WEBHOOK_ALLOW="10.0.0.0/8, fd00::/8",
        TRUSTED_PROXIES="192.168.1.4",
        DATABASE_REPLICA="postgresql://db-2/forms, postgresql://db-3/forms",
        SECRET_KEY="s" * 32,
        INSECURE_HTTP="yes",
        NO_WORKER="1",
        LOG_LEVEL="DEBUG",
    )
    assert settings.is_postgres
    assert settings.database_replicas == ("postgresql://db-2/forms", "postgresql://db-3/forms")
    assert settings.base_url == "https://forms.example.org"
    assert settings.webhook_allow == (ip_network("10.0.0.0/8"), ip_network("fd00::/8"))
    assert settings.trusted_proxies == (ip_network("192.168.1.4/32"),)
    assert (settings.insecure_http, settings.embedded_worker, settings.log_level) == (True, False, "debug")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", "mysql://db/forms"),
        ("DATABASE_URL", "forms.sqlite3"),
        ("DATABASE_POOLER", "statement"),
        ("DATABASE_REPLICA", "postgresql://db-2/forms"),
        ("BASE_URL", "forms.example.org"),
        ("BASE_URL", "https://"),
        ("BASE_URL", "https://forms example.org"),
        ("BASE_URL", "https://forms.example.org?a=b"),
        ("BASE_URL", "https://[::1"),
        ("BASE_URL", "https://forms.example.org:https"),
        ("FILES_URL", "s3://[bucket"),
        ("WEBHOOK_ALLOW", "10.0.0.1/8"),
        ("WEBHOOK_ALLOW", "localhost"),
        ("TRUSTED_PROXIES", "10.0.0.0/33"),
        ("INSECURE_HTTP", "maybe"),
        ("NO_WORKER", "2"),
        ("LOG_LEVEL", "loud"),
        ("SLOW_MS", "-1"),
        ("SLOW_MS", "1s"),
        ("METRICS_PORT", "65536"),
        ("METRICS_PORT", "off"),
        ("REQUEST_SECONDS", "a minute"),
        ("CORS_ORIGINS", "app.example.org"),
        ("CORS_ORIGINS", "https://"),
        ("CORS_ORIGINS", "https://[::1"),
        ("CORS_ORIGINS", "https://app.example.org/"),
        ("CORS_ORIGINS", "https://a.example.org, ftp://b.example.org"),
        ("MAP_FILE", "/nowhere/world.pmtiles"),
        ("MAP_FILE", __file__),
        ("MAP_TILES", "tiles/{z}/{x}/{y}.png"),
        ("MAP_TILES", "https://tiles.example.org/{z}/{x}.png"),
        ("MAP_TILES", "https://{s}.example.org/{z}/{x}/{y}.png"),
        ("MAP_TILES", "https://example.org;script-src/{z}/{x}/{y}.png"),
    ],
)
def test_invalid_values_are_reported_with_the_name_of_the_setting(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"FORMWRIGHT_{name}"):
        read(**{name: value})


def test_secrets_are_not_shown() -> None:
    secret = "s" * 32
    found = read(SECRET_KEY=secret, SMTP_URL=f"smtp://ann:{secret}@mail.example.org", **OIDC, OIDC_CLIENT_SECRET=secret)
    assert found.oidc
    assert (found.oidc.client_secret, found.oidc.name) == (secret, "login.example.org")
    assert secret not in repr(found)


OIDC = {"OIDC_ISSUER": "https://login.example.org/staff", "OIDC_CLIENT_ID": "forms"}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("ISSUER", ""),
        ("ISSUER", "login.example.org"),
        ("ISSUER", "https://"),
        ("ISSUER", "https://[::1"),
        ("ISSUER", "https://ann:s3cret@login.example.org"),
        ("ISSUER", "https://login.example.org/?realm=1"),
        ("CLIENT_ID", ""),
        ("CLIENT_ID", "x" * 256),
        ("CLIENT_SECRET", "s3cret" * 200),
        ("NAME", "a\nb"),
        ("NAME", "x" * 101),
        ("SCOPES", "email profile"),
        ("SCOPES", 'openid "'),
        ("DOMAINS", "example"),
        ("DOMAINS", "example.org, münchen.example"),
        ("ACCOUNT", "acme"),
        ("GROUP_CLAIM", "groups"),
        ("GROUPS", "Crew"),
        ("REQUIRED", "owners"),
        ("SIGN_OUT", "2"),
    ],
)
def test_an_invalid_provider_is_reported_without_its_secrets(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=f"FORMWRIGHT_OIDC_{name}") as refused:
        read(**OIDC | {f"OIDC_{name}": value})
    assert "s3cret" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SMTP_URL", "smtp://ann:secret@mail.example.org?ttl=1"),
        ("SMTP_URL", "smtp://ann:secret/word@mail.example.org"),
        ("SMTP_URL", "smtp://ann:secret@[mail"),
        ("MAIL_FROM", "Forms"),
    ],
)
async def test_invalid_mail_settings_are_rejected_at_startup(name: str, value: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=f"FORMWRIGHT_{name}") as failure:
        async with open_context(read(**{name: value, "DATA_DIR": str(tmp_path)})):
            pass
    assert "secret" not in str(failure.value)


@pytest.mark.parametrize(
    "text",
    [
        "p:secret@proxy",
        "socks5://p:secret@proxy:1080",
        "http://",
        "http://p:secret@proxy:x/",
        "http://secret/a",
        "http://[x",
    ],
)
def test_an_invalid_proxy_url_is_rejected_without_being_quoted(text: str) -> None:
    with pytest.raises(SettingsError, match="FORMWRIGHT_EGRESS_PROXY must be") as refused:
        read(EGRESS_PROXY=text)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("text", ["6", "0", "-1", "thirty", "1e3", "36501", "٣٠"])
def test_invalid_retention_periods_are_rejected(text: str) -> None:
    for name in ("EVENT_DAYS", "DELIVERY_DAYS"):
        with pytest.raises(SettingsError, match=f"FORMWRIGHT_{name} must be 7 to 36500 days"):
            read(**{name: text})


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "ten", "3601", "٣٠"])
def test_invalid_timeouts_are_rejected(text: str) -> None:
    for name, most in (("WEBHOOK_TIMEOUT", 60), ("WEBHOOK_HOLD", 3600)):
        with pytest.raises(SettingsError, match=f"FORMWRIGHT_{name} must be 1 to {most} seconds"):
            read(**{name: text})


@dataclass(frozen=True, slots=True)
class ExtendedSettings(Settings):
    """Settings with one more."""

    nap_s: int = setting(5, "How long to wait.", between(1, 60, "seconds"), name="NAP_SECONDS")


def test_one_declaration_is_enough_to_read_and_document_a_setting() -> None:
    nap = dict(declared_settings(ExtendedSettings))["nap_s"]
    assert (nap.variable, nap.default) == ("FORMWRIGHT_NAP_SECONDS", "5")
    assert ExtendedSettings.from_environment({}) == ExtendedSettings()
    read_settings = ExtendedSettings.from_environment({"FORMWRIGHT_NAP_SECONDS": " 7 ", "FORMWRIGHT_SLOW_MS": "20"})
    assert isinstance(read_settings, ExtendedSettings)
    assert (read_settings.nap_s, read_settings.slow_ms) == (7, 20)
    with pytest.raises(SettingsError, match="FORMWRIGHT_NAP_SECONDS must be 1 to 60 seconds, not '61'"):
        ExtendedSettings.from_environment({"FORMWRIGHT_NAP_SECONDS": "61"})


@pytest.mark.parametrize("text", ["61", "0000061", "0", "000", "-1", "6.0", "٦", "", "1" * 5000])
def test_a_number_outside_its_bounds_is_rejected(text: str) -> None:
    parse = between(1, 60, "seconds")
    assert parse("NAP", "0060") == 60
    with pytest.raises(SettingsError, match="NAP must be 1 to 60 seconds"):
        parse("NAP", text)
