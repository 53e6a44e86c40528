"""The versions of a form: comparing two of them, publishing one, and starting a draft from one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.models import Form, Version, VersionStatus
from formwright.domain.forms.xlsform import report
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.labels import ChangeRow

PATH = "/forms/{form_id:str}/versions"


@dataclass(frozen=True, slots=True)
class VersionRow:
    """A version in the list. `updated` is None if it was never changed."""

    id: str
    number: int
    is_draft: bool
    is_published: bool
    remarks: str
    field_count: int
    created: DisplayTime
    creator: str
    updated: DisplayTime | None
    updater: str


@dataclass(frozen=True, slots=True)
class VersionListPage:
    """The view model of the versions, newest first, and of the comparison of the versions `before` and `after`.

    `version_to_publish` is the id of the version whose dialog is open.
    """

    form: Form
    versions: Sequence[VersionRow]
    before: str
    after: str
    changes: Sequence[ChangeRow]
    is_imported: bool
    is_invalid: bool
    version_to_publish: str
    may_edit: bool
    may_publish: bool


@get(PATH)
async def versions_page(page: Page, form_id: str) -> Response:
    """All versions, newest first, and the changes `?from=` one `&to=` another."""
    query = page.query
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    listed = await _list_all_versions(page.tx, page.visitor, form)
    before, after = _select_versions(listed, query.get("from", ""), query.get("to", ""))
    author_ids = {author for version in listed for author in (version.created_by, version.updated_by)}
    authors = await load_author_names(page.tx, page.actor, author_ids)
    view_model = VersionListPage(
        form=form,
        versions=[_version_row(page.visitor, form, version, authors) for version in listed],
        before=before.id,
        after=after.id,
        changes=await drafts.describe_difference(page.tx, page.actor, before, after),
        is_imported=bool(await report.load_report(page.tx, page.actor, form_id=form.id)),
        is_invalid=query.get("fault") == "invalid",
        version_to_publish=query.get("publish", ""),
        may_edit=page.visitor.may(Permission.FORMS_EDIT, form),
        may_publish=page.visitor.may(Permission.FORMS_PUBLISH, form),
    )
    return page.render("designer/versions.html", view_model, section="Forms")


async def _list_all_versions(tx: ReadTransaction, visitor: Visitor, form: Form) -> list[Version]:
    """Return the versions of a form, newest first."""
    listed: list[Version] = []
    position: Position | None = None
    while True:
        page = await versions.page(tx, visitor.actor, Window(MAX_LIMIT, position), form_id=form.id)
        listed += page.items
        if page.next is None:
            return listed[::-1]
        position = page.next


def _select_versions(listed: Sequence[Version], before: str, after: str) -> tuple[Version, Version]:
    """Return the versions with these ids; by default the newest one, and the one before the later of the two."""
    by_id = {version.id: version for version in listed}
    later = by_id.get(after, listed[0])
    earlier = next((version for version in listed if version.number < later.number), later)
    return by_id.get(before, earlier), later


def _version_row(visitor: Visitor, form: Form, version: Version, authors: Mapping[str | None, str]) -> VersionRow:
    zone = visitor.customer.time_zone
    return VersionRow(
        id=version.id,
        number=version.number,
        is_draft=version.status is VersionStatus.DRAFT,
        is_published=version.id == form.published_version_id,
        remarks=version.remarks,
        field_count=sum(1 for _ in walk_fields(version.definition.fields)),
        created=format_time(version.created, zone),
        creator=authors[version.created_by],
        updated=format_time(version.updated, zone) if version.revision > 1 else None,
        updater=authors[version.updated_by],
    )


@post(PATH + "/{version_id:str}/publish")
async def publish_version(page: Page, form_id: str, version_id: str) -> Redirect:
    """Publish a version: new responses use it."""
    try:
        async with page.changing() as tx:
            is_first = (await forms.get(tx, page.actor, form_id=form_id)).published_version_id is None
            await forms.publish(tx, page.actor, form_id=form_id, version_id=version_id)
    except Invalid:
        return Redirect(f"/forms/{form_id}/versions?fault=invalid")
    next_url = f"/forms/{form_id}/share?done=published" if is_first else f"/forms/{form_id}/versions"
    return Redirect(next_url)


@post(PATH + "/{version_id:str}/copy")
async def copy_version(page: Page, form_id: str, version_id: str) -> Redirect:
    """Create a draft from a version, and open it in the designer."""
    try:
        async with page.writing() as tx:
            origin = await versions.get(tx, page.actor, form_id=form_id, version_id=version_id)
            await versions.create(
                tx,
                page.actor,
                form_id=origin.form_id,
                fields=origin.definition.fields,
                settings=origin.definition.settings,
                remarks=f"From version {origin.number}",
            )
    except Invalid:
        return Redirect(f"/forms/{form_id}/versions?fault=invalid")
    return Redirect(f"/forms/{form_id}/design")
