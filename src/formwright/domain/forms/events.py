"""What can happen to forms."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.forms.models import Form


@dataclass(frozen=True, slots=True)
class FormEvent(Event):
    """What all of them carry: the form as it is from then on."""

    form: Form


@dataclass(frozen=True, slots=True)
class FormCreated(FormEvent):
    """It was made."""

    type = "form.created"


@dataclass(frozen=True, slots=True)
class FormUpdated(FormEvent):
    """Its name, description, tags, folder or status changed."""

    type = "form.updated"


@dataclass(frozen=True, slots=True)
class FormArchived(FormEvent):
    """It was put away and takes no more submissions."""

    type = "form.archived"


@dataclass(frozen=True, slots=True)
class FormPublished(FormEvent):
    """A version of it became the one that is filled."""

    type = "form.published"
