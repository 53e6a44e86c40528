"""Labels of permissions and grants on the pages of people, and grants in HTML forms."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import ALL_PERMISSIONS, FORM_PERMISSIONS, Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Page, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import roles
from formwright.domain.users.models import Grant, Role
from formwright.web.session import Visitor
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_input import read_text

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
LANGUAGES = {
    "en": "English",
    "de": "Deutsch",
    "es": "Español",
    "fr": "Français",
    "it": "Italiano",
    "nl": "Nederlands",
    "pl": "Polski",
    "pt": "Português",
}
_MAX_MISSING = 2
WHOLE_ACCOUNT = "Whole account"
_RESOURCE_LABELS = {ResourceType.FOLDER: "a folder", ResourceType.FORM: "a form"}
ScopeOptions = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""The options of a select for what a role applies to: groups with a title, and in each the values and labels."""


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


@dataclass(frozen=True, slots=True)
class GrantTargets:
    """The account, the folders and the forms for which roles can be granted, as far as the visitor can see them."""

    options: ScopeOptions

    def name(self, grant: Grant) -> str:
        """Return the name of what a grant is for; its kind if the visitor can't see it."""
        names = {value: name for _, options in self.options for value, name in options}
        return names.get(grant_target_value(grant)) or _RESOURCE_LABELS.get(grant.resource_type, WHOLE_ACCOUNT)


def grant_target_value(grant: Grant) -> str:
    """Return what a grant is for as a form value, such as “folder:fol_…”."""
    return f"{grant.resource_type}:{grant.resource_id}"


def read_grant(form: Mapping[str, Any]) -> Grant:
    """Read a grant from a form. An invalid target becomes a form without id, which the domain rejects."""
    type_, _, id_ = read_text(form, "place").partition(":")
    kind = ResourceType(type_) if type_ in set(ResourceType) else ResourceType.FORM
    return Grant(read_text(form, "role"), kind, id_)


def supported_language(language: str) -> str:
    """Return the language if it is supported, else English."""
    return language if language in LANGUAGES else "en"


async def load_grant_targets(tx: ReadTransaction, visitor: Visitor) -> GrantTargets:
    """Load the account, its folders by path, and its newest forms by name."""
    options = [("", [(f"account:{visitor.customer.id}", WHOLE_ACCOUNT)])]
    if Permission.FORMS_READ in visitor.actor.permissions:
        folders = folder_options(await list_all_folders(tx, visitor.actor))
        newest = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items
        form_options = sorted(
            ((f"form:{form.id}", form.name) for form in newest), key=lambda option: option[1].casefold()
        )
        options += [
            ("Folders", [(f"folder:{folder_id}", path) for folder_id, path in folders]),
            ("Forms", form_options),
        ]
    return GrantTargets([group for group in options if group[1]])


async def list_all_roles(tx: ReadTransaction, visitor: Visitor) -> list[Role]:
    """Return all roles of the account, built-in ones first."""
    all_roles: list[Role] = []
    position: Position | None = None
    while True:
        page: Page[Role] = await roles.page(tx, visitor.actor, Window(MAX_LIMIT, position))
        all_roles += page.items
        if (position := page.next) is None:
            return all_roles


@dataclass(frozen=True, slots=True)
class GrantRow:
    """A grant: a role and what it is for. `target_value` is the target as a form value."""

    role: str
    role_id: str
    target: str
    target_value: str
    is_for_account: bool


def grant_rows(grants: Sequence[Grant], roles_by_id: Mapping[str, Role], targets: GrantTargets) -> list[GrantRow]:
    """Return grants with the names of their roles and targets, in their order."""
    return [
        GrantRow(
            role=roles_by_id[grant.role_id].name,
            role_id=grant.role_id,
            target=targets.name(grant),
            target_value=grant_target_value(grant),
            is_for_account=grant.resource_type is ResourceType.ACCOUNT,
        )
        for grant in grants
    ]
