"""Events of question blocks."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.question_blocks.models import QuestionBlock


@dataclass(frozen=True, slots=True)
class BlockEvent(Event):
    """Base of these events. `block` is the block after the change."""

    block: QuestionBlock


@dataclass(frozen=True, slots=True)
class BlockCreated(BlockEvent):
    """A block was added to the question library."""

    type = "question_block.created"


@dataclass(frozen=True, slots=True)
class BlockUpdated(BlockEvent):
    """The name, the description or the questions of a block changed."""

    type = "question_block.updated"


@dataclass(frozen=True, slots=True)
class BlockDeleted(BlockEvent):
    """A block was moved to the trash."""

    type = "question_block.deleted"


@dataclass(frozen=True, slots=True)
class BlockRestored(BlockEvent):
    """A block was restored."""

    type = "question_block.restored"
