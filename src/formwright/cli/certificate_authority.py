"""A local certificate authority for the names of this machine, and the certificates it signs.

Does not use files or the clock. Each authority is limited to its names (RFC 5280, 4.2.1.10), so that a stolen key
cannot be used for other sites.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import ip_address, ip_network

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

CERTIFICATE_LIFETIME = timedelta(days=397)  # Some browsers reject certificates that are valid for longer.
AUTHORITY_LIFETIME = timedelta(days=3650)
CLOCK_SKEW = timedelta(hours=1)

Names = frozenset[x509.GeneralName]


@dataclass(frozen=True, slots=True)
class CertificatePair:
    """A certificate and its key."""

    cert: x509.Certificate
    key: ec.EllipticCurvePrivateKey

    def cert_pem(self) -> bytes:
        return self.cert.public_bytes(serialization.Encoding.PEM)

    def key_pem(self) -> bytes:
        form = serialization.PrivateFormat.PKCS8
        return self.key.private_bytes(serialization.Encoding.PEM, form, serialization.NoEncryption())


def parse_names(hosts: Iterable[str]) -> Names:
    """Return host names and IP addresses as they appear in certificates. Raises ValueError for anything else."""
    return frozenset(_name(host) for host in hosts)


def create_authority(names: Names, now: datetime) -> CertificatePair:
    """Create an authority that can only sign certificates for `names`."""
    key = ec.generate_private_key(ec.SECP256R1())
    # The number in its name distinguishes several authorities in a browser's list.
    subject = _subject(f"Formwright local authority {x509.random_serial_number() % 10**6:06}")
    usage = _key_usage(signs_certificates=True)
    constraints = x509.NameConstraints([_name_constraint(name) for name in _sorted_names(names)], None)
    unsigned = (
        _certificate_builder(subject, subject, key.public_key(), now, AUTHORITY_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(usage, critical=True)
        .add_extension(constraints, critical=True)
    )
    return CertificatePair(unsigned.sign(key, hashes.SHA256()), key)


def create_certificate(ca: CertificatePair, names: Names, now: datetime) -> CertificatePair:
    """Create a key and a server certificate for these names, signed by the authority."""
    key = ec.generate_private_key(ec.SECP256R1())
    issuer_id = ca.cert.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
    unsigned = (
        _certificate_builder(_subject("Formwright"), ca.cert.subject, key.public_key(), now, CERTIFICATE_LIFETIME)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(_key_usage(signs_certificates=False), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer_id), critical=False)
        .add_extension(x509.SubjectAlternativeName(_sorted_names(names)), critical=False)
    )
    return CertificatePair(unsigned.sign(ca.key, hashes.SHA256()), key)


def is_valid(cert: x509.Certificate, now: datetime, until: datetime) -> bool:
    """Return whether the certificate is valid from `now` to `until`."""
    return cert.not_valid_before_utc <= now and until <= cert.not_valid_after_utc


def may_sign(ca: x509.Certificate, names: Names) -> bool:
    """Return whether `ca` is a local authority for all these names."""
    try:
        permitted = ca.extensions.get_extension_for_class(x509.NameConstraints).value.permitted_subtrees
    except x509.ExtensionNotFound:
        return False
    return {_name_constraint(name) for name in names} <= set(permitted or ())


def has_exactly(leaf: x509.Certificate, names: Names) -> bool:
    """Return whether the certificate is for exactly these names."""
    try:
        return set(leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value) == names
    except x509.ExtensionNotFound:
        return False


def is_signed_by(leaf: x509.Certificate, ca: x509.Certificate) -> bool:
    try:
        leaf.verify_directly_issued_by(ca)
    except (ValueError, TypeError, InvalidSignature, UnsupportedAlgorithm):
        return False
    return True


def _certificate_builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, now: datetime, lifetime: timedelta
) -> x509.CertificateBuilder:
    # Clients whose clock is slow would otherwise reject a certificate that was just created.
    start = now - CLOCK_SKEW
    return x509.CertificateBuilder(
        subject_name=subject,
        issuer_name=issuer,
        public_key=key,
        serial_number=x509.random_serial_number(),
        not_valid_before=start,
        not_valid_after=start + lifetime,
    ).add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)


def _subject(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _key_usage(*, signs_certificates: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=not signs_certificates,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs_certificates,
        crl_sign=signs_certificates,
        encipher_only=False,
        decipher_only=False,
    )


def _name(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ip_address(host))
    except ValueError:
        return x509.DNSName(host.lower().encode("idna").decode("ascii"))


def _name_constraint(name: x509.GeneralName) -> x509.GeneralName:
    """Return a name constraint: for an IP address, the network that contains only this address."""
    return x509.IPAddress(ip_network(name.value)) if isinstance(name, x509.IPAddress) else name


def _sorted_names(names: Names) -> list[x509.GeneralName]:
    return sorted(names, key=lambda name: (isinstance(name, x509.IPAddress), str(name.value)))
