"""The actors of a test: accounts with an owner and a key, on the stage of one application."""

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import httpx

from formwright.asgi.middleware import RequestMiddleware
from formwright.context import AppContext
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties
from formwright.domain.customers.models import Customer
from formwright.domain.users import service as people
from formwright.domain.users.models import User

PASSWORD = "correct horse battery"
_numbers = itertools.count(1)


@dataclass(slots=True)
class Stage:
    """One application with its context."""

    entrance: RequestMiddleware
    ctx: AppContext
    base_url: str

    def client(self, **headers: str) -> httpx.AsyncClient:
        """Return a client that calls the whole application from outside."""
        transport = httpx.ASGITransport(self.entrance, raise_app_exceptions=False)
        return httpx.AsyncClient(transport=transport, base_url=self.base_url, headers=headers)

    @asynccontextmanager
    async def account(self, name: str = "Owner") -> AsyncIterator["Account"]:
        """Create an account with an owner who can sign in, and a key."""
        email = f"{name.lower()}{next(_numbers)}@example.org"
        password_hash = await self.ctx.passwords.hash(PASSWORD)
        async with self.ctx.db.writing() as tx:
            customer, owner = await people.open_account(tx, name=name, email=email, password_hash=password_hash)
            actor = actors.system(customer.id)
            _, key = await keys.create(tx, actor, KeyProperties("Test"), maker_name="Test")
        async with self.client(**{"x-api-key": key}) as api:
            yield Account(self, customer, owner, actor, key, api)


@dataclass(slots=True)
class Account:
    """An account. `api` calls with its key; `actor` acts as the operator."""

    stage: Stage
    customer: Customer
    owner: User
    actor: Actor
    key: str = field(repr=False)
    api: httpx.AsyncClient = field(repr=False)

    @property
    def id(self) -> str:
        """The account's customerId."""
        return self.customer.id

    @property
    def ctx(self) -> AppContext:
        """The context of the application."""
        return self.stage.ctx
