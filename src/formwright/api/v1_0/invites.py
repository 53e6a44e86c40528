"""Operations on invites."""

from formwright.api.context import ReadContext, RequestContext, WriteContext, base_url
from formwright.api.operations import OperationGroup
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import invites as schemas
from formwright.api.v1_0.schemas.base import convert_all
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.forms.models import FormArchived, FormNotPublished
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import InviteEnded, InviteExternalIdTaken, InviteMailer, InviteNotFound

_INVITES = "/customers/{customerId}/invites"
_INVITE = _INVITES + "/{inviteId}"
OPERATIONS = OperationGroup("Invites", reads=Permission.INVITES_READ, writes=Permission.INVITES_MANAGE)


def _mailer(call: RequestContext) -> InviteMailer:
    return InviteMailer(call.ctx.secret_box, base_url(call.ctx, call.request), bool(call.ctx.mail_transport.server))


@OPERATIONS.declare(
    "POST",
    ("createInvite", _INVITES),
    location=_INVITES + "/{id}",
    raises=(InviteExternalIdTaken, Invalid),
)
async def create_invite(
    call: WriteContext, body: schemas.InviteCreate | schemas.Invites
) -> schemas.Invite | list[schemas.Invite]:
    """Create an invite.

    Sends a person an email with a personal link to a form; they need no user account. The link ends when they submit
    the form or decline, when you revoke the invite, and at `expiresAt`.

    If the account already has an invite with this `externalId` for the same form and person, the response is that
    invite, and no second email is sent. With the same `externalId` for another form or person, it is 409
    `invite.external_id_taken`.

    The body can also be an array of up to 1,000 invites, of which either all are created or none. The response is then
    an array in the same order, without a `Location` header, and error pointers begin with the index of the invite.

    Records the event `invite.created`. Each later state of the invite has its own event.
    """
    if isinstance(body, schemas.InviteCreate):
        return schemas.invite(await invites.create(call.tx, call.actor, _mailer(call), body.to_domain()))
    records = await invites.create_many(call.tx, call.actor, _mailer(call), convert_all(body))
    return [schemas.invite(record) for record in records]


@OPERATIONS.declare("GET", ("listInvites", _INVITES))
async def list_invites(call: ReadContext, query: schemas.InviteQuery) -> List[schemas.Invite]:
    """List invites.

    Returns invites, by default in order of creation. An invite is listed if it matches all filters.
    """
    return call.listing(await invites.page(call.tx, call.actor, query.to_filter(), query.window()), schemas.invite)


@OPERATIONS.declare("GET", ("getInvite", _INVITE), raises=(InviteNotFound,))
async def get_invite(call: ReadContext, invite_id: str) -> schemas.Invite:
    """Get an invite.

    Returns its state and when it reached each state. `submissionId` is set from the first saved answer on.
    """
    return schemas.invite(await invites.get(call.tx, call.actor, invite_id=invite_id))


@OPERATIONS.declare(
    "POST",
    ("resendInvite", _INVITE + "/resend"),
    raises=(InviteNotFound, InviteEnded, FormNotPublished, FormArchived),
)
async def resend_invite(call: WriteContext, invite_id: str) -> schemas.Invite:
    """Resend an invite.

    Sends an email with a new link and ends all earlier links. The invite is `PENDING` again, for as long as it was
    originally valid. Answers saved so far are kept. This also works for invites that are `EXPIRED` or `FAILED`; for
    those that are `COMPLETED`, `DECLINED` or `REVOKED`, the response is 409 `invite.ended`.

    Records the event `invite.resent`.
    """
    return schemas.invite(await invites.resend(call.tx, call.actor, _mailer(call), invite_id=invite_id))


@OPERATIONS.declare("POST", ("revokeInvite", _INVITE + "/revoke"), raises=(InviteNotFound, InviteEnded))
async def revoke_invite(call: WriteContext, invite_id: str) -> schemas.Invite:
    """Revoke an invite.

    Ends the link immediately; an email that is still queued is not sent. If the invite has already ended, the response
    is 409 `invite.ended`.

    Records the event `invite.revoked`.
    """
    return schemas.invite(await invites.revoke(call.tx, call.actor, invite_id=invite_id))
