"""Events of forms."""

from dataclasses import dataclass

from formwright.core.events import Event
from formwright.domain.forms.models import Form, Template, Version


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


@dataclass(frozen=True, slots=True)
class FormDeleted(FormEvent):
    """A form was moved to the trash with its submissions, tasks and invites."""

    type = "form.deleted"


@dataclass(frozen=True, slots=True)
class FormRestored(FormEvent):
    """A form was restored with its submissions, tasks and invites."""

    type = "form.restored"


@dataclass(frozen=True, slots=True)
class VersionEvent(Event):
    """Base of the events of versions. Other changes of drafts record no event."""

    version: Version


@dataclass(frozen=True, slots=True)
class VersionDeleted(VersionEvent):
    """A draft was moved to the trash."""

    type = "version.deleted"


@dataclass(frozen=True, slots=True)
class VersionRestored(VersionEvent):
    """A draft was restored."""

    type = "version.restored"


@dataclass(frozen=True, slots=True)
class TemplateEvent(Event):
    """Base of the events of templates. Creating and changing a template records none."""

    template: Template


@dataclass(frozen=True, slots=True)
class TemplateDeleted(TemplateEvent):
    """A template was moved to the trash."""

    type = "template.deleted"


@dataclass(frozen=True, slots=True)
class TemplateRestored(TemplateEvent):
    """A template was restored."""

    type = "template.restored"
