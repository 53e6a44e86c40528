"""Forms and versions."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from formwright.core.errors import Conflict, NotFound
from formwright.domain.forms.definition import AnyField, Definition, FormSettings


class FormStatus(StrEnum):
    """The status of a form. `ACTIVE`: accepts submissions once it is published. `ARCHIVED`: accepts none."""

    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"


class VersionStatus(StrEnum):
    """The status of a form version. `DRAFT`: can be changed. `FINAL`: has been published, and never changes."""

    DRAFT = "DRAFT"
    FINAL = "FINAL"


@dataclass(frozen=True, slots=True)
class Form:
    """A form; `link` opens the page in which it is filled. Times in milliseconds."""

    id: str
    customer_id: str
    name: str
    description: str
    status: FormStatus
    tags: tuple[str, ...]
    folder_id: str | None
    published_version_id: str | None
    link: str
    created: int
    updated: int
    revision: int


@dataclass(frozen=True, slots=True)
class Version:
    """One version of what a form asks. `created_by` and `updated_by` name a person or a key; None is the operator."""

    id: str
    customer_id: str
    form_id: str
    number: int
    status: VersionStatus
    remarks: str
    definition: Definition
    created: int
    updated: int
    revision: int
    created_by: str | None = None
    updated_by: str | None = None


@dataclass(frozen=True, slots=True)
class NewForm:
    """What a new form is made from."""

    name: str
    description: str
    tags: Sequence[str]
    fields: Sequence[AnyField]
    settings: FormSettings
    publish: bool
    folder_id: str | None = None


@dataclass(frozen=True, slots=True)
class FormChange:
    """What changes of a form; None leaves a thing as it is. `to_root` takes it out of its folder."""

    name: str | None = None
    description: str | None = None
    tags: Sequence[str] | None = None
    status: FormStatus | None = None
    folder_id: str | None = None
    to_root: bool = False
    fields: Sequence[AnyField] | None = None
    settings: FormSettings | None = None
    publish: bool = False


@dataclass(frozen=True, slots=True)
class FormFilter:
    """Which forms are meant: in any of these folders, of this status, with this text in their name.

    `looks_up_in` is a datasource: those whose published version or newest draft has a lookup into it.
    """

    folder_ids: Sequence[str] = ()
    status: FormStatus | None = None
    text: str = ""
    datasource_id: str | None = None


@dataclass(frozen=True, slots=True)
class Template:
    """A definition to start a form from: the account's own, or a global one, which belongs to nobody."""

    id: str
    customer_id: str | None
    name: str
    description: str
    language: str
    tags: tuple[str, ...]
    definition: Definition
    created: int
    updated: int
    revision: int


class FormNotFound(NotFound):
    """No such form in this account."""

    code = "form.not_found"
    detail = "There is no such form in this account."


class VersionNotFound(NotFound):
    """No such version of this form."""

    code = "form.version.not_found"
    detail = "This form has no such version."


class VersionNotDraft(Conflict):
    """It is final."""

    code = "form.version.not_draft"
    detail = "A final version never changes. Make a new version and change that."


class NoDraft(Conflict):
    """What is newest is final already."""

    code = "form.no_draft"
    detail = "The newest version is final: there is no draft to publish. An earlier version is published by its own id."


class TemplateNotFound(NotFound):
    """No such template for this account."""

    code = "template.not_found"
    detail = "There is no such template: neither in this account nor among the global ones."


class TemplateGlobal(Conflict):
    """It is there for everybody."""

    code = "template.global"
    detail = "A global template cannot be changed. Make one of your own from it."


class FormNotPublished(Conflict):
    """It has no published version yet, so nobody can answer it."""

    code = "form.not_published"
    detail = "This form has no published version yet. Publish one, then it can be filled."


class FormArchived(Conflict):
    """It was put away."""

    code = "form.archived"
    detail = "This form is archived: it takes no more submissions."
