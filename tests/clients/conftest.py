"""The Python client, used as an integrator would use it."""

import asyncio

import pytest
from actors import Account
from factories.clients import connected
from fixtures.sync_client import Bridge
from formwright_client import Client


@pytest.fixture
async def bridge(account: Account) -> Bridge:
    return Bridge(account.stage.entrance, asyncio.get_running_loop())


@pytest.fixture
def client(account: Account, bridge: Bridge) -> Client:
    return connected(account, bridge)
