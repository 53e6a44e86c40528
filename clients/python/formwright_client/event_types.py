"""The patterns that select event types."""

from collections.abc import Sequence


def matches_any(type_: str, patterns: Sequence[str]) -> bool:
    """Return whether a type matches a pattern: an exact name, `task.*` or `*`. Without patterns, all types match."""
    return not patterns or any(pattern in ("*", type_, f"{type_.partition('.')[0]}.*") for pattern in patterns)
