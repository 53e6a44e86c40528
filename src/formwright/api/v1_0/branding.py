"""The branding of the account: logo, accent color and sender name."""

from formwright.api.binary_bodies import FileUpload
from formwright.api.context import ReadContext, WriteContext
from formwright.api.operations import OperationGroup
from formwright.api.v1_0.schemas import branding as schemas
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.offload import offload
from formwright.domain.customers import branding
from formwright.domain.customers import service as customers
from formwright.domain.customers.branding import MAX_LOGO_SIZE

_BRANDING = "/customers/{customerId}/branding"
OPERATIONS = OperationGroup("Customers", reads=Permission.CUSTOMER_READ, writes=Permission.CUSTOMER_EDIT)


@OPERATIONS.declare("GET", ("getBranding", _BRANDING))
async def get_branding(call: ReadContext) -> schemas.Branding:
    """Get the branding of an account.

    Returns the accent color, the sender name and the path of the logo, which fill pages, emails and PDF reports show.
    """
    return schemas.branding(await customers.get(call.tx, call.actor))


@OPERATIONS.declare("PUT", ("updateBranding", _BRANDING), raises=(Invalid,))
async def update_branding(call: WriteContext, body: schemas.BrandingWrite) -> schemas.Branding:
    """Update the branding of an account.

    Replaces accent color and sender name: what you omit gets its default. The logo stays as it is.
    """
    return schemas.branding(await branding.change(call.tx, call.actor, body.to_domain()))


@OPERATIONS.declare("PUT", ("updateLogo", _BRANDING + "/logo"), raises=(Invalid,))
async def update_logo(call: WriteContext, body: FileUpload) -> schemas.Branding:
    """Update the logo of an account.

    The body is a PNG, JPEG, WebP or GIF image of at most 2 MiB. It is stored as a new image of at most 600 pixels,
    never as the file itself. SVG is rejected, because it can contain scripts.
    """
    # `scale_logo` rejects empty content, so a file that is too large is not read into memory.
    content = await offload(_read, body) if body.received.size <= MAX_LOGO_SIZE else b""
    # Before the transaction, so that nobody waits for the account lock while an image is scaled.
    scaled = await branding.scale_logo(content)
    return schemas.branding(await branding.change_logo(call.tx, call.actor, scaled))


def _read(body: FileUpload) -> bytes:
    body.received.file.seek(0)
    return body.received.file.read()


@OPERATIONS.declare("DELETE", ("deleteLogo", _BRANDING + "/logo"))
async def delete_logo(call: WriteContext) -> None:
    """Delete the logo of an account.

    Does nothing if there is none.
    """
    await branding.change_logo(call.tx, call.actor, None)
