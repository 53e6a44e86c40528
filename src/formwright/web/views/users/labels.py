"""What is said of permissions, roles and places on the pages of people, and how a place is named in a form."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from formwright.core.auth.actor import ResourceType
from formwright.core.auth.permissions import EVERYTHING, OF_FORMS, Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Page, Place, Window
from formwright.domain.forms import service as forms
from formwright.domain.users import roles
from formwright.domain.users.models import Grant, Role
from formwright.web.session import Visitor
from formwright.web.views.folders import choices_of, every_folder
from formwright.web.views.form_input import text

WORDS: dict[str, dict[Permission, str]] = {
    "Forms": {
        Permission.FORMS_READ: "See forms and their versions",
        Permission.FORMS_EDIT: "Make and change forms and folders",
        Permission.FORMS_PUBLISH: "Publish forms",
        Permission.SUBMISSIONS_CREATE: "Fill in forms",
    },
    "Submissions": {
        Permission.SUBMISSIONS_READ: "See submissions and their files",
        Permission.SUBMISSIONS_EDIT: "Correct, approve and reject submissions",
    },
    "Work": {
        Permission.TASKS_READ: "See tasks",
        Permission.TASKS_MANAGE: "Give and change tasks",
        Permission.INVITES_READ: "See invitations to fill in a form",
        Permission.INVITES_MANAGE: "Invite others to fill in a form",
    },
    "Data sources": {
        Permission.DATASOURCES_READ: "See data sources and their rows",
        Permission.DATASOURCES_EDIT: "Add, fill and change data sources",
    },
    "People": {
        Permission.PEOPLE_READ: "See people, groups and roles",
        Permission.PEOPLE_MANAGE: "Invite people, and change what they may do",
    },
    "Account": {
        Permission.CUSTOMER_READ: "See what the account is called",
        Permission.CUSTOMER_EDIT: "Change the account, and make owners",
        Permission.KEYS_READ: "See API keys",
        Permission.KEYS_MANAGE: "Add and revoke API keys",
        Permission.WEBHOOKS_READ: "See webhooks and what they deliver: submissions and people of the whole account too",
        Permission.WEBHOOKS_MANAGE: "Add and change webhooks, and so have all of that sent anywhere",
        Permission.AUDIT_READ: "Read the audit log",
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
_FEW = 2
WHOLE = "The whole account"
_KINDS = {ResourceType.FOLDER: "a folder", ResourceType.FORM: "a form"}


def boxes(chosen: Iterable[Permission]) -> list[dict[str, Any]]:
    """The permissions as boxes to tick, by what they are about; `part`: it can hold for a folder or a form."""
    ticked = set(chosen)
    return [
        {
            "title": title,
            "boxes": [
                {"name": p.value, "words": words, "on": p in ticked, "part": p in OF_FORMS}
                for p, words in named.items()
            ],
        }
        for title, named in WORDS.items()
    ]


def word(permission: Permission) -> str:
    """What one allows."""
    return next(named[permission] for named in WORDS.values() if permission in named)


def in_words(permissions: Iterable[Permission]) -> list[str]:
    """What they allow, in the order in which we name them; of nearly everything, what is missing."""
    allowed = set(permissions)
    missing = EVERYTHING - allowed
    if len(missing) <= _FEW:
        return ["Everything" + "".join(f", but not: {word(one)}" for one in sorted(missing))]
    return [words for named in WORDS.values() for permission, words in named.items() if permission in allowed]


@dataclass(frozen=True, slots=True)
class Places:
    """What a role can be given for, as far as the visitor sees it: by kind, each a value and what it is called."""

    groups: list[tuple[str, list[tuple[str, str]]]]

    def name(self, grant: Grant) -> str:
        """What the grant is for."""
        value = value_of(grant)
        known = {value: name for _, places in self.groups for value, name in places}
        return known.get(value) or _KINDS.get(grant.resource_type, WHOLE)


def value_of(grant: Grant) -> str:
    """The place as a form sends it."""
    return f"{grant.resource_type}:{grant.resource_id}"


def grant_of(sent: Mapping[str, Any]) -> Grant:
    """The grant that a form names; what is none becomes one that names nothing."""
    type_, _, id_ = text(sent, "place").partition(":")
    kind = ResourceType(type_) if type_ in set(ResourceType) else ResourceType.FORM
    return Grant(text(sent, "role"), kind, id_)


def language_of(asked: str) -> str:
    """One of those that we offer."""
    return asked if asked in LANGUAGES else "en"


async def places(tx: ReadTransaction, who: Visitor) -> Places:
    """The account, its folders by their whole way, and its newest forms."""
    found = [("", [(f"account:{who.customer.id}", WHOLE)])]
    if Permission.FORMS_READ in who.actor.permissions:
        folders = choices_of(await every_folder(tx, who.actor), "")
        listed = (await forms.page(tx, who.actor, Window(MAX_LIMIT), newest_first=True)).items
        named = sorted(((f"form:{form.id}", form.name) for form in listed), key=lambda line: line[1].casefold())
        found += [("Folders", [(f"folder:{one['id']}", one["name"]) for one in folders]), ("Forms", named)]
    return Places([group for group in found if group[1]])


async def every_role(tx: ReadTransaction, who: Visitor) -> list[Role]:
    """All roles of the account."""
    found: list[Role] = []
    place: Place | None = None
    while True:
        page: Page[Role] = await roles.page(tx, who.actor, Window(MAX_LIMIT, place))
        found += page.items
        if (place := page.next) is None:
            return found


def lines(grants: Sequence[Grant], named: Mapping[str, Role], where: Places) -> list[dict[str, str]]:
    """Grants as lines: the role and the place."""
    return [
        {
            "role": named[grant.role_id].name,
            "role_id": grant.role_id,
            "where": where.name(grant),
            "place": value_of(grant),
        }
        for grant in grants
    ]
