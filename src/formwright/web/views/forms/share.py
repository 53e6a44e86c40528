"""The tab “Share” of a form: its public link, and how to bring it to people."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar
from urllib.parse import quote

from msgspec import structs

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.links import link_limits
from formwright.domain.forms.models import Form, FormChange, FormStatus, Version, VersionStatus
from formwright.domain.forms.public_link import MAX_URL
from formwright.web.fill.robots import requires_proof_now
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.qr_codes import render_qr_code
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.form_input import read_text
from formwright.web.views.forms.share_embed import (
    MAX_SITES_TEXT,
    EmbedForm,
    describe_sites_error,
    fill_in_sites,
    parse_sites,
)
from formwright.web.views.forms.share_limits import ROBOT_OPTIONS, LimitsForm, describe, fill_in, read_limits

T = TypeVar("T")
PATH = "/forms/{form_id:str}/share"
_NOTICES = {
    "published": "Published. Anyone with the link can respond.",
    "limits": "Limits saved.",
    "embed": "Sites saved.",
    "redirect": "Redirect saved.",
}
_ROBOTS_NOTICE = "The link receives unusually many responses. Browsers solve a computation before they submit."
_SECURITY_POLICY = PAGE_HEADERS["content-security-policy"] + "; frame-src 'self'"


@dataclass(frozen=True, slots=True)
class RedirectForm:
    """The page that browsers open after submitting, and its error."""

    url: str
    faults: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SharePage:
    """The view model of the tab “Share”. `link` is empty if the form can't be filled in.

    `limits` is None then, and if the visitor may not edit the form. `state` says whether the limits are reached.
    `draft` is the version to publish, if the visitor may publish one and none is published yet.
    """

    head: FormHead
    link: str
    email_link: str
    is_archived: bool
    draft: Version | None
    limits: LimitsForm | None
    robot_options: Sequence[tuple[str, str]]
    embed: EmbedForm | None
    redirect: RedirectForm | None
    state: str
    robots_notice: str
    notice: str


@get(PATH)
async def share_page(page: Page, form_id: str) -> Response:
    """The link under which people fill in the form, and other ways to ask for responses."""
    return await render_share_page(page, form_id)


async def render_share_page(
    page: Page, form_id: str, rejected: LimitsForm | EmbedForm | RedirectForm | None = None
) -> Response:
    """Render the page, if what was entered in a card was `rejected` with its errors and status 422."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    head = await load_form_head(page.tx, page.visitor, form)
    draft = await _find_draft(page.tx, page.visitor, form)
    responses = await link_limits.count_responses(page.tx, form)
    zone, link = page.visitor.customer.time_zone, fill_url(page, form) if is_open(form) else ""
    may_edit = link and page.visitor.may(Permission.FORMS_EDIT, form)
    view_model = SharePage(
        head=head,
        link=link,
        email_link=_email_link(form, link),
        is_archived=form.status is FormStatus.ARCHIVED,
        draft=draft,
        limits=(_either(LimitsForm, rejected) or fill_in(form.public_link, zone)) if may_edit else None,
        robot_options=list(ROBOT_OPTIONS.items()),
        embed=(_either(EmbedForm, rejected) or fill_in_sites(form, link)) if may_edit else None,
        redirect=(_either(RedirectForm, rejected) or RedirectForm(form.public_link.redirect_url or ""))
        if may_edit
        else None,
        state=describe(form.public_link, responses, page.ctx.clock.now(), zone) if link else "",
        robots_notice=_ROBOTS_NOTICE if link and requires_proof_now(page.ctx, form) else "",
        notice=_NOTICES.get(page.query.get("done", ""), "") if link else "",
    )
    response = page.render("forms/share.html", view_model, section="Forms", status=422 if rejected else 200)
    # The preview is an iframe.
    response.headers["content-security-policy"] = _SECURITY_POLICY
    return response


def _either(kind: type[T], rejected: object) -> T | None:
    return rejected if isinstance(rejected, kind) else None


async def _find_draft(tx: ReadTransaction, visitor: Visitor, form: Form) -> Version | None:
    if form.published_version_id or not visitor.may(Permission.FORMS_PUBLISH, form):
        return None
    newest = await versions.get_newest(tx, visitor.actor, form_id=form.id)
    return newest if newest.status is VersionStatus.DRAFT else None


def is_open(form: Form) -> bool:
    """Whether people can fill in the form under its link."""
    return form.published_version_id is not None and form.status is not FormStatus.ARCHIVED


def fill_url(page: PublicPage, form: Form) -> str:
    """Return the public link of a form."""
    return f"{page.origin}/fill/{form.link}"


def _email_link(form: Form, link: str) -> str:
    """Return a `mailto:` URL (RFC 6068) of an email without recipients."""
    # Line breaks in `mailto:` URLs are CR LF (RFC 6068, section 5).
    text = f"Please fill in “{form.name}”:\r\n\r\n{link}\r\n"
    return f"mailto:?subject={quote(form.name, safe='')}&body={quote(text, safe='')}"


@get([PATH + "/qr.png", PATH + "/qr.svg"])
async def qr_code(page: Page, form_id: str) -> Response:
    """The link as a QR code."""
    kind = str(page.scope["path"]).rpartition(".")[2]
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    return render_qr_code(fill_url(page, form), kind)


@dataclass(frozen=True, slots=True)
class PosterPage:
    """The view model of the poster."""

    form: Form
    link: str


@get(PATH + "/poster")
async def poster_page(page: Page, form_id: str) -> Response:
    """A page to print and put up: the name of the form, and its link as a QR code and as text."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    if not is_open(form):
        return Redirect(f"/forms/{form.id}/share")
    view_model = PosterPage(form, fill_url(page, form))
    return page.render("forms/poster.html", view_model, section="Forms")


@post(PATH + "/limits")
async def change_limits(page: Page, form_id: str) -> Response:
    """Save the limits of the link, or show them again with their errors."""
    sent = await page.form()
    entered = read_limits(sent, page.visitor.customer.time_zone)
    if entered.faults:
        return await render_share_page(page, form_id, entered)
    try:
        async with page.changing() as tx:
            form = await forms.get(tx, page.actor, form_id=form_id)
            change = FormChange(public_link=entered.apply_to(form.public_link))
            await forms.change(tx, page.actor, change, form_id=form_id)
    except Invalid as error:
        faults = {fault.pointer.rpartition("/")[2]: fault.detail for fault in error.faults}
        return await render_share_page(page, form_id, replace(entered, faults=faults))
    return Redirect(f"/forms/{form_id}/share?done=limits")


@post(PATH + "/embed")
async def change_sites(page: Page, form_id: str) -> Response:
    """Save the sites that may embed the form, or show them again with their errors."""
    sent = await page.form()
    text = read_text(sent, "sites", MAX_SITES_TEXT)
    try:
        async with page.changing() as tx:
            form = await forms.get(tx, page.actor, form_id=form_id)
            link = structs.replace(form.public_link, embed_origins=parse_sites(text))
            await forms.change(tx, page.actor, FormChange(public_link=link), form_id=form_id)
    except Invalid as error:
        entered = EmbedForm(text, fault=describe_sites_error(error, text))
        return await render_share_page(page, form_id, entered)
    return Redirect(f"/forms/{form_id}/share?done=embed")


@post(PATH + "/redirect")
async def change_redirect(page: Page, form_id: str) -> Response:
    """Save the page that browsers open after submitting, or show it again with its error."""
    url = read_text(await page.form(), "redirectUrl", MAX_URL + 1)
    try:
        async with page.changing() as tx:
            form = await forms.get(tx, page.actor, form_id=form_id)
            link = structs.replace(form.public_link, redirect_url=url or None)
            await forms.change(tx, page.actor, FormChange(public_link=link), form_id=form_id)
    except Invalid as error:
        entered = RedirectForm(url, {"redirectUrl": error.faults[0].detail})
        return await render_share_page(page, form_id, entered)
    return Redirect(f"/forms/{form_id}/share?done=redirect")
