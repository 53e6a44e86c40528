"""Labels of permissions, and checkboxes for them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import ALL_PERMISSIONS, FORM_PERMISSIONS, Permission

PERMISSION_LABELS: dict[str, dict[Permission, str]] = {
    "Forms": {
        Permission.FORMS_READ: "View forms and their versions",
        Permission.FORMS_EDIT: "Create and edit forms and folders",
        Permission.FORMS_PUBLISH: "Publish forms",
        Permission.SUBMISSIONS_CREATE: "Fill in forms",
    },
    "Submissions": {
        Permission.SUBMISSIONS_READ: "View submissions and their files",
        Permission.SUBMISSIONS_EDIT: "Edit, approve and reject submissions",
    },
    "Tasks and invites": {
        Permission.TASKS_READ: "View tasks",
        Permission.TASKS_MANAGE: "Assign and manage tasks",
        Permission.INVITES_READ: "View invites",
        Permission.INVITES_MANAGE: "Send and manage invites",
    },
    "Data sources": {
        Permission.DATASOURCES_READ: "View data sources and their rows",
        Permission.DATASOURCES_EDIT: "Add, import and edit data sources",
    },
    "People": {
        Permission.PEOPLE_READ: "View people, groups and roles",
        Permission.PEOPLE_MANAGE: "Invite people and manage their access",
    },
    "Account": {
        Permission.CUSTOMER_READ: "View the account name",
        Permission.CUSTOMER_EDIT: "Edit the account and assign owners",
        Permission.KEYS_READ: "View API keys",
        Permission.KEYS_MANAGE: "Add and revoke API keys",
        Permission.WEBHOOKS_READ: "View webhooks and deliveries, including submissions and people of the whole account",
        Permission.WEBHOOKS_MANAGE: "Add and edit webhooks, which can send all account data to other systems",
        Permission.AUDIT_READ: "View the audit log",
    },
}
_MAX_MISSING = 2
WHOLE_ACCOUNT = "Whole account"


@dataclass(frozen=True, slots=True)
class PermissionBox:
    """A checkbox for a permission. With `is_for_parts`, it can also be granted for a folder or a form."""

    name: str
    label: str
    is_checked: bool
    is_for_parts: bool


@dataclass(frozen=True, slots=True)
class PermissionGroup:
    """Checkboxes for the permissions of one area."""

    title: str
    boxes: Sequence[PermissionBox]


def permission_boxes(chosen: Iterable[Permission]) -> list[PermissionGroup]:
    """Return the checkboxes for all permissions, by area."""
    checked = set(chosen)
    return [
        PermissionGroup(
            title,
            [
                PermissionBox(permission.value, label, permission in checked, permission in FORM_PERMISSIONS)
                for permission, label in labels.items()
            ],
        )
        for title, labels in PERMISSION_LABELS.items()
    ]


def permission_label(permission: Permission) -> str:
    """Return what a permission allows."""
    return next(labels[permission] for labels in PERMISSION_LABELS.values() if permission in labels)


def describe_permissions(permissions: Iterable[Permission]) -> list[str]:
    """Return what permissions allow, in the order of the labels; for nearly all of them, “Everything, except: …”."""
    allowed = set(permissions)
    missing = ALL_PERMISSIONS - allowed
    if len(missing) <= _MAX_MISSING:
        return ["Everything" + "".join(f", except: {permission_label(permission)}" for permission in sorted(missing))]
    return [
        label for labels in PERMISSION_LABELS.values() for permission, label in labels.items() if permission in allowed
    ]
