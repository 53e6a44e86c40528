"""Settings, Sign-in, Domains: claiming email domains with a DNS record, and releasing them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.errors import Invalid
from formwright.core.net.dns_txt import LookupFailed, lookup_txt
from formwright.domain.identity_providers import domains
from formwright.domain.identity_providers.domains import DomainProof
from formwright.domain.users.service import require_owner
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
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
async def domains_page(page: Page) -> Response:
    """The claimed domains and, for one that was entered, the record that proves it."""
    typed = read_text(page.query, "domain", 300)
    proof = None
    try:
        proof = domains.describe_proof(page.actor, page.ctx.secret_box, typed) if typed else None
    except Invalid as error:
        return await _render(page, typed, None, faults_by_field(error))
    return await _render(page, typed, proof)


@post(PATH)
async def claim_domain(page: Page) -> Response:
    """Look the record up, and claim the domain."""
    typed, proof = read_text(await page.form(), "domain", 300), None
    try:
        proof = domains.describe_proof(page.actor, page.ctx.secret_box, typed)
        records = await lookup_txt(proof.record_name)
        async with page.writing() as tx:
            await domains.claim_by_record(tx, page.actor, proof, records)
    except LookupFailed as error:
        detail = f"The name servers didn’t answer ({error}). Try again later."
        return await _render(page, typed, proof, {"domain": detail})
    except Invalid as error:
        return await _render(page, typed, proof, faults_by_field(error))
    return Redirect(f"{PATH}?done=claimed")


@post(PATH + "/release")
async def release_domain(page: Page) -> Redirect:
    """End the claim of a domain."""
    form = await page.form()
    async with page.writing() as tx:
        await domains.release(tx, page.actor, read_text(form, "domain", 300))
    return Redirect(f"{PATH}?done=released")


async def _render(
    page: Page, typed: str, proof: DomainProof | None, faults: Mapping[str, str] | None = None
) -> Response:
    require_owner(page.actor)
    claimed = await domains.list_all(page.tx, page.actor)
    notice = "" if faults else _NOTICES.get(page.query.get("done", ""), "")
    view_model = DomainsPage(claimed, typed, proof, fault_texts(faults), notice, page.query.get("release", ""))
    return page.render(
        "settings/domains.html",
        view_model,
        section="Settings",
        status=422 if faults else 200,
    )
