"""Invites."""

from formwright.api.context import RequestContext, base_url
from formwright.api.operations import operation
from formwright.api.pagination import List
from formwright.api.v1_0.schemas import invites as wire
from formwright.api.v1_0.schemas.base import convert_all
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.domain.customers.service import CustomerNotFound
from formwright.domain.forms.models import FormArchived, FormNotPublished
from formwright.domain.invites import service as invites
from formwright.domain.invites.models import InviteEnded, InviteExternalIdTaken, InviteMailer, InviteNotFound

_INVITES = "/customers/{customerId}/invites"
_INVITE = _INVITES + "/{inviteId}"


def _desk(call: RequestContext) -> InviteMailer:
    return InviteMailer(call.ctx.secret_box, base_url(call.ctx, call.request))


@operation(
    "POST",
    ("createInvite", _INVITES),
    tag="Invites",
    permission=Permission.INVITES_MANAGE,
    status=201,
    location=_INVITES + "/{id}",
    raises=(CustomerNotFound, InviteExternalIdTaken, Invalid),
)
async def create_invite(
    call: RequestContext, body: wire.InviteCreate | wire.Invites
) -> wire.Invite | list[wire.Invite]:
    """Ask a person to fill a form: she gets a mail with a link that needs no account. Or up to 1,000 at once.

    The link ends with the invite's end: when the form is filled, declined or revoked, and at `expiresAt`. Of the link
    only a hash is kept. Sent again with the same `externalId`, it is the same invite, and no second mail.

    An array of invites is made as a whole or not at all, and answered by an array in the same order, without
    `Location`. The pointer of each fault begins with the invite's place in it.
    """
    async with call.writing() as tx:
        if isinstance(body, wire.InviteCreate):
            return wire.invite(await invites.create(tx, call.actor, _desk(call), body.to_domain()))
        made = await invites.create_all(tx, call.actor, _desk(call), convert_all(body))
    return [wire.invite(one) for one in made]


@operation(
    "GET", ("listInvites", _INVITES), tag="Invites", permission=Permission.INVITES_READ, raises=(CustomerNotFound,)
)
async def list_invites(call: RequestContext, query: wire.InviteQuery) -> List[wire.Invite]:
    """List the account's invites in the order in which they were made."""
    async with call.reading() as tx:
        return call.listing(await invites.page(tx, call.actor, query.to_filter(), query.window()), wire.invite)


@operation(
    "GET",
    ("getInvite", _INVITE),
    tag="Invites",
    permission=Permission.INVITES_READ,
    raises=(CustomerNotFound, InviteNotFound),
)
async def get_invite(call: RequestContext, invite_id: str) -> wire.Invite:
    """Read one invite."""
    async with call.reading() as tx:
        return wire.invite(await invites.get(tx, call.actor, invite_id=invite_id))


@operation(
    "POST",
    ("resendInvite", _INVITE + "/resend"),
    tag="Invites",
    permission=Permission.INVITES_MANAGE,
    raises=(CustomerNotFound, InviteNotFound, InviteEnded, FormNotPublished, FormArchived),
)
async def resend_invite(call: RequestContext, invite_id: str) -> wire.Invite:
    """Send an invite anew, with a new link that lasts as long as the first was meant to; the links before it end.

    Also one that has expired or failed. What the person has saved so far stays.
    """
    async with call.writing() as tx:
        return wire.invite(await invites.resend(tx, call.actor, _desk(call), invite_id=invite_id))


@operation(
    "POST",
    ("revokeInvite", _INVITE + "/revoke"),
    tag="Invites",
    permission=Permission.INVITES_MANAGE,
    raises=(CustomerNotFound, InviteNotFound, InviteEnded),
)
async def revoke_invite(call: RequestContext, invite_id: str) -> wire.Invite:
    """Take an invite back: its link ends at once, and a mail that still waits is not sent."""
    async with call.writing() as tx:
        return wire.invite(await invites.revoke(tx, call.actor, invite_id=invite_id))


OPERATIONS = [*create_invite, *list_invites, *get_invite, *resend_invite, *revoke_invite]
