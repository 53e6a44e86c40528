"""Forms, versions and templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from msgspec import UNSET, UnsetType

from formwright.core.errors import Conflict, NotFound
from formwright.core.pagination import OLDEST_FIRST, TimeFilter
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.public_link import NO_LIMITS, PublicLink


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
    """A form. `link` is the token of its public URL. Times are in milliseconds."""

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
    external_id: str | None = None
    xform_id: str | None = None
    public_link: PublicLink = NO_LIMITS


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a form. `created_by` and `updated_by` are ids of users or API keys, or None for the operator."""

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
    """The properties of a form to create.

    With `similar_xform_id`, the form gets this id if it is free, or one like it; `xform_id` must be free.
    """

    name: str
    description: str
    tags: Sequence[str]
    fields: Sequence[AnyField]
    settings: FormSettings
    publish: bool
    folder_id: str | None = None
    external_id: str | None = None
    public_link: PublicLink = NO_LIMITS
    xform_id: str | None = None
    similar_xform_id: str | None = None


@dataclass(frozen=True, slots=True)
class FormChange:
    """The changes to a form. None leaves a property unchanged; `to_root` moves the form out of its folder.

    UNSET leaves the external id unchanged, and None removes it. The limits of the public link are replaced as a whole.
    """

    name: str | None = None
    description: str | None = None
    tags: Sequence[str] | None = None
    status: FormStatus | None = None
    folder_id: str | None = None
    to_root: bool = False
    fields: Sequence[AnyField] | None = None
    settings: FormSettings | None = None
    publish: bool = False
    external_id: str | UnsetType | None = UNSET
    public_link: PublicLink | None = None
    xform_id: str | None = None


@dataclass(frozen=True, slots=True)
class FormFilter:
    """Selects forms: in one of these folders, with this status, with this text in their name.

    With `datasource_id`, only forms whose published version or newest draft has a lookup into that data source; with
    `block_id`, only those with a field from that question block.
    """

    folder_ids: Sequence[str] = ()
    status: FormStatus | None = None
    text: str = ""
    datasource_id: str | None = None
    block_id: str | None = None
    name: str | None = None
    """The whole name, exactly."""
    external_id: str | None = None
    times: TimeFilter = OLDEST_FIRST


@dataclass(frozen=True, slots=True)
class Template:
    """A definition to create forms from. `customer_id` is None for global templates."""

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
    """The account has no such form."""

    code = "form.not_found"
    detail = "There is no such form in this account."


class VersionNotFound(NotFound):
    """The form has no such version."""

    code = "form.version.not_found"
    detail = "This form has no such version."


class VersionNotDraft(Conflict):
    """The version is final."""

    code = "form.version.not_draft"
    detail = "A final version cannot be changed. Create a new version instead."


class NoDraft(Conflict):
    """The newest version is final."""

    code = "form.no_draft"
    detail = "The newest version is final, so there is no draft to publish. To publish an earlier version, use its id."


class TemplateNotFound(NotFound):
    """There is no such template."""

    code = "template.not_found"
    detail = "There is no such template in this account or among the global ones."


class TemplateGlobal(Conflict):
    """The template is global."""

    code = "template.global"
    detail = "A global template cannot be changed. Create a template of your own from it."


class FormNotPublished(Conflict):
    """The form has no published version."""

    code = "form.not_published"
    detail = "This form has no published version yet. Publish a version so that it can be filled in."


class FormArchived(Conflict):
    """The form is archived."""

    code = "form.archived"
    detail = "This form is archived and accepts no more submissions."


class FormExternalIdTaken(Conflict):
    """Another form of the account has this external id."""

    code = "form.external_id_taken"
    detail = "Another form of this account already has this externalId."
