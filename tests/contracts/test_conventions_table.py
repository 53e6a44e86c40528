"""Every operation follows every convention that applies to it: each cell of the table is a real call."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from actors import Stage
from factories.conventions import CONVENTIONS, Scene, table
from factories.sample_account import World, world

from formwright.api.operations import Operation
from formwright.api.v1_0.operations import OPERATIONS
from formwright.domain.api_keys import service as keys
from formwright.domain.api_keys.models import KeyProperties

PAGE = Path(__file__).parents[2] / "docs" / "contract" / "conventions.md"


@pytest_asyncio.fixture(scope="module")
async def scene(stage: Stage, elsewhere: World) -> AsyncIterator[Scene]:
    async with stage.account("Table") as account:
        async with account.ctx.db.writing() as tx:
            _, text = await keys.create(tx, account.actor, KeyProperties("BI", read_only=True), maker_name="Test")
        async with stage.client(**{"x-api-key": text}) as reader, stage.client() as nobody:
            yield Scene(await world(account), elsewhere, reader, nobody)


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
async def test_the_operation_follows_every_convention_that_applies(scene: Scene, operation: Operation) -> None:
    for convention in CONVENTIONS:
        if convention.applies(operation):
            try:
                await convention.show(operation, scene)
            except AssertionError as error:
                error.add_note(f"convention: {convention.name}")
                raise


def test_the_documented_table_is_current() -> None:
    command = "PYTHONPATH=src:tests python -m factories.conventions > docs/contract/conventions.md"
    assert PAGE.read_text(encoding="utf-8") == table(), f"Update it: {command}"
