"""The page that people see instead of a form, if a fill link is closed, has ended or is busy."""

from dataclasses import dataclass

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.domain.customers.models import Customer
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormArchived, FormNotFound, FormNotPublished
from formwright.domain.invites.models import OPEN_STATUSES, Invite, InviteStatus
from formwright.web.fill.closed_page_messages import MESSAGES
from formwright.web.fill.messages import choose_language, parse_accept_language
from formwright.web.http import Response
from formwright.web.page import PublicPage


@dataclass(frozen=True, slots=True)
class ClosedPage:
    """Why the form cannot be filled in, and what to do next. `reason` is a CSS class.

    `account` has the branding of the page; None if the link is unknown.
    """

    reason: str
    title: str
    message: str
    next_step: str
    language: str
    account: Customer | None = None


def find_invite_reason(invite: Invite, now: int) -> str:
    """Return why the link of this invite no longer works."""
    # If the invite itself is still open, only this link has ended: a newer one was sent.
    is_replaced = invite.status in OPEN_STATUSES and now < invite.expires
    return "replaced" if is_replaced else _REASON_BY_STATUS.get(invite.status, "expired")


def build_closed_page(reason: str, *languages: str) -> ClosedPage:
    """Return the page in the first of `languages` that is supported, else in English."""
    language = choose_language(languages)
    return ClosedPage(reason, *MESSAGES[language][reason], language)


async def find_languages(
    page: PublicPage, tx: ReadTransaction, actor: Actor, *, form_id: str, version_id: str | None = None
) -> list[str]:
    """Return the language of a form, if it can still be answered, and those of the browser, most preferred first."""
    languages = parse_accept_language(page.headers.get("accept-language", ""))
    try:
        _, version = await forms.get_for_answering(tx, actor, form_id=form_id, version_id=version_id)
    except (FormNotPublished, FormArchived, FormNotFound):
        return languages
    return [version.definition.settings.language, *languages]


def render_closed_page(page: PublicPage, status: int, reason: str, *languages: str) -> Response:
    """Render the page with this status."""
    return page.render("fill/closed.html", build_closed_page(reason, *languages), status=status)


_REASON_BY_STATUS = {
    InviteStatus.COMPLETED: "completed",
    InviteStatus.DECLINED: "declined",
    InviteStatus.REVOKED: "revoked",
}
