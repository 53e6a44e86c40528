"""How a file comes in: received whole, then announced, then put at its place, then ready.

No transaction is open while the network or the disk is waited for. A process that is killed in between leaves a file
that nobody can name, with or without a content; it is cleared away after a day.
"""

from collections.abc import AsyncIterator
from dataclasses import dataclass

from formwright.core.access.actor import Actor
from formwright.core.kernel.errors import Invalid
from formwright.core.storage.database import Database
from formwright.core.storage.files import Arrived, Contents
from formwright.domain.files import service
from formwright.domain.files.kinds import settled
from formwright.domain.files.model import MAX_SIZE, File, FileNotFound, State, Target
from formwright.domain.files.names import clean


@dataclass(frozen=True, slots=True)
class Upload:
    """What is said of a file: its name and its type, neither of them checked yet."""

    target: Target
    name: str
    type: str


async def upload(db: Database, contents: Contents, actor: Actor, said: Upload, chunks: AsyncIterator[bytes]) -> File:
    """The new file, whose content is kept durably. `Invalid` when it is empty or is not what it says it is."""
    async with contents.receive(chunks, MAX_SIZE) as arrived:
        if arrived.size == 0:
            raise Invalid.at("", "file.empty", "The file is empty.")
        type_ = settled(said.target.use, said.type, said.name, arrived.head)
        async with db.writing() as tx:
            file = await service.expect(
                tx, actor, said.target, name=clean(said.name, type_), type_=type_, arrived=arrived
            )
        if file.state is State.ARRIVING:
            await _bring_to_place(db, contents, actor, file, arrived)
        return file


async def _bring_to_place(db: Database, contents: Contents, actor: Actor, file: File, arrived: Arrived) -> None:
    await contents.put(file.place, arrived)
    try:
        async with db.writing() as tx:
            await service.be_ready(tx, actor, file_id=file.id)
    except FileNotFound:
        await contents.remove(file.place)
        raise
