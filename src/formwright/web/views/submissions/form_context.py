"""What is asked for where the submissions of one form are: its fields, and the manner in which they are said."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.db.interface import ReadTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.definition import AnyField
from formwright.domain.forms.models import Form, FormNotFound
from formwright.web.session import Reader
from formwright.web.views.submissions.answer_text import DisplayContext


@dataclass(frozen=True, slots=True)
class FormContext:
    """The form whose submissions are shown, where it is one: what it asks, and in which manner that is said."""

    form: Form | None
    fields: Sequence[AnyField]
    display: DisplayContext


async def load_form_context(tx: ReadTransaction, reader: Reader, form_id: str) -> FormContext:
    """What a form asks, as its published version has it; nothing for all forms, or where it cannot be seen."""
    plain = DisplayContext("en", reader.customer.time_zone)
    try:
        form = await forms.get(tx, reader.actor, form_id=form_id) if form_id else None
    except FormNotFound:
        form = None
    if form is None or form.published_version_id is None:
        return FormContext(form, [], plain)
    version = await versions.get(tx, reader.actor, form_id=form.id, version_id=form.published_version_id)
    settings = version.definition.settings
    return FormContext(form, version.definition.fields, DisplayContext(settings.language, reader.customer.time_zone))
