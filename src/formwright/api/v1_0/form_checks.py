"""The forms that a body names."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound


async def check_forms(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> None:
    """`Invalid` with a fault at each of `formIds` that names no form in reach."""
    found: list[ValidationFault] = []
    for index, form_id in enumerate(form_ids):
        try:
            await forms.get(tx, actor, form_id=form_id)
        except FormNotFound as error:
            found.append(ValidationFault(pointer("formIds", index), error.code, error.detail))
    if found:
        raise Invalid(found)
