"""Errors that the operator can fix: one clear line on standard error and a non-zero exit status, never a traceback."""

import socket
from collections.abc import Iterator
from pathlib import Path
from subprocess import CompletedProcess

import pytest
from fixtures.ports import free_port
from fixtures.server_process import command

from formwright.cli.tls import ensure_localhost_certificate


def _line(done: CompletedProcess[str]) -> str:
    assert done.returncode == 1, done.stderr
    assert done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("formwright: ")
    assert "Traceback" not in line
    return line


@pytest.fixture
def used_port() -> Iterator[int]:
    with socket.socket() as other:
        other.bind(("127.0.0.1", free_port()))
        other.listen()
        yield other.getsockname()[1]


def test_an_unreachable_database_is_reported_without_its_password(tmp_path: Path) -> None:
    port = free_port()
    url = f"postgresql://forms:hunter2secret@127.0.0.1:{port}/forms"
    for arguments in (["serve"], ["worker"], ["demo", "--json"], ["db", "upgrade"]):
        line = _line(command(*arguments, DATA_DIR=str(tmp_path), DATABASE_URL=url))
        assert f"127.0.0.1:{port}/forms" in line
        assert "cannot be reached" in line
        assert "hunter2secret" not in line


INVALID_URLS = [
    "mysql://x/y",
    "localhost/forms",
    "postgresql://[::1/hunter2secret",
    "postgresql://forms:hunter2secret@127.0.0.1:many/forms",
    "postgresql://forms:hunter2/secret@127.0.0.1/forms",
]


@pytest.mark.parametrize("url", INVALID_URLS)
def test_an_invalid_database_url_is_rejected(tmp_path: Path, used_port: int, url: str) -> None:
    options = {"DATA_DIR": str(tmp_path), "PORT": str(used_port)}
    line = _line(command("serve", "--database-url", url, **options))
    assert "FORMWRIGHT_DATABASE_URL" in line
    assert "postgresql://" in line
    assert "secret@" not in line
    primary = "postgresql://127.0.0.1/forms"
    line = _line(command("serve", "--database-url", primary, DATABASE_REPLICA=f"{primary},{url}", **options))
    assert "FORMWRIGHT_DATABASE_REPLICA" in line
    assert "secret@" not in line


@pytest.mark.slow
def test_a_port_in_use_is_reported(tmp_path: Path, used_port: int) -> None:
    line = _line(command("serve", "--port", str(used_port), DATA_DIR=str(tmp_path)))
    assert f"port {used_port}" in line
    assert "in use" in line


def test_metrics_cannot_use_the_port_of_the_server(tmp_path: Path, used_port: int) -> None:
    port = str(used_port)
    assert "--metrics-port" in _line(command("serve", "--port", port, "--metrics-port", port, DATA_DIR=str(tmp_path)))


def test_plain_http_is_rejected_except_on_loopback(tmp_path: Path) -> None:
    for host in ("0.0.0.0", "::", "192.0.2.1", "example.org"):
        line = _line(command("serve", "--insecure-http", "--host", host, DATA_DIR=str(tmp_path)))
        assert "loopback" in line


def test_an_unusable_certificate_is_reported(tmp_path: Path, used_port: int) -> None:
    ours = ensure_localhost_certificate(tmp_path / "ours")
    strange = ensure_localhost_certificate(tmp_path / "strange")
    broken = tmp_path / "broken.pem"
    broken.write_text("not a certificate")
    cases = {
        "does not belong": (ours.cert, strange.key),
        "does not contain a certificate": (broken, ours.key),
        "does not contain a private key": (ours.cert, broken),
        "Cannot read the certificate": (tmp_path / "nowhere.pem", ours.key),
        "Cannot read the key": (ours.cert, tmp_path),
    }
    for words, (cert, key) in cases.items():
        arguments = ("serve", "--port", str(used_port), "--tls-cert", str(cert), "--tls-key", str(key))
        assert words in _line(command(*arguments, DATA_DIR=str(tmp_path)))
    assert "together" in _line(command("serve", "--tls-cert", str(ours.cert), DATA_DIR=str(tmp_path)))


def test_a_read_only_data_folder_is_reported(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way")
    for arguments in (["serve"], ["demo"], ["db", "upgrade"], ["worker"]):
        assert str(place) in _line(command(*arguments, DATA_DIR=str(place)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("WEBHOOK_RETRY", "0,soon"),
        ("WEBHOOK_RETRY", "-1"),
        ("WEBHOOK_ALLOW", "10.0.0.0/99"),
        ("TRUSTED_PROXIES", "localhost"),
        ("BASE_URL", "forms.example.org"),
        ("LOG_LEVEL", "loud"),
        ("SECRET_KEY", "short"),
        ("SMTP_URL", "mail.example.org"),
        ("MAIL_FROM", "nobody"),
    ],
)
def test_an_invalid_setting_is_reported_before_the_port(tmp_path: Path, used_port: int, name: str, value: str) -> None:
    line = _line(command("serve", "--port", str(used_port), **{"DATA_DIR": str(tmp_path), name: value}))
    assert f"FORMWRIGHT_{name}" in line
    assert not (tmp_path / "formwright.sqlite3").exists()


def test_a_missing_installation_and_an_unknown_account_are_reported(tmp_path: Path) -> None:
    data = {"DATA_DIR": str(tmp_path)}
    nobody = ["--customer", "cus_01h455vb4pex5vsknk084sn02q"]
    assert f"no installation in {tmp_path}" in _line(command("keys", "create", *nobody, "--name", "x", **data))
    assert list(tmp_path.iterdir()) == []
    assert command("db", "upgrade", **data).returncode == 0
    assert "There is no such account" in _line(command("keys", "revoke", *nobody, "--id", "key_x", **data))


def test_a_missing_password_is_reported_without_a_terminal(tmp_path: Path) -> None:
    arguments = ("--email", "a@example.org", "--name", "A")
    assert "FORMWRIGHT_PASSWORD" in _line(command("account", "create", *arguments, DATA_DIR=str(tmp_path)))


@pytest.mark.parametrize(
    "arguments",
    [
        ["--email", "nobody", "--name", "A"],
        ["--email", "a@example.org", "--name", " "],
        ["--email", "a@example.org", "--name", "A", "--password", "short"],
    ],
)
def test_invalid_account_details_are_rejected(tmp_path: Path, arguments: list[str]) -> None:
    line = _line(command("account", "create", *arguments, DATA_DIR=str(tmp_path), PASSWORD="correct horse battery"))
    assert "short" not in line


def test_an_unknown_or_invalid_option_is_reported() -> None:
    for named, arguments in {
        "--port": ["serve", "--port", "70000"],
        "--color": ["serve", "--color"],
        "swerve": ["swerve"],
    }.items():
        done = command(*arguments)
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        assert named in done.stderr


def test_an_inaccessible_path_is_reported(tmp_path: Path) -> None:
    long = tmp_path / ("x" * 300)
    for arguments in (
        ["backup", str(long)],
        ["restore", str(long / "a.tar")],
        ["person", "export", "--customer", "cus_1", "--email", "ann@example.org", "--output", str(long)],
        ["account", "list", "--data-dir", str(long)],
        ["keys", "list", "--customer", "cus_1", "--data-dir", str(long)],
        ["db", "copy", "--to", "postgresql://localhost/x", "--data-dir", str(long)],
    ):
        line = _line(command(*arguments, DATA_DIR=str(tmp_path)))
        assert "x" * 300 in line
        assert "name too long" in line
