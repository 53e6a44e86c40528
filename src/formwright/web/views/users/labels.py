"""What is said of permissions, roles and places on the pages of people, and how a place is named in a form."""

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


def permission_boxes(chosen: Iterable[Permission]) -> list[dict[str, Any]]:
    """The permissions as boxes to tick, by what they are about; `part`: it can hold for a folder or a form."""
    checked = set(chosen)
    return [
        {
            "title": title,
            "boxes": [
                {
                    "name": permission.value,
                    "words": label,
                    "on": permission in checked,
                    "part": permission in FORM_PERMISSIONS,
                }
                for permission, label in labels.items()
            ],
        }
        for title, labels in PERMISSION_LABELS.items()
    ]


def permission_label(permission: Permission) -> str:
    """What one allows."""
    return next(labels[permission] for labels in PERMISSION_LABELS.values() if permission in labels)


def describe_permissions(permissions: Iterable[Permission]) -> list[str]:
    """What they allow, in the order in which we name them; of nearly everything, what is missing."""
    allowed = set(permissions)
    missing = ALL_PERMISSIONS - allowed
    if len(missing) <= _MAX_MISSING:
        return ["Everything" + "".join(f", except: {permission_label(permission)}" for permission in sorted(missing))]
    return [
        label for labels in PERMISSION_LABELS.values() for permission, label in labels.items() if permission in allowed
    ]


@dataclass(frozen=True, slots=True)
class GrantTargets:
    """What a role can be given for, as far as the visitor sees it: by kind, each a value and what it is called."""

    groups: list[tuple[str, list[tuple[str, str]]]]

    def name(self, grant: Grant) -> str:
        """What the grant is for."""
        value = grant_target_value(grant)
        known = {value: name for _, places in self.groups for value, name in places}
        return known.get(value) or _RESOURCE_LABELS.get(grant.resource_type, WHOLE_ACCOUNT)


def grant_target_value(grant: Grant) -> str:
    """The place as a form sends it."""
    return f"{grant.resource_type}:{grant.resource_id}"


def read_grant(form: Mapping[str, Any]) -> Grant:
    """The grant that a form names; what is none becomes one that names nothing."""
    type_, _, id_ = read_text(form, "place").partition(":")
    kind = ResourceType(type_) if type_ in set(ResourceType) else ResourceType.FORM
    return Grant(read_text(form, "role"), kind, id_)


def supported_language(asked: str) -> str:
    """One of those that we offer."""
    return asked if asked in LANGUAGES else "en"


async def load_grant_targets(tx: ReadTransaction, visitor: Visitor) -> GrantTargets:
    """The account, its folders by their whole way, and its newest forms."""
    target_groups = [("", [(f"account:{visitor.customer.id}", WHOLE_ACCOUNT)])]
    if Permission.FORMS_READ in visitor.actor.permissions:
        folders = folder_options(await list_all_folders(tx, visitor.actor))
        newest = (await forms.page(tx, visitor.actor, Window(MAX_LIMIT), newest_first=True)).items
        form_options = sorted(
            ((f"form:{form.id}", form.name) for form in newest), key=lambda option: option[1].casefold()
        )
        target_groups += [
            ("Folders", [(f"folder:{folder_id}", path) for folder_id, path in folders]),
            ("Forms", form_options),
        ]
    return GrantTargets([group for group in target_groups if group[1]])


async def list_all_roles(tx: ReadTransaction, visitor: Visitor) -> list[Role]:
    """All roles of the account."""
    all_roles: list[Role] = []
    place: Position | None = None
    while True:
        page: Page[Role] = await roles.page(tx, visitor.actor, Window(MAX_LIMIT, place))
        all_roles += page.items
        if (place := page.next) is None:
            return all_roles


def grant_rows(grants: Sequence[Grant], roles_by_id: Mapping[str, Role], targets: GrantTargets) -> list[dict[str, str]]:
    """Grants as lines: the role and the place."""
    return [
        {
            "role": roles_by_id[grant.role_id].name,
            "role_id": grant.role_id,
            "where": targets.name(grant),
            "place": grant_target_value(grant),
        }
        for grant in grants
    ]
