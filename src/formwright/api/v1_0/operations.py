"""All operations of version 1.0, in the order of the OpenAPI document."""

from formwright.api.operations import Operation, link_getters
from formwright.api.v1_0 import (
    audit,
    customers,
    datasources,
    deprecations,
    event_types,
    files,
    form_bundles,
    form_summary,
    form_versions,
    forms,
    invites,
    reconciliation,
    submission_bulk,
    submission_features,
    submissions,
    tasks,
    templates,
    users,
    views,
    webhooks,
    xlsform,
)

PREFIX = "/api/v1.0"

OPERATIONS: list[Operation] = link_getters(
    [
        *submissions.OPERATIONS,
        *submission_bulk.OPERATIONS,
        *submission_features.OPERATIONS,
        *files.OPERATIONS,
        *views.OPERATIONS,
        *forms.OPERATIONS,
        *form_bundles.OPERATIONS,
        *form_summary.OPERATIONS,
        *form_versions.OPERATIONS,
        *form_bundles.VERSION_OPERATIONS,
        *xlsform.OPERATIONS,
        *templates.OPERATIONS,
        *datasources.OPERATIONS,
        *tasks.OPERATIONS,
        *invites.OPERATIONS,
        *customers.OPERATIONS,
        *users.OPERATIONS,
        *users.GROUP_OPERATIONS,
        *webhooks.DELIVERY_OPERATIONS,
        *webhooks.OPERATIONS,
        *event_types.OPERATIONS,
        *reconciliation.OPERATIONS,
        *audit.OPERATIONS,
        *deprecations.OPERATIONS,
    ]
)
