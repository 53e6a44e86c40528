"""Installations for single tests, and their API without a socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from actors import Stage

from formwright import migrations
from formwright.app import create_app
from formwright.domain.users.password_hashing import PasswordVerifier
from formwright.settings import Settings


@asynccontextmanager
async def staged(settings: Settings) -> AsyncIterator[Stage]:
    """The application on an installation, for the duration of the block."""
    await migrations.upgrade(settings)
    entrance = create_app(settings, passwords=PasswordVerifier(cheap=True))
    async with entrance.app.lifespan():
        yield Stage(entrance, entrance.app.state.ctx, "https://forms.test")
