"""The pages that the navigation, the settings overview and *Go to* list."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import ALL_PERMISSIONS, Permission

P = Permission


@dataclass(frozen=True, slots=True)
class Destination:
    """A page that signed-in people open by its name. `text` says what it is for.

    `needs` are alternatives: each is a set of permissions that together suffice. Without any, everybody may open it.
    """

    name: str
    url: str
    needs: Sequence[frozenset[Permission]] = ()
    text: str = ""

    def is_visible(self, held: Collection[Permission]) -> bool:
        """Whether somebody with these permissions may open the page."""
        return not self.needs or any(needed <= set(held) for needed in self.needs)


def _any_of(*permissions: Permission) -> list[frozenset[Permission]]:
    return [frozenset({permission}) for permission in permissions]


PLACES = (
    Destination("Overview", "/overview", _any_of(P.SUBMISSIONS_READ, P.TASKS_READ, P.INVITES_READ, P.WEBHOOKS_READ)),
    Destination("Forms", "/forms"),
    Destination("Submissions", "/submissions", _any_of(P.SUBMISSIONS_READ)),
    Destination("My tasks", "/my/tasks"),
    Destination("Tasks", "/tasks", _any_of(P.TASKS_READ)),
    Destination("Invites", "/invites", _any_of(P.INVITES_READ)),
    Destination("Data sources", "/datasources", _any_of(P.DATASOURCES_READ)),
    Destination("People", "/people", _any_of(P.PEOPLE_READ)),
    Destination("Settings", "/settings"),
)
"""The main navigation."""
MORE_PAGES = (
    Destination("Create form", "/forms/new", _any_of(P.FORMS_EDIT)),
    Destination("Form templates", "/forms/templates", _any_of(P.FORMS_READ)),
    Destination("Question library", "/forms/question-library", _any_of(P.FORMS_READ)),
    Destination("Task calendar", "/tasks/calendar", _any_of(P.TASKS_READ)),
    Destination("Exports", "/exports", _any_of(P.SUBMISSIONS_READ)),
    Destination("Groups", "/people/groups", _any_of(P.PEOPLE_READ)),
    Destination("Roles", "/people/roles", _any_of(P.PEOPLE_READ)),
)
"""Pages below those of the main navigation."""
SETTINGS = {
    "Personal": (
        Destination(
            "Account",
            "/settings/account",
            text="Name, language, password, two-factor authentication and active sessions.",
        ),
    ),
    "Deleted": (
        Destination(
            "Trash",
            "/settings/trash",
            _any_of(P.FORMS_EDIT, P.DATASOURCES_EDIT, P.PEOPLE_MANAGE),
            "What has been deleted in the last 30 days. Restore it, or delete it permanently.",
        ),
    ),
    "Connections": (
        Destination(
            "API keys",
            "/settings/connections/api-keys",
            _any_of(P.KEYS_READ),
            "Let other systems read submissions and manage forms.",
        ),
        Destination(
            "Webhooks",
            "/settings/connections/webhooks",
            _any_of(P.WEBHOOKS_READ),
            "Notify other systems when something happens.",
        ),
        Destination(
            "OData feed",
            "/settings/connections/odata",
            _any_of(P.CUSTOMER_EDIT),
            "Open submissions in Excel, Power BI or Tableau.",
        ),
        Destination("API reference", "/docs", text="All operations, with ready-to-run examples."),
    ),
    "Organisation": (
        Destination(
            "Organisation", "/settings/organisation", _any_of(P.CUSTOMER_EDIT), "Name, language and time zone."
        ),
        Destination(
            "Branding",
            "/settings/branding",
            _any_of(P.CUSTOMER_EDIT),
            "Logo and accent colour of forms, emails and PDF reports.",
        ),
        Destination(
            "Sign-in",
            "/settings/sign-in",
            [ALL_PERMISSIONS],
            "Let people sign in with Entra ID, Okta, Keycloak, Google or another identity provider.",
        ),
        Destination(
            "Provisioning",
            "/settings/sign-in/provisioning",
            [ALL_PERMISSIONS],
            "Let an identity provider create, change and disable users with SCIM.",
        ),
        Destination(
            "Email",
            "/settings/mail",
            _any_of(P.PEOPLE_MANAGE),
            "Emails sent by this account and their delivery status.",
        ),
        Destination(
            "Personal data",
            "/settings/personal-data",
            [frozenset({P.PEOPLE_MANAGE, P.SUBMISSIONS_EDIT})],
            "Export or erase all data about a person.",
        ),
        Destination(
            "Audit log",
            "/settings/audit",
            _any_of(P.AUDIT_READ),
            "A record of every change: who made it, when and from where.",
        ),
    ),
}
"""The settings pages, by the heading under which the settings overview lists them."""


def visible_places(held: Collection[Permission]) -> list[Destination]:
    """Return the places of the main navigation that somebody with these permissions may open."""
    return [place for place in PLACES if place.is_visible(held)]


def visible_settings(held: Collection[Permission]) -> dict[str, list[Destination]]:
    """Return the settings pages that somebody with these permissions may open, by heading, without empty headings."""
    visible = {title: [page for page in pages if page.is_visible(held)] for title, pages in SETTINGS.items()}
    return {title: pages for title, pages in visible.items() if pages}
