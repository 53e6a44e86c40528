"""All operations of version 1.0."""

from formwright.api.operation import Operation, linked
from formwright.api.v1_0 import (
    announcements,
    audit,
    customers,
    datasources,
    deliveries,
    event_types,
    files,
    forms,
    groups,
    invites,
    reconciling,
    submissions,
    tasks,
    templates,
    users,
    versions,
    webhooks,
    xlsform,
)

PREFIX = "/api/v1.0"

OPERATIONS: list[Operation] = linked(
    [
        *submissions.OPERATIONS,
        *files.OPERATIONS,
        *forms.OPERATIONS,
        *versions.OPERATIONS,
        *xlsform.OPERATIONS,
        *templates.OPERATIONS,
        *datasources.OPERATIONS,
        *tasks.OPERATIONS,
        *invites.OPERATIONS,
        *customers.OPERATIONS,
        *users.OPERATIONS,
        *groups.OPERATIONS,
        *deliveries.OPERATIONS,
        *webhooks.OPERATIONS,
        *event_types.OPERATIONS,
        *reconciling.OPERATIONS,
        *audit.OPERATIONS,
        *announcements.OPERATIONS,
    ]
)
