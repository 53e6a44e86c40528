"""Email receipts of a form: switching them on, and choosing to whom they are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.receipts import service as receipts
from formwright.domain.receipts.models import PER_ADDRESS, PER_FORM, ReceiptRecipient
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.form_input import faults_by_field, read_text

PATH = "/forms/{form_id:str}/receipts"
_RECIPIENTS = (
    ("", "Nobody"),
    (ReceiptRecipient.RESPONDENT.value, "The person who was invited, or the user who responded"),
    (ReceiptRecipient.FIELD.value, "The address in an answer"),
)


@dataclass(frozen=True, slots=True)
class ReceiptsPage:
    """The view model. `limited` is how many receipts were not sent in the last 24 hours because of the limits."""

    head: FormHead
    recipients: Sequence[tuple[str, str]]
    recipient: str
    fields: Sequence[tuple[str, str]]
    field: str
    faults: Mapping[str, str]
    notice: str
    limited: int
    per_address: int
    per_form: int


@get(PATH)
async def receipts_page(page: Page, form_id: str) -> Response:
    """The email receipts of a form."""
    return await _render(page, form_id)


async def _render(
    page: Page, form_id: str, typed: tuple[str, str] | None = None, faults: Mapping[str, str] | None = None
) -> Response:
    form = await _get_editable(page.tx, page.visitor, form_id)
    head = await load_form_head(page.tx, page.visitor, form)
    saved = await receipts.get(page.tx, page.actor, form_id=form.id)
    language, fields = await receipts.list_fields(page.tx, page.actor, form_id=form.id)
    limited = await receipts.count_limited(page.tx, saved, page.ctx.clock.now())
    recipient, field = typed or (saved.recipient or "", saved.field)
    view_model = ReceiptsPage(
        head=head,
        recipients=_RECIPIENTS,
        recipient=recipient,
        fields=[(one.name, label_text(one.label, (language,)) or one.name) for one in fields],
        field=field,
        faults=faults or {},
        notice="Saved." if page.query.get("done") == "saved" and not faults else "",
        limited=limited,
        per_address=PER_ADDRESS,
        per_form=PER_FORM,
    )
    status = 422 if faults else 200
    return page.render("forms/receipts.html", view_model, section="Forms", status=status)


async def _get_editable(tx: ReadTransaction, visitor: Visitor, form_id: str) -> Form:
    form = await forms.find(tx, allow(visitor.actor, Permission.FORMS_EDIT), form_id)
    if form is None:
        raise FormNotFound()
    return form


@post(PATH)
async def save_receipts(page: Page, form_id: str) -> Response:
    """Save to whom receipts are sent; anything unknown means nobody."""
    sent = await page.form()
    text, field = read_text(sent, "recipient", 20), read_text(sent, "field", 200)
    recipient = ReceiptRecipient(text) if text in set(ReceiptRecipient) else None
    try:
        async with page.writing() as tx:
            await receipts.save(tx, page.actor, recipient, field, form_id=form_id)
    except Invalid as error:
        return await _render(page, form_id, (text, field), faults_by_field(error))
    return Redirect(f"/forms/{form_id}/receipts?done=saved")
