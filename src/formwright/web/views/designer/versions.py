"""The versions of a form: what changed between any two, and publishing one again."""

from collections.abc import Sequence
from typing import Any

from litestar import Request, get, post
from litestar.params import FromPath
from litestar.response import Redirect, Response

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import walk_fields
from formwright.domain.forms.models import Form, Version, VersionStatus
from formwright.domain.forms.xlsform import report
from formwright.web.session import Visitor, get_app_context, require_visitor
from formwright.web.templating import format_time, render_page
from formwright.web.views.authors import load_author_names
from formwright.web.views.designer import draft as drafts

PATH = "/forms/{form_id:str}/versions"


@get(PATH)
async def versions_page(request: Request[Any, Any, Any], form_id: FromPath[str]) -> Response[str]:
    """All versions, the newest first, and what changed `?from=` one `&to=` another."""
    visitor, asked = await require_visitor(request), request.query_params
    async with get_app_context(request).db.reading() as tx:
        form = await forms.get(tx, visitor.actor, form_id=form_id)
        found = await _list_all_versions(tx, visitor, form)
        before, after = _select_versions(found, asked.get("from", ""), asked.get("to", ""))
        changed = await drafts.describe_difference(tx, visitor.actor, before, after)
        hands = await load_author_names(
            tx, visitor, {hand for one in found for hand in (one.created_by, one.updated_by)}
        )
        imported = bool(await report.load_report(tx, visitor.actor, form_id=form.id))
    return render_page(
        request,
        "designer/versions.html",
        place="Forms",
        form=form,
        versions=[_version_row(visitor, form, version, hands) for version in found],
        before=before.id,
        after=after.id,
        changed=changed,
        imported=imported,
        fault=asked.get("fault") == "invalid",
        publish=asked.get("publish", ""),
        may_edit=visitor.may(Permission.FORMS_EDIT, form),
        may_publish=visitor.may(Permission.FORMS_PUBLISH, form),
        **visitor.template_frame,
    )


async def _list_all_versions(tx: ReadTransaction, visitor: Visitor, form: Form) -> list[Version]:
    found: list[Version] = []
    place: Position | None = None
    while True:
        part = await versions.page(tx, visitor.actor, Window(MAX_LIMIT, place), form_id=form.id)
        found += part.items
        if part.next is None:
            return found[::-1]
        place = part.next


def _select_versions(found: Sequence[Version], before: str, after: str) -> tuple[Version, Version]:
    """The two that are asked for; else the newest, and the one before it."""
    by_id = {version.id: version for version in found}
    later = by_id.get(after, found[0])
    earlier = next((version for version in found if version.number < later.number), later)
    return by_id.get(before, earlier), later


def _version_row(visitor: Visitor, form: Form, version: Version, hands: dict[str | None, str]) -> dict[str, Any]:
    zone = visitor.customer.time_zone
    return {
        "id": version.id,
        "number": version.number,
        "draft": version.status is VersionStatus.DRAFT,
        "published": version.id == form.published_version_id,
        "remarks": version.remarks,
        "fields": sum(1 for _ in walk_fields(version.definition.fields)),
        "created": format_time(version.created, zone),
        "creator": hands[version.created_by],
        "updated": format_time(version.updated, zone) if version.revision > 1 else None,
        "updater": hands[version.updated_by],
    }


@post(PATH + "/{version_id:str}/publish", status_code=303)
async def publish_version(
    request: Request[Any, Any, Any], form_id: FromPath[str], version_id: FromPath[str]
) -> Redirect:
    """Make this version the one that is filled from now on."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            await forms.publish(tx, visitor.actor, form_id=form_id, version_id=version_id)
    except Invalid:
        return Redirect(f"/forms/{form_id}/versions?fault=invalid", status_code=303)
    return Redirect(f"/forms/{form_id}/versions", status_code=303)


@post(PATH + "/{version_id:str}/copy", status_code=303)
async def copy_version(request: Request[Any, Any, Any], form_id: FromPath[str], version_id: FromPath[str]) -> Redirect:
    """Begin a new draft from this version, and go where it is changed."""
    visitor = await require_visitor(request)
    try:
        async with get_app_context(request).db.writing() as tx:
            origin = await versions.get(tx, visitor.actor, form_id=form_id, version_id=version_id)
            asked, remarks = origin.definition, f"From version {origin.number}"
            await versions.create(
                tx, visitor.actor, form_id=origin.form_id, fields=asked.fields, settings=asked.settings, remarks=remarks
            )
    except Invalid:
        return Redirect(f"/forms/{form_id}/versions?fault=invalid", status_code=303)
    return Redirect(f"/forms/{form_id}/design", status_code=303)


HANDLERS = [versions_page, publish_version, copy_version]
