"""Groups entries of the audit log for display: the designer saves continuously, and each save has its own entry."""

from collections.abc import Iterable, Sequence

from formwright.domain.audit.models import AuditEntry

_GROUP_GAP_MS = 3_600_000
"""Entries further apart than this belong to different groups."""


def group_entries(entries: Iterable[AuditEntry]) -> list[list[AuditEntry]]:
    """Return the entries, newest first, with consecutive ones grouped by actor, action and resource."""
    groups: list[list[AuditEntry]] = []
    for entry in entries:
        if groups and _belongs_together(entry, groups[-1][-1]):
            groups[-1].append(entry)
        else:
            groups.append([entry])
    return groups


def changed_properties(group: Sequence[AuditEntry]) -> list[str]:
    """Return the names of all properties changed in a group, without duplicates."""
    return list(dict.fromkeys(name for entry in reversed(group) for name in entry.changed))


def _belongs_together(earlier: AuditEntry, later: AuditEntry) -> bool:
    return _group_key(earlier) == _group_key(later) and later.at - earlier.at <= _GROUP_GAP_MS


def _group_key(entry: AuditEntry) -> tuple[str, ...]:
    actor = entry.actor
    return (actor.type, actor.id, actor.name, actor.address, entry.action, entry.resource_id, entry.resource_name)
