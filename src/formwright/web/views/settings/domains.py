"""Settings, Sign-in, Domains: claiming email domains with a DNS record, and releasing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from litestar import Request, get, post
from litestar.response import Redirect, Response

from formwright.core.errors import Invalid
from formwright.core.net.dns_txt import LookupFailed, lookup_txt
from formwright.domain.identity_providers import domains
from formwright.domain.identity_providers.domains import DomainProof
from formwright.domain.users.service import require_owner
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import render_view
from formwright.web.views.form_input import fault_texts, faults_by_field, read_text

PATH = "/settings/sign-in/domains"
_NOTICES = {"claimed": "Domain claimed.", "released": "Domain released."}


@dataclass(frozen=True, slots=True)
class DomainsPage:
    """The claimed domains, and the record for another one."""

    domains: Sequence[str]
    typed: str
    proof: DomainProof | None
    faults: Mapping[str, str]
    notice: str
    release: str
    """The domain whose dialog is open."""


@get(PATH)
async def domains_page(request: Request[Any, Any, Any]) -> Response[str]:
    """The claimed domains and, for one that was entered, the record that proves it."""
    visitor, typed = await require_visitor(request), read_text(request.query_params, "domain", 300)
    proof = None
    try:
        proof = domains.describe_proof(visitor.actor, get_app_context(request).secret_box, typed) if typed else None
    except Invalid as error:
        return await _render(request, visitor, typed, None, faults_by_field(error))
    return await _render(request, visitor, typed, proof)


@post(PATH, status_code=303)
async def claim_domain(request: Request[Any, Any, Any]) -> Response[Any]:
    """Look the record up, and claim the domain."""
    visitor, ctx = await require_visitor(request), get_app_context(request)
    typed, proof = read_text(await request.form(), "domain", 300), None
    try:
        proof = domains.describe_proof(visitor.actor, ctx.secret_box, typed)
        records = await lookup_txt(proof.record_name)
        async with ctx.db.writing() as tx:
            await domains.claim_by_record(tx, visitor.actor, proof, records)
    except LookupFailed as error:
        detail = f"The name servers didn’t answer ({error}). Try again later."
        return await _render(request, visitor, typed, proof, {"domain": detail})
    except Invalid as error:
        return await _render(request, visitor, typed, proof, faults_by_field(error))
    return Redirect(f"{PATH}?done=claimed", status_code=303)


@post(PATH + "/release", status_code=303)
async def release_domain(request: Request[Any, Any, Any]) -> Redirect:
    """End the claim of a domain."""
    visitor, form = await require_visitor(request), await request.form()
    async with get_app_context(request).db.writing() as tx:
        await domains.release(tx, visitor.actor, read_text(form, "domain", 300))
    return Redirect(f"{PATH}?done=released", status_code=303)


async def _render(
    request: Request[Any, Any, Any],
    visitor: Visitor,
    typed: str,
    proof: DomainProof | None,
    faults: Mapping[str, str] | None = None,
) -> Response[str]:
    require_owner(visitor.actor)
    async with get_app_context(request).db.reading() as tx:
        claimed = await domains.list_all(tx, visitor.actor)
    notice = "" if faults else _NOTICES.get(request.query_params.get("done", ""), "")
    view_model = DomainsPage(
        claimed, typed, proof, fault_texts(faults), notice, request.query_params.get("release", "")
    )
    return render_view(
        request,
        "settings/domains.html",
        view_model,
        visitor=visitor,
        section="Settings",
        status=422 if faults else 200,
    )


HANDLERS = [domains_page, claim_domain, release_domain]
