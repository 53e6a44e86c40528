"""Everything that can be allowed."""

from enum import StrEnum


class Permission(StrEnum):
    """`noun:verb`. A name is never used for another meaning."""

    CUSTOMER_READ = "customer:read"
    PEOPLE_READ = "people:read"
    PEOPLE_MANAGE = "people:manage"
    FORMS_READ = "forms:read"
    FORMS_EDIT = "forms:edit"
    FORMS_PUBLISH = "forms:publish"
    SUBMISSIONS_READ = "submissions:read"
    SUBMISSIONS_CREATE = "submissions:create"
    SUBMISSIONS_EDIT = "submissions:edit"
    DATASOURCES_READ = "datasources:read"
    DATASOURCES_EDIT = "datasources:edit"
    TASKS_READ = "tasks:read"
    TASKS_MANAGE = "tasks:manage"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_MANAGE = "webhooks:manage"
    KEYS_READ = "keys:read"
    KEYS_MANAGE = "keys:manage"


READING = frozenset(p for p in Permission if p.endswith(":read"))
EVERYTHING = frozenset(Permission)

BUILT_IN_ROLES: dict[str, frozenset[Permission]] = {
    "Owner": EVERYTHING,
    "Administrator": EVERYTHING,
    "Form manager": READING - {Permission.KEYS_READ, Permission.WEBHOOKS_READ}
    | {p for p in Permission if p.startswith(("forms:", "submissions:", "datasources:", "tasks:"))},
    "Data viewer": frozenset({Permission.CUSTOMER_READ, Permission.FORMS_READ, Permission.SUBMISSIONS_READ}),
    "Filler": frozenset({Permission.SUBMISSIONS_CREATE}),
}
