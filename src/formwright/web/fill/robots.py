"""The proof of work that keeps robots from filling in forms through their public links."""

from formwright.context import AppContext
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.forms.public_link import ProofPolicy
from formwright.domain.quotas.proof_of_work import Proof
from formwright.domain.submissions import return_links
from formwright.web.fill.limits import FillPage
from formwright.web.fill.link_access import is_personal
from formwright.web.http import JsonResponse, Response, get


@get("/fill/{token:str}/challenge")
async def challenge(page: FillPage, token: str) -> Response:
    """A new challenge, whose solution works for one response through this link."""
    async with page.ctx.db.reading() as tx:
        match = await forms.resolve_link(tx, token)
    if match is None:
        raise FormNotFound()
    return JsonResponse(page.ctx.proofs.create(match[1], page.ctx.clock.now()))


def require_proof(ctx: AppContext, token: str, form: Form, payload: str | None) -> Proof | None:
    """Return the proof if the link requires one, or None. Raises `ProofRequired` if it is missing or invalid."""
    policy = form.public_link.proof_of_work
    # A return link was given for answers that needed a proof themselves.
    if is_personal(token) or return_links.is_link(token) or policy is ProofPolicy.OFF:
        return None
    if policy is ProofPolicy.AUTOMATIC and not requires_proof_now(ctx, form):
        return None
    return ctx.proofs.verify(payload, form.id, ctx.clock.now())


def requires_proof_now(ctx: AppContext, form: Form) -> bool:
    """Whether the link requires a proof because it is abused, as far as this process has seen."""
    is_automatic = form.public_link.proof_of_work is ProofPolicy.AUTOMATIC
    return is_automatic and ctx.abuse.is_abused(form.id, ctx.clock.now())
