"""Validates the form ids in request bodies."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import FormNotFound


async def check_forms(tx: ReadTransaction, actor: Actor, form_ids: Sequence[str]) -> None:
    """Raise `Invalid` with an error for each item of `formIds` that is not a form the actor may read."""
    errors: list[ValidationFault] = []
    for index, form_id in enumerate(form_ids):
        try:
            await forms.get(tx, actor, form_id=form_id)
        except FormNotFound as error:
            errors.append(ValidationFault(pointer("formIds", index), error.code, error.detail))
    if errors:
        raise Invalid(errors)
