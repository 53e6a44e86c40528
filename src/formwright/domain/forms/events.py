"""What can happen to forms."""

from dataclasses import dataclass

from formwright.core.kernel.event import Event
from formwright.domain.forms.model import Form


@dataclass(frozen=True, slots=True)
class FormCreated(Event):
    """A form was made."""

    type = "form.created"
    form: Form


@dataclass(frozen=True, slots=True)
class FormPublished(Event):
    """A version of the form became the one that is filled."""

    type = "form.published"
    form: Form
