"""Labels of grants on the pages of people, and grants in HTML forms."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Page, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import roles
from formwright.domain.users.models import Grant, Role
from formwright.web.session import Visitor
from formwright.web.views.folders import folder_options, list_all_folders
from formwright.web.views.form_input import read_text
from formwright.web.views.permission_labels import WHOLE_ACCOUNT

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
_RESOURCE_LABELS = {ResourceType.FOLDER: "a folder", ResourceType.FORM: "a form"}
ScopeOptions = Sequence[tuple[str, Sequence[tuple[str, str]]]]
"""The options of a select for what a role applies to: groups with a title, and in each the values and labels."""


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
