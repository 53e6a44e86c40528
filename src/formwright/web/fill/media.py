"""The media that a page shows beside its questions and options."""

from collections.abc import Iterable
from typing import Any

from formwright.context import AppContext
from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.domain.files import form_media
from formwright.domain.files.models import File
from formwright.domain.forms.fields import media_names
from formwright.domain.forms.models import Form, Version
from formwright.web.file_urls import sign_media_url

MAX_OFFLINE_SIZE = 50 * 1024 * 1024
"""How many bytes of media a device keeps for a form, at most."""


async def find_media(ctx: AppContext, tx: ReadTransaction, form: Form, version: Version) -> dict[str, Any]:
    """Return what the page needs for media: `media`, their links by name, and which of the links to `keepMedia`.

    Files that are not attached to the form are not shown.
    """
    names = media_names(version.definition.fields)
    scope = Scope(form.customer_id)
    found = await form_media.find_by_names(tx, scope, form_id=form.id, names=names)
    links = {name: sign_media_url(ctx, form.customer_id, file.id) for name, file in found.items()}
    return {"media": links, "keepMedia": [links[file.name] for file in _fitting(found.values())]} if links else {}


def _fitting(files: Iterable[File]) -> list[File]:
    """Return the files to keep offline: the smallest first, until the device has enough."""
    kept, size = [], 0
    for file in sorted(files, key=lambda one: one.size):
        size += file.size
        if size <= MAX_OFFLINE_SIZE:
            kept.append(file)
    return kept
