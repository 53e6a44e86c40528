"""The certificate that `serve` shows: one made here for localhost, or the operator's own, looked at before its use."""

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
ANY_ADDRESS = {"0.0.0.0", "::"}  # noqa: S104  (listened on, but called by nobody)
RENEW_BEFORE = timedelta(days=30)


class CertificateError(ValueError):
    """A certificate or key cannot be used; the text is one line for the operator."""


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """The files, all PEM: what clients may choose to trust, the chain a server shows, and its key."""

    ca: Path
    cert: Path
    key: Path


def ensure_localhost_certificate(
    folder: Path, hosts: Sequence[str] = (), now: datetime | None = None
) -> CertificateFiles:
    """A certificate for localhost and `hosts`, kept in `folder` and remade only when it is no longer good.

    Good is: whole, for exactly these names, and for 30 more days. The authority behind it stays for as long as it can
    speak for these names, so that whoever trusts it need not do so again. Processes that start at once share one.
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
        raise CertificateError(f"Cannot keep a certificate in {folder}: {error.strerror}.") from error
    return files


def check_certificate(cert: Path, key: Path) -> None:
    """Raises CertificateError unless both files can be read and the key is that of the (first) certificate."""
    if _read_key(key).public_key() != _read_chain(cert)[0].public_key():
        raise CertificateError(f"The key in {key} does not belong to the certificate in {cert}.")


def _ensure_ca(cert: Path, key: Path, names: Names, now: datetime) -> CertificatePair:
    kept = _read_pair(cert, key)
    if (
        kept
        and certificate_authority.may_sign(kept.cert, names)
        and certificate_authority.is_valid(kept.cert, now, now + certificate_authority.CERTIFICATE_LIFETIME)
    ):
        return kept
    made = certificate_authority.create_authority(names, now)
    _write(key, made.key_pem(), 0o600)
    _write(cert, made.cert_pem(), 0o644)
    return made


def _ensure_leaf(files: CertificateFiles, ca: CertificatePair, names: Names, now: datetime) -> None:
    kept = _read_pair(files.cert, files.key)
    if (
        kept
        and certificate_authority.has_exactly(kept.cert, names)
        and certificate_authority.is_valid(kept.cert, now, now + RENEW_BEFORE)
        and certificate_authority.is_signed_by(kept.cert, ca.cert)
        and _read_chain(files.cert)[1:] == [ca.cert]
    ):
        return
    made = certificate_authority.create_certificate(ca, names, now)
    _write(files.key, made.key_pem(), 0o600)
    _write(files.cert, made.cert_pem() + ca.cert_pem(), 0o644)


def _names(hosts: Sequence[str]) -> Names:
    try:
        return certificate_authority.parse_names([*LOCAL_NAMES, *(host for host in hosts if host not in ANY_ADDRESS)])
    except ValueError as error:
        raise CertificateError(f"No certificate can be made for {', '.join(hosts)}: {error}.") from error


def _read_pair(cert: Path, key: Path) -> CertificatePair | None:
    """What two files of ours hold; None where one is gone or damaged, or they do not belong together."""
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
        raise CertificateError(f"{path} holds no certificate in PEM form.") from error


def _read_key(path: Path) -> PrivateKeyTypes:
    try:
        return serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise CertificateError(f"Cannot read the key {path}: {error.strerror}.") from error
    except TypeError as error:
        raise CertificateError(f"The key {path} is locked with a password; give one that is not.") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise CertificateError(f"{path} holds no private key in PEM form.") from error


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Holds the file's lock, which the system lets go of should the process die."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _write(path: Path, content: bytes, mode: int) -> None:
    """Puts the file there whole or not at all; a secret one is never readable by others, not for a moment."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    fresh = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            os.fchmod(descriptor, mode)
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        fresh.replace(path)
    except BaseException:
        fresh.unlink()
        raise
