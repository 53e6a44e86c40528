"""The verbs of forms."""

from formwright.core.access import actor as actors
from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.kernel import secrets
from formwright.core.kernel.errors import Invalid
from formwright.core.kernel.paging import Page, Window
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.forms import events, rules, store
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.model import (
    Draft,
    Form,
    FormArchived,
    FormNotFound,
    FormNotPublished,
    FormStatus,
    Version,
    VersionNotFound,
    VersionStatus,
)

_LINK_PREFIX = "f"


async def create(tx: Writing, actor: Actor, draft: Draft) -> Form:
    """A new form with its first version: final and published at once if the draft says so, else a draft."""
    scope = allow(actor, Permission.FORMS_EDIT)
    if draft.publish:
        allow(actor, Permission.FORMS_PUBLISH)
    if found := rules.faults(draft.fields):
        raise Invalid(found)
    now = await order.stamp(tx, scope.customer_id)
    form_id, version_id = tx.new_id("frm"), tx.new_id("ver")
    form = Form(
        id=form_id,
        customer_id=scope.customer_id,
        name=draft.name,
        description=draft.description,
        status=FormStatus.ACTIVE,
        tags=tuple(draft.tags),
        folder_id=None,
        published_version_id=version_id if draft.publish else None,
        link=secrets.new_secret(_LINK_PREFIX),
        created=now,
        updated=now,
        revision=1,
    )
    status = VersionStatus.FINAL if draft.publish else VersionStatus.DRAFT
    definition = Definition(list(draft.fields), draft.settings)
    await store.insert_form(tx, form)
    await store.insert_version(
        tx, Version(version_id, scope.customer_id, form_id, 1, status, "", definition, now, now, 1)
    )
    tx.record(events.FormCreated(scope.customer_id, form))
    if draft.publish:
        tx.record(events.FormPublished(scope.customer_id, form))
    return form


async def get(tx: Reading, actor: Actor, *, form_id: str) -> Form:
    """One form of the account."""
    form = await store.find_form(tx, allow(actor, Permission.FORMS_READ), form_id)
    if form is None:
        raise FormNotFound()
    return form


async def page(tx: Reading, actor: Actor, window: Window, *, newest_first: bool = False) -> Page[Form]:
    """The account's forms in the order in which they were made."""
    return await store.page_of_forms(tx, allow(actor, Permission.FORMS_READ), window, newest_first=newest_first)


async def get_version(tx: Reading, actor: Actor, *, form_id: str, version_id: str) -> Version:
    """One version of a form."""
    version = await store.find_version(tx, allow(actor, Permission.FORMS_READ), form_id, version_id)
    if version is None:
        raise VersionNotFound()
    return version


async def versions(tx: Reading, actor: Actor, window: Window, *, form_id: str) -> Page[Version]:
    """A form's versions by number."""
    form = await get(tx, actor, form_id=form_id)
    return await store.page_of_versions(tx, allow(actor, Permission.FORMS_READ), form.id, window)


async def to_answer(tx: Reading, actor: Actor, *, form_id: str, version_id: str | None = None) -> tuple[Form, Version]:
    """The form and the version that answers are for: the published one, or the one with which filling began."""
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    form = await store.find_form(tx, scope, form_id)
    if form is None:
        raise FormNotFound()
    if form.status is FormStatus.ARCHIVED:
        raise FormArchived()
    wanted = version_id or form.published_version_id
    version = await store.find_version(tx, scope, form_id, wanted) if wanted else None
    if version is None or version.status is VersionStatus.DRAFT:
        raise VersionNotFound() if version_id else FormNotPublished()
    return form, version


async def open_link(tx: Reading, token: str) -> tuple[Actor, str] | None:
    """As whom the holder of a fill link acts, and the form it opens; None when the link opens nothing."""
    target = await store.link_target(tx, token) if secrets.is_whole(token, _LINK_PREFIX) else None
    return (actors.link(token, target[0]), target[1]) if target else None
