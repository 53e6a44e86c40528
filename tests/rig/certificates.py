"""A server's certificate for a test, and a client that trusts it."""

import ssl
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec


@dataclass(frozen=True)
class Certificates:
    """What the server shows, and what the client trusts."""

    server: ssl.SSLContext
    trusting: ssl.SSLContext


def made_in(folder: Path) -> Certificates:
    """A certificate for receiver.example, the names under it, and 127.0.0.1."""
    place = folder / "server.pem"
    _write_certificate(place)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(place)
    return Certificates(server, ssl.create_default_context(cafile=place))


def _write_certificate(place: Path) -> None:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "receiver.example")])
    names = [x509.DNSName("receiver.example"), x509.DNSName("*.receiver.example")]
    hosts = [*names, x509.IPAddress(IPv4Address("127.0.0.1"))]
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName(hosts), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    place.write_bytes(private + certificate.public_bytes(serialization.Encoding.PEM))
