"""Email receipts of a form: switching them on, and choosing to whom they are sent."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import service as forms
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.receipts import service as receipts
from formwright.domain.receipts.models import PER_ADDRESS, PER_FORM, ReceiptRecipient
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_view
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
    """The view model. `limited` is how many receipts were not sent in the last 24 hours because of the limits.

    `has_mail_server` is false if emails are only written to a folder.
    """

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
    has_mail_server: bool


@get(PATH)
async def receipts_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[str]:
    """The email receipts of a form."""
    return await _render(request, await require_visitor(request), form_id)


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    form_id: str,
    typed: tuple[str, str] | None = None,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    ctx = get_app_context(request)
    async with ctx.db.reading() as tx:
        form = await _get_editable(tx, visitor, form_id)
        head = await load_form_head(tx, visitor, form)
        saved = await receipts.get(tx, visitor.actor, form_id=form.id)
        language, fields = await receipts.list_fields(tx, visitor.actor, form_id=form.id)
        limited = await receipts.count_limited(tx, saved, ctx.clock.now())
    recipient, field = typed or (saved.recipient or "", saved.field)
    view_model = ReceiptsPage(
        head=head,
        recipients=_RECIPIENTS,
        recipient=recipient,
        fields=[(one.name, label_text(one.label, (language,)) or one.name) for one in fields],
        field=field,
        faults=faults or {},
        notice="Saved." if request.query_params.get("done") == "saved" and not faults else "",
        limited=limited,
        per_address=PER_ADDRESS,
        per_form=PER_FORM,
        has_mail_server=bool(ctx.mail_transport.server),
    )
    status = 422 if faults else 200
    return render_view(request, "forms/receipts.html", view_model, visitor=visitor, section="Forms", status=status)


async def _get_editable(tx: ReadTransaction, visitor: Visitor, form_id: str) -> Form:
    form = await forms.find(tx, allow(visitor.actor, Permission.FORMS_EDIT), form_id)
    if form is None:
        raise FormNotFound()
    return form


@post(PATH, status_code=303)
async def save_receipts(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[Any]:
    """Save to whom receipts are sent; anything unknown means nobody."""
    visitor, sent = await require_visitor(request), await request.form()
    text, field = read_text(sent, "recipient", 20), read_text(sent, "field", 200)
    recipient = ReceiptRecipient(text) if text in set(ReceiptRecipient) else None
    try:
        async with get_app_context(request).db.writing() as tx:
            await receipts.save(tx, visitor.actor, recipient, field, form_id=form_id)
    except Invalid as error:
        return await _render(request, visitor, form_id, (text, field), faults_by_field(error))
    return Redirect(f"/forms/{form_id}/receipts?done=saved", status_code=303)


HANDLERS = [receipts_page, save_receipts]
