"""Fields that come from blocks of the question library."""

from collections.abc import Sequence

from msgspec import UNSET

from formwright.domain.forms.fields.structure import AnyField, replace_in_fields, walk_fields


def block_ids(fields: Sequence[AnyField]) -> set[str]:
    """Return the ids of the blocks that these fields, or fields inside of them, come from."""
    return {field.block.id for field in walk_fields(fields) if field.block is not UNSET}


def block_versions(fields: Sequence[AnyField], block_id: str) -> list[int]:
    """Return the versions of a block that these fields come from, in order, each once."""
    found = {
        field.block.version for field in walk_fields(fields) if field.block is not UNSET and field.block.id == block_id
    }
    return sorted(found)


def without_references(fields: Sequence[AnyField]) -> list[AnyField]:
    """Return the fields without their references to blocks, which another account would not know."""
    return replace_in_fields(fields, lambda field: {} if field.block is UNSET else {"block": UNSET})
