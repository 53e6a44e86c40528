"""The email receipts of forms."""

from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import receipts as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms.models import FormNotFound
from formwright.domain.receipts import service as receipts

_RECEIPTS = "/forms/customer/{customerId}/forms/{formId}/receipts"
OPERATIONS = OperationGroup("Forms", reads=Permission.FORMS_READ, writes=Permission.FORMS_EDIT)


@OPERATIONS.declare("GET", ("getFormReceipts", _RECEIPTS), raises=(FormNotFound,))
async def get_form_receipts(call: ReadContext, form_id: str) -> schemas.FormReceipts:
    """Get the receipt settings of a form.

    Returns to whom emails with a PDF of their answers are sent after they have submitted the form.
    """
    return schemas.form_receipts(await receipts.get(call.tx, call.actor, form_id=form_id))


@OPERATIONS.declare("PUT", ("updateFormReceipts", _RECEIPTS), raises=(FormNotFound, Invalid))
async def update_form_receipts(
    call: WriteContext, form_id: str, body: schemas.FormReceiptsWrite
) -> schemas.FormReceipts:
    """Set to whom the receipts of a form are sent.

    Each submission that is sent from a page of the form from now on gets one email with a PDF of the answers, within a
    minute or so. Changes of a submission get no other one, and submissions through the API and imports get none. In 24
    hours, at most 5 receipts of an account are sent to an address, and 1,000 of a form; the others are left out.
    """
    saved = await receipts.save(call.tx, call.actor, body.recipient, body.field or "", form_id=form_id)
    return schemas.form_receipts(saved)
