"""Signed links to files, which need no API key and expire."""

import hmac
from dataclasses import asdict, dataclass
from hashlib import sha256
from urllib.parse import urlencode

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from formwright.domain.files.models import FileLinkExpired, FileNotFound

LIFETIME_S = 15 * 60
"""Short, because whoever has a link has the file (decision 11)."""
_FOREVER = "32503680000"
"""The expiry of links to media of forms, the year 3000: pages are kept offline together with their media."""
_STEP_S = 5 * 60
"""Links expire at a multiple of this, so the link to a file stays the same for a while and its response is cached."""


@dataclass(frozen=True, slots=True)
class FileLink:
    """The query parameters of a link: the account, the expiry (seconds since 1970), and the signature of both."""

    customer: str
    expires: str
    signature: str

    def path(self, file_id: str) -> str:
        """Return the path and query of the link."""
        return f"/files/{file_id}?{urlencode(asdict(self))}"

    def thumbnail_path(self, file_id: str) -> str:
        """Return the path and query of the link to the file's thumbnail."""
        return f"/files/{file_id}/thumbnail?{urlencode(asdict(self))}"


class FileLinkSigner:
    """Signs with a key derived (HKDF, RFC 5869) from the installation's secret key."""

    def __init__(self, secret_key: str) -> None:
        self._key = HKDF(SHA256(), 32, salt=None, info=b"formwright file links").derive(secret_key.encode())

    def sign(self, customer_id: str, file_id: str, now: int) -> FileLink:
        """Return a link that expires 15 to 20 minutes after `now` (ms)."""
        expires = str(-(-now // (1000 * _STEP_S)) * _STEP_S + LIFETIME_S)
        return FileLink(customer_id, expires, self._signature(customer_id, file_id, expires))

    def sign_permanently(self, customer_id: str, file_id: str) -> str:
        """Return the path of a link that works as long as the file exists, and is always the same."""
        return FileLink(customer_id, _FOREVER, self._signature(customer_id, file_id, _FOREVER)).path(file_id)

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
