"""The draft of a form in the designer. Saving and publishing fail if someone else changed the form since."""

from typing import Any

import msgspec

from formwright.core.auth.actor import Actor
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict
from formwright.domain.forms import diff, versions
from formwright.domain.forms import service as forms
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.models import Form, Version, VersionStatus
from formwright.domain.submissions import service as submissions
from formwright.web.views.designer.labels import ChangeRow, change_rows


class DraftOutdated(Conflict):
    """Someone else changed the form."""

    code = "form.draft.overtaken"
    detail = "Someone else changed this form."


class DraftBase(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The version on which the changes in the designer are based."""

    version_id: str
    number: int
    revision: int


class DraftContent(msgspec.Struct, rename="camel", forbid_unknown_fields=True, frozen=True):
    """The form as the designer sends it, and the version on which it is based."""

    base: DraftBase
    fields: list[AnyField]
    settings: FormSettings


def draft_base(version: Version) -> dict[str, Any]:
    """Return a version as JSON for `DraftBase`."""
    return {"versionId": version.id, "number": version.number, "revision": version.revision}


async def save_draft(tx: WriteTransaction, actor: Actor, form_id: str, content: DraftContent) -> Version:
    """Save the draft, or create a new one if the newest version is published.

    Raises `DraftOutdated` if the newest version isn't the one on which the changes are based. Content that is saved
    already is not saved again: the designer repeats a request if it got no response.
    """
    form = await forms.get(tx, actor, form_id=form_id)
    definition = Definition(content.fields, content.settings)
    newest = await versions.get_newest(tx, actor, form_id=form.id)
    if newest.definition == definition:
        return newest
    saved = await versions.save_draft(tx, actor, form_id=form_id, fields=content.fields, settings=content.settings)
    # Check after the write: it holds the account lock, so that nobody can save in between. The error rolls it back.
    base_now = await versions.get(tx, actor, form_id=form_id, version_id=content.base.version_id)
    if not _is_successor(saved, base_now, content.base):
        raise DraftOutdated()
    return saved


def _is_successor(saved: Version, base_now: Version, base: DraftBase) -> bool:
    """Whether the saved version is the next revision of the draft `base`, or the first draft after a published one."""
    if saved.id == base.version_id:
        return saved.revision == base.revision + 1
    # If someone changed and published the draft in between, its revision is a later one now.
    return base_now.revision == base.revision and (saved.number, saved.revision) == (base.number + 1, 1)


async def publish_version(tx: WriteTransaction, actor: Actor, form_id: str, base: DraftBase, remarks: str) -> Form:
    """Publish a version, a draft with these remarks. Raises `DraftOutdated` if someone else changed the form since."""
    version = await versions.get(tx, actor, form_id=form_id, version_id=base.version_id)
    if version.status is VersionStatus.DRAFT:
        version = await versions.change(tx, actor, form_id=form_id, version_id=version.id, remarks=remarks)
        # Saving the remarks is a change, too, so without others the revision is the next one.
        if version.revision != base.revision + 1:
            raise DraftOutdated()
    if await _is_superseded(tx, actor, version):
        raise DraftOutdated()
    return await forms.publish(tx, actor, form_id=form_id, version_id=version.id)


async def _is_superseded(tx: ReadTransaction, actor: Actor, version: Version) -> bool:
    """Whether a newer version is published, which this one would replace."""
    form = await forms.get(tx, actor, form_id=version.form_id)
    if form.published_version_id is None:
        return False
    published = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id)
    return published.number > version.number


async def describe_difference(tx: ReadTransaction, actor: Actor, before: Version, after: Version) -> list[ChangeRow]:
    """Describe the changes between two versions of a form, with the number of affected submissions."""
    changes = diff.compare_definitions(before.definition, after.definition)
    may_count = Permission.SUBMISSIONS_READ in actor.permissions
    counts = [
        await submissions.count_answered(tx, actor, form_id=after.form_id, field=change.before, repeat=change.repeat)
        if may_count
        else 0
        for change in changes
    ]
    return change_rows(changes, counts, before.definition, after.definition)


async def changes_since_published(
    tx: ReadTransaction, actor: Actor, form: Form, version: Version
) -> list[ChangeRow] | None:
    """Describe what publishing the version would change; None if no version is published yet."""
    if form.published_version_id is None:
        return None
    before = await versions.get(tx, actor, form_id=form.id, version_id=form.published_version_id)
    return await describe_difference(tx, actor, before, version)
