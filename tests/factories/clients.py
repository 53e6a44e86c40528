"""Clients of the Python library."""

from typing import Any

import httpx
from actors import Account
from formwright_client import Client


def connected(account: Account, transport: httpx.BaseTransport, **settings: Any) -> Client:
    """Return a client with the account's key."""
    return Client(account.stage.base_url, account.key, http_client=httpx.Client(transport=transport), **settings)
