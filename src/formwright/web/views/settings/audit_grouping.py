"""Lines that stand as one on the page: the designer saves while one draws, and each time leaves its line."""

from collections.abc import Iterable, Sequence

from formwright.domain.audit.models import AuditEntry

_GROUP_GAP_MS = 3_600_000
"""Longer than this apart, two lines are two sittings."""


def group_entries(lines: Iterable[AuditEntry]) -> list[list[AuditEntry]]:
    """The lines, the newest first, with those together by which one actor did the same to the same thing in a row."""
    found: list[list[AuditEntry]] = []
    for line in lines:
        if found and _belongs_together(line, found[-1][-1]):
            found[-1].append(line)
        else:
            found.append([line])
    return found


def changed_properties(sitting: Sequence[AuditEntry]) -> list[str]:
    """All members that were changed in it, each once."""
    return list(dict.fromkeys(member for line in reversed(sitting) for member in line.changed))


def _belongs_together(earlier: AuditEntry, later: AuditEntry) -> bool:
    return _group_key(earlier) == _group_key(later) and later.at - earlier.at <= _GROUP_GAP_MS


def _group_key(line: AuditEntry) -> tuple[str, ...]:
    actor = line.actor
    return (actor.type, actor.id, actor.name, actor.address, line.action, line.resource_id, line.resource_name)
