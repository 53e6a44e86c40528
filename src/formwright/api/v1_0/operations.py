"""All operations of version 1.0."""

from formwright.api.operation import Operation
from formwright.api.v1_0 import customers, datasources, forms, submissions, tasks, webhooks

PREFIX = "/api/v1.0"

OPERATIONS: list[Operation] = [
    *submissions.OPERATIONS,
    *forms.OPERATIONS,
    *datasources.OPERATIONS,
    *tasks.OPERATIONS,
    *customers.OPERATIONS,
    *webhooks.OPERATIONS,
]
