"""Schemas of the email receipts of forms."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import RequestBody, Resource
from formwright.domain.receipts.models import ReceiptRecipient, ReceiptSettings

_RECIPIENT = Meta(
    description="To whom receipts are sent. `RESPONDENT`: the invited person, or the user who responded. `FIELD`: the"
    " address in the answer to `field`. Null: to nobody."
)
_FIELD = Meta(
    description="The name of the field with the address, if `recipient` is `FIELD`: of type email or text, and not part"
    " of a repeat. Answers that are no email address get no receipt.",
    examples=["email"],
)


class FormReceiptsWrite(RequestBody):
    """To whom the receipts of a form are sent."""

    recipient: Annotated[ReceiptRecipient | None, _RECIPIENT]
    field: Annotated[Annotated[str, Meta(max_length=200)] | None, _FIELD] = None


class FormReceipts(Resource):
    """To whom the receipts of a form are sent."""

    recipient: Annotated[ReceiptRecipient | None, _RECIPIENT]
    field: Annotated[str | None, _FIELD]


def form_receipts(settings: ReceiptSettings) -> FormReceipts:
    return FormReceipts(recipient=settings.recipient, field=settings.field or None)
