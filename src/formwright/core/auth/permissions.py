"""All permissions, and the built-in roles."""

from enum import StrEnum


class Permission(StrEnum):
    """A permission, as `noun:verb`. A name is never reused for another meaning."""

    CUSTOMER_READ = "customer:read"
    CUSTOMER_EDIT = "customer:edit"
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
    INVITES_READ = "invites:read"
    INVITES_MANAGE = "invites:manage"
    WEBHOOKS_READ = "webhooks:read"
    WEBHOOKS_MANAGE = "webhooks:manage"
    KEYS_READ = "keys:read"
    KEYS_MANAGE = "keys:manage"
    AUDIT_READ = "audit:read"


READ_PERMISSIONS = frozenset(p for p in Permission if p.endswith(":read"))
ALL_PERMISSIONS = frozenset(Permission)

FORM_PERMISSIONS = frozenset(p for p in Permission if p.startswith(("forms:", "submissions:", "tasks:", "invites:")))
"""Permissions that can be granted for a part of the account, because they concern forms."""

ACCOUNT_WIDE_PERMISSIONS = frozenset({Permission.CUSTOMER_READ, Permission.PEOPLE_READ, Permission.DATASOURCES_READ})
"""Permissions that working on a form requires for the rest of the account. They apply to all of it."""

BUILT_IN_ROLES: dict[str, frozenset[Permission]] = {
    "Owner": ALL_PERMISSIONS,
    # Without `customer:edit`, so administrators cannot create, change or disable an owner.
    "Administrator": ALL_PERMISSIONS - {Permission.CUSTOMER_EDIT},
    "Form manager": FORM_PERMISSIONS | ACCOUNT_WIDE_PERMISSIONS | {Permission.DATASOURCES_EDIT},
    "Data viewer": frozenset({Permission.CUSTOMER_READ, Permission.FORMS_READ, Permission.SUBMISSIONS_READ}),
    "Filler": frozenset({Permission.CUSTOMER_READ, Permission.SUBMISSIONS_CREATE}),
}
"""Built-in roles come from code rather than the database, so owners get new permissions automatically."""

OWNER = "Owner"


def effective_permissions(permissions: frozenset[Permission], *, is_whole_account: bool) -> frozenset[Permission]:
    """Return the permissions of a role that apply when it is granted for the whole account or for a part."""
    return permissions if is_whole_account else permissions & (FORM_PERMISSIONS | ACCOUNT_WIDE_PERMISSIONS)
