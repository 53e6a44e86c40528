"""The draft that the designer changes: kept over what one saw, and never over what another wrote meanwhile."""

from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.domain.forms import diff, versions
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import AnyField, Definition, FormSettings
from formwright.domain.forms.models import Form, Version, VersionStatus
from formwright.domain.submissions import service as submissions
from formwright.web.views.designer.labels import change_rows


class DraftOutdated(Conflict):
    """Another has written since."""

    code = "form.draft.overtaken"
    detail = "Someone else changed this form."


class DraftBase(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The version that the designer shows, as it was when it was read."""

    version_id: str
    number: int
    revision: int


class DraftContent(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """What the designer writes, and over what."""

    base: DraftBase
    fields: list[AnyField]
    settings: FormSettings


def draft_base(version: Version) -> dict[str, Any]:
    """What names the version as it is now."""
    return {"versionId": version.id, "number": version.number, "revision": version.revision}


async def load_newest_version(tx: ReadTransaction, actor: Actor, form: Form) -> Version:
    """The form's newest version, looked for from the published one on."""
    place: Position | None = None
    if form.published_version_id:
        found = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id)
        place = Position(found.number - 1, "")
    while True:
        page = await versions.page(tx, actor, Window(MAX_LIMIT, place), form_id=form.id)
        if page.next is None:
            return page.items[-1]
        place = page.next


async def save_draft(tx: WriteTransaction, actor: Actor, form_id: str, content: DraftContent) -> Version:
    """Put what was written into the draft, or into a new one; `Overtaken` where it would cover another's work.

    What came already, and is sent again because the answer was lost, is answered as it stands.
    """
    form = await forms.get(tx, actor, form_id=form_id)
    definition = Definition(content.fields, content.settings)
    standing = await load_newest_version(tx, actor, form)
    if standing.definition == definition:
        return standing
    kept = await versions.save_draft(tx, actor, form_id=form_id, fields=content.fields, settings=content.settings)
    # Judged behind the writing, which holds the account's order: nobody can come between. An error undoes it.
    seen = await versions.get(tx, actor, form_id=form_id, version_id=content.base.version_id)
    if not _is_successor(kept, seen, content.base):
        raise DraftOutdated()
    return kept


def _is_successor(kept: Version, seen: Version, base: DraftBase) -> bool:
    """Whether it is the next revision of the draft `base`, or the first draft behind a final as it was `seen` there."""
    if kept.id == base.version_id:
        return kept.revision == base.revision + 1
    # A draft that was changed and published meanwhile is a final of a later revision.
    return seen.revision == base.revision and (kept.number, kept.revision) == (base.number + 1, 1)


async def publish_version(tx: WriteTransaction, actor: Actor, form_id: str, base: DraftBase, remarks: str) -> Form:
    """Publish the version that was seen, a draft with remarks of its own; `Overtaken` when it has changed since."""
    version = await versions.get(tx, actor, form_id=form_id, version_id=base.version_id)
    if version.status is VersionStatus.DRAFT:
        version = await versions.change(tx, actor, form_id=form_id, version_id=version.id, remarks=remarks)
        if version.revision != base.revision + 1:
            raise DraftOutdated()
    if await _is_superseded(tx, actor, version):
        raise DraftOutdated()
    return await forms.publish(tx, actor, form_id=form_id, version_id=version.id)


async def _is_superseded(tx: ReadTransaction, actor: Actor, version: Version) -> bool:
    """Whether another published a newer one since this was the newest: it would take its place."""
    form = await forms.get(tx, actor, form_id=version.form_id)
    if form.published_version_id is None:
        return False
    now = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id)
    return now.number > version.number


async def describe_difference(
    tx: ReadTransaction, actor: Actor, before: Version, after: Version
) -> list[dict[str, Any]]:
    """What changed between two versions of a form, as sentences, with how many submissions it touches."""
    found = diff.compare_definitions(before.definition, after.definition)
    may = Permission.SUBMISSIONS_READ in actor.permissions
    counts = [
        await submissions.count_answered(tx, actor, form_id=after.form_id, field=change.before, repeat=change.repeat)
        if may
        else 0
        for change in found
    ]
    return change_rows(found, counts, before.definition, after.definition)


async def changes_since_published(
    tx: ReadTransaction, actor: Actor, form: Form, version: Version
) -> list[dict[str, Any]] | None:
    """What publishing the version would change; None where nothing is published yet."""
    if form.published_version_id is None:
        return None
    before = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id)
    return await describe_difference(tx, actor, before, version)
