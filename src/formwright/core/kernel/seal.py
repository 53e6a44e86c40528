"""Secrets that have to be read again (a webhook's signing secret), sealed before they are stored."""

import base64

from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF


class Seal:
    """Encrypts and authenticates (Fernet) with a key derived (HKDF, RFC 5869) from the installation's secret key."""

    def __init__(self, secret_key: str) -> None:
        derived = HKDF(SHA256(), 32, salt=None, info=b"formwright seal").derive(secret_key.encode())
        self._fernet = Fernet(base64.urlsafe_b64encode(derived))

    def close(self, text: str) -> str:
        """The sealed text."""
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str:
        """What was sealed; raises `cryptography.fernet.InvalidToken` when another key sealed it."""
        return self._fernet.decrypt(sealed.encode()).decode()
