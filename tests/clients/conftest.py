"""The Python client, used as an integrator would use it."""

import asyncio

import pytest
from cast import Account
from formwright_client import Client
from make.clients import connected
from rig.bridge import Bridge


@pytest.fixture
async def bridge(account: Account) -> Bridge:
    return Bridge(account.stage.entrance, asyncio.get_running_loop())


@pytest.fixture
def client(account: Account, bridge: Bridge) -> Client:
    return connected(account, bridge)
