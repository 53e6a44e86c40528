"""Signed links to files, which need no API key and expire."""

import hmac
from dataclasses import dataclass
from hashlib import sha256

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from formwright.domain.files.models import FileLinkExpired, FileNotFound

LIFETIME_S = 15 * 60


@dataclass(frozen=True, slots=True)
class FileLink:
    """The query parameters of a link: the account, the expiry (seconds since 1970), and the signature of both."""

    customer: str
    expires: str
    signature: str


class FileLinkSigner:
    """Signs with a key derived (HKDF, RFC 5869) from the installation's secret key."""

    def __init__(self, secret_key: str) -> None:
        self._key = HKDF(SHA256(), 32, salt=None, info=b"formwright file links").derive(secret_key.encode())

    def sign(self, customer_id: str, file_id: str, now: int) -> FileLink:
        """Return a link that expires 15 minutes after `now` (ms)."""
        expires = str(now // 1000 + LIFETIME_S)
        return FileLink(customer_id, expires, self._signature(customer_id, file_id, expires))

    def verify(self, link: FileLink, file_id: str, now: int) -> None:
        """Raise `FileNotFound` if the signature is invalid, or `FileLinkExpired` if the link has expired."""
        expected = self._signature(link.customer, file_id, link.expires)
        if not hmac.compare_digest(expected.encode(), link.signature.encode()):
            raise FileNotFound()
        if now >= int(link.expires) * 1000:
            raise FileLinkExpired()

    def _signature(self, customer_id: str, file_id: str, expires: str) -> str:
        message = f"{customer_id}\n{file_id}\n{expires}".encode()
        return hmac.new(self._key, message, sha256).hexdigest()
