"""The records of question blocks and their errors."""

from dataclasses import dataclass

import msgspec

from formwright.core.errors import Conflict, NotFound
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import Language

ID_PREFIX = "blk"


class BlockContent(msgspec.Struct, frozen=True):
    """The questions of a block in one version. Labels that are not translated are in `language`."""

    fields: list[AnyField]
    language: Language = "en"


@dataclass(frozen=True, slots=True)
class NewBlock:
    """The properties of a block to create, or to replace another with."""

    name: str
    description: str
    content: BlockContent


@dataclass(frozen=True, slots=True)
class QuestionBlock:
    """A block with the content of its newest version. Times are in milliseconds."""

    id: str
    customer_id: str
    name: str
    description: str
    version: int
    content: BlockContent
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class BlockVersion:
    """A version of a block. `created_by` is the id of a user or an API key, or None for the operator."""

    block_id: str
    number: int
    content: BlockContent
    created: int
    created_by: str | None


class BlockNotFound(NotFound):
    """The account has no such block."""

    code = "question_block.not_found"
    detail = "There is no such question block in this account."


class BlockOutdated(Conflict):
    """The change is based on an older version of the block."""

    code = "question_block.outdated"
    detail = "The library has a newer version of these questions. Update the questions in this form first."
