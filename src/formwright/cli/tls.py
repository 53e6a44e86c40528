"""The certificate of `serve`: one created for localhost, or the operator's own, which is checked first."""

import fcntl
import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

from formwright.cli import certificate_authority
from formwright.cli.certificate_authority import CertificatePair, Names
from formwright.core.data_folder import make_private_folder

LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104 - these are listened on, but never part of a URL
RENEW_BEFORE = timedelta(days=30)


class CertificateError(ValueError):
    """A certificate or key cannot be used. The message is one line for the operator."""


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """The PEM files: the authority that clients can trust, the certificate chain of the server, and its key."""

    ca: Path
    cert: Path
    key: Path


def ensure_localhost_certificate(
    folder: Path, hosts: Sequence[str] = (), now: datetime | None = None
) -> CertificateFiles:
    """Return a certificate for localhost and `hosts`, stored in `folder`, and renew it if necessary.

    It is renewed if it is incomplete, has other names, or expires within 30 days. The authority is kept as long as it
    can sign for these names, so that clients that trust it need not trust another one. Processes that start at the same
    time share one certificate.
    """
    files = CertificateFiles(folder / "ca.pem", folder / "cert.pem", folder / "key.pem")
    names = _names(hosts)
    now = now or datetime.now(UTC)
    try:
        make_private_folder(folder)
        with _locked(folder / ".lock"):
            ca = _ensure_ca(files.ca, folder / "ca.key", names, now)
            _ensure_leaf(files, ca, names, now)
    except OSError as error:
        raise CertificateError(f"Cannot store a certificate in {folder}: {error.strerror}.") from error
    return files


def check_certificate(cert: Path, key: Path) -> None:
    """Raise `CertificateError` unless both files can be read and the key belongs to the first certificate."""
    if _read_key(key).public_key() != _read_chain(cert)[0].public_key():
        raise CertificateError(f"The key in {key} does not belong to the certificate in {cert}.")


def _ensure_ca(cert: Path, key: Path, names: Names, now: datetime) -> CertificatePair:
    stored = _read_pair(cert, key)
    if (
        stored
        and certificate_authority.may_sign(stored.cert, names)
        and certificate_authority.is_valid(stored.cert, now, now + certificate_authority.CERTIFICATE_LIFETIME)
    ):
        return stored
    new = certificate_authority.create_authority(names, now)
    _write(key, new.key_pem(), 0o600)
    _write(cert, new.cert_pem(), 0o644)
    return new


def _ensure_leaf(files: CertificateFiles, ca: CertificatePair, names: Names, now: datetime) -> None:
    stored = _read_pair(files.cert, files.key)
    if (
        stored
        and certificate_authority.has_exactly(stored.cert, names)
        and certificate_authority.is_valid(stored.cert, now, now + RENEW_BEFORE)
        and certificate_authority.is_signed_by(stored.cert, ca.cert)
        and _read_chain(files.cert)[1:] == [ca.cert]
    ):
        return
    new = certificate_authority.create_certificate(ca, names, now)
    # After a crash between the two, they do not match, and the next start creates both again.
    _write(files.key, new.key_pem(), 0o600)
    _write(files.cert, new.cert_pem() + ca.cert_pem(), 0o644)


def _names(hosts: Sequence[str]) -> Names:
    try:
        return certificate_authority.parse_names([*LOCAL_NAMES, *(host for host in hosts if host not in ANY_ADDRESS)])
    except ValueError as error:
        raise CertificateError(f"No certificate can be created for {', '.join(hosts)}: {error}.") from error


def _read_pair(cert: Path, key: Path) -> CertificatePair | None:
    """Return the certificate and key in two files; None if one is missing or damaged, or they do not match."""
    try:
        check_certificate(cert, key)
        secret = _read_key(key)
        return CertificatePair(_read_chain(cert)[0], secret) if isinstance(secret, ec.EllipticCurvePrivateKey) else None
    except CertificateError:
        return None


def _read_chain(path: Path) -> list[x509.Certificate]:
    try:
        return x509.load_pem_x509_certificates(path.read_bytes())
    except OSError as error:
        raise CertificateError(f"Cannot read the certificate {path}: {error.strerror}.") from error
    except ValueError as error:
        raise CertificateError(f"{path} does not contain a certificate in PEM format.") from error


def _read_key(path: Path) -> PrivateKeyTypes:
    try:
        return serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise CertificateError(f"Cannot read the key {path}: {error.strerror}.") from error
    except TypeError as error:
        raise CertificateError(f"The key {path} is encrypted with a password. Use a key without one.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{path} does not contain a private key in PEM format.") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold an exclusive lock on a file. The system releases it if the process dies."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write(path: Path, content: bytes, mode: int) -> None:
    """Write a file atomically. A secret file is never readable by others, not even for a moment."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    temporary = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        temporary.replace(path)
    except BaseException:
        temporary.unlink()
        raise
