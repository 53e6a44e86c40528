"""The `form_id` of forms: what identifies a form in XLSForm files and in the systems that read them.

It is unique within an account, as in ODK with upper and lower case letters being different, and stays the same when the
form is renamed.
"""

import re
from typing import Annotated

from msgspec import Meta

from formwright.core.auth.actor import Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid
from formwright.domain.forms import store
from formwright.domain.forms.models import NewForm

MAX_LENGTH = 200
PATTERN = r"^[^\x00-\x20<>&]([^\x00-\x1f<>&]*[^\x00-\x20<>&])?$(?!\n)"
XformId = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_LENGTH,
        pattern=PATTERN,
        description="The `form_id` by which the form is known in XLSForm files. Must be unique within the account.",
    ),
]
_MAX_DERIVED = 64


def is_valid(text: str) -> bool:
    return len(text) <= MAX_LENGTH and re.fullmatch(PATTERN, text) is not None


def derive(name: str) -> str:
    """Return an id made from the name of a form."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name)[:_MAX_DERIVED]
    return kept.strip("_") or "form"


async def choose(tx: ReadTransaction, scope: Scope, draft: NewForm, form_id: str) -> str:
    """Return the id of a new form: `draft.xform_id`, or one like `draft.similar_xform_id` or the name.

    Raises `Invalid` if another form has `draft.xform_id`.
    """
    if draft.xform_id is not None:
        await check(tx, scope, draft.xform_id, form_id)
        return draft.xform_id
    settings = draft.settings.xlsform
    own = (settings.identifier or "") if settings else ""
    return await find_free(tx, scope, draft.similar_xform_id or own.strip() or derive(draft.name))


async def find_free(tx: ReadTransaction, scope: Scope, wanted: str) -> str:
    """Return this id, or it with the first free number if a form of the account has it."""
    if not await store.has_xform_id(tx, scope, wanted, ""):
        return wanted
    # Leaves room for `_` and a number of up to seven digits.
    stem = wanted[: MAX_LENGTH - 8]
    used = await store.list_xform_ids(tx, scope, f"{stem}_")
    # There is one number more than ids that are used, so one is free.
    return next(one for number in range(2, len(used) + 3) if (one := f"{stem}_{number}") not in used)


async def check(tx: ReadTransaction, scope: Scope, xform_id: str | None, form_id: str) -> None:
    """Raise `Invalid` if a form other than `form_id` has this id."""
    if xform_id and await store.has_xform_id(tx, scope, xform_id, form_id):
        detail = f"Another form of this account already has the id {xform_id}. Choose another one."
        raise Invalid.at("/xformId", "form.xform_id_taken", detail)
