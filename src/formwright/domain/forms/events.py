"""Events of forms."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.forms.models import Form


@dataclass(frozen=True, slots=True)
class FormEvent(Event):
    """Base of these events. `form` is the form after the change."""

    form: Form


@dataclass(frozen=True, slots=True)
class FormCreated(FormEvent):
    """A form was created."""

    type = "form.created"


@dataclass(frozen=True, slots=True)
class FormUpdated(FormEvent):
    """The name, description, tags, folder or status of a form changed."""

    type = "form.updated"


@dataclass(frozen=True, slots=True)
class FormArchived(FormEvent):
    """A form was archived and accepts no more submissions."""

    type = "form.archived"


@dataclass(frozen=True, slots=True)
class FormPublished(FormEvent):
    """A version of a form was published."""

    type = "form.published"
