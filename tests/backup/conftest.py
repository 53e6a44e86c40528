"""Installations of a test's own, and the API over them without a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from actors import Stage

from formwright import migrations
from formwright.app import create_app
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings


@asynccontextmanager
async def staged(settings: Settings) -> AsyncIterator[Stage]:
    """The application over an installation, while the block lasts."""
    await migrations.upgrade(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")
