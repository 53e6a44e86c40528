"""Sending invites from pages, and the page with links to pass on where no email is sent."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.domain.invites.models import Invite, InviteMailer
from formwright.web.http import Response
from formwright.web.page import Page


@dataclass(frozen=True, slots=True)
class InviteLink:
    """The link of an invite."""

    invite_url: str
    name: str
    email: str
    url: str


@dataclass(frozen=True, slots=True)
class InviteLinksPage:
    """Links that are shown once."""

    links: Sequence[InviteLink]


def invite_mailer(page: Page) -> InviteMailer:
    """Return what is needed to send invites whose links begin with the address of this page."""
    return InviteMailer(page.ctx.secret_box, page.origin, page.has_mail_server())


def render_links(page: Page, links: Sequence[tuple[Invite, str]]) -> Response:
    """Render new links. They are stored as hashes only, so no page can show them again."""
    rows = [InviteLink(f"/invites/{invite.id}", invite.name, invite.email, url) for invite, url in links]
    return page.render("invites/links.html", InviteLinksPage(rows), section="Invites")
