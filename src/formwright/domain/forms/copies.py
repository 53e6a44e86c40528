"""Copies of forms within an account."""

from msgspec import UNSET, UnsetType

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.files import form_media
from formwright.domain.forms import service, versions
from formwright.domain.forms.fields import media_names
from formwright.domain.forms.models import Form, NewForm, Version


async def load_version(tx: ReadTransaction, actor: Actor, form: Form, version_id: str | None) -> Version:
    """Return a version of the form or, without an id, the published version; if there is none, the newest draft.

    Raises `VersionNotFound`.
    """
    version_id = form.published_version_id if version_id is None else version_id
    if version_id is None:
        return await versions.get_newest(tx, actor, form_id=form.id)
    return await versions.get(tx, actor, form_id=form.id, version_id=version_id)


async def copy(
    tx: WriteTransaction,
    actor: Actor,
    *,
    form_id: str,
    version_id: str | None = None,
    name: str | None = None,
    folder_id: str | UnsetType | None = UNSET,
    publish: bool = False,
) -> Form:
    """Create a form with the fields and settings of a version, which `load_version` finds.

    It keeps the name, if there is no other, the description, the tags and the media, and UNSET the folder. It has no
    external id and no submissions, and an `xform_id` like that of the form. Raises `FormNotFound`, `VersionNotFound` or
    `Invalid`.
    """
    form = await service.get(tx, actor, form_id=form_id)
    definition = (await load_version(tx, actor, form, version_id)).definition
    new = NewForm(
        name=name or form.name,
        description=form.description,
        tags=form.tags,
        fields=definition.fields,
        settings=definition.settings,
        publish=publish,
        folder_id=form.folder_id if folder_id is UNSET else folder_id,
        similar_xform_id=form.xform_id,
    )
    copied = await service.create(tx, actor, new)
    names = media_names(definition.fields)
    await form_media.copy(tx, actor, form_id=form_id, to_form_id=copied.id, names=names)
    return copied
