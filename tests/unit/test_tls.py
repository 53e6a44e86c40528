"""The certificate for localhost, which strict clients accept and which is renewed in time, and custom certificates."""

import asyncio
import os
import ssl
import stat
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

import formwright
from formwright.cli import certificate_authority
from formwright.cli.tls import CertificateError, CertificateFiles, check_certificate, ensure_localhost_certificate

NOW = datetime(2031, 3, 1, tzinfo=UTC)


def _server_context(cert: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def _client_context(ca: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=ca)
    context.verify_flags |= ssl.VERIFY_X509_STRICT | ssl.VERIFY_X509_PARTIAL_CHAIN
    return context


async def _greet(name: str, certificate: CertificateFiles, ca: Path | None = None) -> bytes:
    """Connect as a strict client to a server with this name, and return what it sends."""

    async def answer(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"hello\n")
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(answer, "127.0.0.1", 0, ssl=_server_context(certificate.cert, certificate.key))
    async with server:
        port = server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", port, ssl=_client_context(ca or certificate.ca), server_hostname=name
        )
        heard = await reader.readline()
        writer.close()
        return heard


def _contents(certificate: CertificateFiles) -> list[bytes]:
    return [certificate.ca.read_bytes(), certificate.cert.read_bytes(), certificate.key.read_bytes()]


def _leaf(certificate: CertificateFiles) -> x509.Certificate:
    return x509.load_pem_x509_certificates(certificate.cert.read_bytes())[0]


@pytest.mark.parametrize("name", ["localhost", "127.0.0.1", "::1", "forms.example.org", "192.0.2.7", "büro.example"])
async def test_a_strict_client_that_trusts_the_authority_accepts_every_name(tmp_path: Path, name: str) -> None:
    certificate = ensure_localhost_certificate(tmp_path, ["forms.example.org", "192.0.2.7", "büro.example"])
    assert await _greet(name, certificate) == b"hello\n"


async def test_a_name_that_is_not_in_the_certificate_is_rejected(tmp_path: Path) -> None:
    certificate = ensure_localhost_certificate(tmp_path)
    with pytest.raises(ssl.SSLCertVerificationError, match="Hostname mismatch"):
        await _greet("forms.example.org", certificate)


async def test_a_client_that_trusts_another_authority_rejects_the_certificate(tmp_path: Path) -> None:
    certificate = ensure_localhost_certificate(tmp_path / "one")
    other = ensure_localhost_certificate(tmp_path / "two")
    with pytest.raises(ssl.SSLCertVerificationError):
        await _greet("localhost", certificate, other.ca)


async def test_the_authority_is_restricted_to_its_names(tmp_path: Path) -> None:
    certificate = ensure_localhost_certificate(tmp_path)
    key = serialization.load_pem_private_key((tmp_path / "ca.key").read_bytes(), None)
    assert isinstance(key, ec.EllipticCurvePrivateKey)
    ca = certificate_authority.CertificatePair(x509.load_pem_x509_certificate(certificate.ca.read_bytes()), key)
    forged = certificate_authority.create_certificate(
        ca, certificate_authority.parse_names(["bank.example"]), datetime.now(UTC)
    )
    certificate.cert.write_bytes(forged.cert_pem() + ca.cert_pem())
    certificate.key.write_bytes(forged.key_pem())
    with pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"):
        await _greet("bank.example", certificate)


def test_keys_are_readable_to_the_owner_only(tmp_path: Path) -> None:
    ensure_localhost_certificate(tmp_path)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.glob("*.*") if path.name != ".lock"}
    assert modes == {"ca.pem": 0o644, "ca.key": 0o600, "cert.pem": 0o644, "key.pem": 0o600}


def test_the_certificate_is_valid_for_397_days(tmp_path: Path) -> None:
    leaf = _leaf(ensure_localhost_certificate(tmp_path))
    assert leaf.not_valid_after_utc - leaf.not_valid_before_utc == timedelta(days=397)


def test_a_valid_certificate_is_kept(tmp_path: Path) -> None:
    first = _contents(ensure_localhost_certificate(tmp_path, now=NOW))
    assert _contents(ensure_localhost_certificate(tmp_path, now=NOW + timedelta(days=366))) == first


def test_the_certificate_is_renewed_30_days_before_it_expires(tmp_path: Path) -> None:
    ca, cert, key = _contents(ensure_localhost_certificate(tmp_path, now=NOW))
    again = _contents(ensure_localhost_certificate(tmp_path, now=NOW + timedelta(days=368)))
    assert again[0] == ca
    assert again[1] != cert
    assert again[2] != key


def test_the_authority_is_renewed_before_it_expires(tmp_path: Path) -> None:
    ca, *_ = _contents(ensure_localhost_certificate(tmp_path, now=NOW))
    assert _contents(ensure_localhost_certificate(tmp_path, now=NOW + timedelta(days=3300)))[0] != ca


def test_changed_names_renew_the_certificate(tmp_path: Path) -> None:
    ensure_localhost_certificate(tmp_path, now=NOW)
    more = ensure_localhost_certificate(tmp_path, ["forms.example.org"], now=NOW)
    ca = more.ca.read_bytes()
    assert certificate_authority.has_exactly(
        _leaf(more), certificate_authority.parse_names(["localhost", "127.0.0.1", "::1", "forms.example.org"])
    )
    fewer = ensure_localhost_certificate(tmp_path, now=NOW)
    assert certificate_authority.has_exactly(
        _leaf(fewer), certificate_authority.parse_names(["localhost", "127.0.0.1", "::1"])
    )
    assert fewer.ca.read_bytes() == ca


def test_wildcard_addresses_are_not_in_the_certificate(tmp_path: Path) -> None:
    certificate = ensure_localhost_certificate(tmp_path, ["0.0.0.0", "::"])
    assert certificate_authority.has_exactly(
        _leaf(certificate), certificate_authority.parse_names(["localhost", "127.0.0.1", "::1"])
    )


@pytest.mark.parametrize("name", ["ca.pem", "ca.key", "cert.pem", "key.pem"])
@pytest.mark.parametrize(
    "damage", [b"", b"\x00\xffnonsense", b"-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]
)
async def test_a_damaged_file_is_replaced(tmp_path: Path, name: str, damage: bytes) -> None:
    ensure_localhost_certificate(tmp_path)
    (tmp_path / name).write_bytes(damage)
    assert await _greet("localhost", ensure_localhost_certificate(tmp_path)) == b"hello\n"


@pytest.mark.parametrize("name", ["ca.pem", "ca.key", "cert.pem", "key.pem"])
async def test_a_foreign_file_is_replaced(tmp_path: Path, name: str) -> None:
    ensure_localhost_certificate(tmp_path / "here")
    ensure_localhost_certificate(tmp_path / "elsewhere")
    (tmp_path / "elsewhere" / name).replace(tmp_path / "here" / name)
    assert await _greet("localhost", ensure_localhost_certificate(tmp_path / "here")) == b"hello\n"


async def test_processes_that_start_simultaneously_share_a_certificate(tmp_path: Path) -> None:
    code = (
        "import pathlib, sys; from formwright.cli.tls import ensure_localhost_certificate as ensure\n"
        "sys.stdin.readline(); made = ensure(pathlib.Path(sys.argv[1]))\n"
        "sys.stdout.write(made.ca.read_text() + made.cert.read_text() + made.key.read_text())"
    )
    environment = {**os.environ, "PYTHONPATH": str(Path(formwright.__file__).parents[1])}
    start = partial(asyncio.create_subprocess_exec, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
    processes = [await start(sys.executable, "-c", code, str(tmp_path)) for _ in range(4)]
    message = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))
    assert [process.returncode for process in processes] == [0, 0, 0, 0]
    assert len(set(message)) == 1
    assert await _greet("localhost", ensure_localhost_certificate(tmp_path)) == b"hello\n"


def test_no_partial_files_remain(tmp_path: Path) -> None:
    ensure_localhost_certificate(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {".lock", "ca.pem", "ca.key", "cert.pem", "key.pem"}


def test_a_folder_that_cannot_be_created_is_reported_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(CertificateError, match=r"^Cannot store a certificate in .*/file/tls: Not a directory\.$"):
        ensure_localhost_certificate(tmp_path / "file" / "tls")


def test_an_invalid_host_is_reported_in_one_line(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"^No certificate can be created for a\.\.b: .+\.$"):
        ensure_localhost_certificate(tmp_path, ["a..b"])


def test_the_operators_own_certificate_is_accepted(tmp_path: Path) -> None:
    certificate = ensure_localhost_certificate(tmp_path)
    check_certificate(certificate.cert, certificate.key)


@pytest.mark.parametrize(
    ("cert", "key", "message"),
    [
        ("gone.pem", "key.pem", r"^Cannot read the certificate .*gone\.pem: No such file or directory\.$"),
        ("cert.pem", "gone.pem", r"^Cannot read the key .*gone\.pem: No such file or directory\.$"),
        ("key.pem", "key.pem", r"key\.pem does not contain a certificate in PEM format\.$"),
        ("cert.pem", "cert.pem", r"cert\.pem does not contain a private key in PEM format\.$"),
        ("cert.pem", "ca.key", r"ca\.key does not belong to the certificate in .*cert\.pem\.$"),
        ("cert.pem", "locked.pem", r"locked\.pem is encrypted with a password\. Use a key without one\.$"),
    ],
)
def test_unusable_certificates_are_reported_in_one_line(tmp_path: Path, cert: str, key: str, message: str) -> None:
    ensure_localhost_certificate(tmp_path)
    locked = serialization.BestAvailableEncryption(b"secret")
    (tmp_path / "locked.pem").write_bytes(
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked
        )
    )
    with pytest.raises(CertificateError, match=message) as raised:
        check_certificate(tmp_path / cert, tmp_path / key)
    assert "\n" not in str(raised.value)
