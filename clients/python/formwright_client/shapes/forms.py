"""Shapes of Forms.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict

from formwright_client.shapes.fields import AnyField
from formwright_client.shapes.shared import ValidationError


class FieldChange(TypedDict):
    """The change of one field between two versions."""

    kind: FieldChangeKind
    before: str | None
    after: str | None
    members: list[str]
    breaking: bool
    submissions: int


FieldChangeKind: TypeAlias = Literal["ADDED", "CHANGED", "MOVED", "REMOVED", "RENAMED", "RETYPED"]
"""How a field changed."""


class Form(TypedDict):
    """A form."""

    id: str
    customerId: str
    name: str
    description: str
    folderId: str | None
    status: FormStatus
    tags: list[str]
    publishedVersionId: str | None
    fillPath: str
    created: str
    updated: str
    revision: int


class FormCreate(TypedDict):
    """A new form and its first version, created from `fields` or from a template."""

    name: NotRequired[str | None]
    fields: NotRequired[list[AnyField] | None]
    templateId: NotRequired[str | None]
    description: NotRequired[str | None]
    folderId: NotRequired[str | None]
    tags: NotRequired[list[str]]
    settings: NotRequired[FormSettings | None]
    publish: NotRequired[bool]


class FormSettings(TypedDict):
    """The settings of a form."""

    language: NotRequired[str]
    thanks: NotRequired[str | dict[str, str]]


FormStatus: TypeAlias = Literal["ACTIVE", "ARCHIVED"]
"""The status of a form."""


class FormUpdate(TypedDict):
    """The properties of a form to change."""

    name: NotRequired[str]
    description: NotRequired[str]
    folderId: NotRequired[str | None]
    tags: NotRequired[list[str]]
    status: NotRequired[FormStatus]
    fields: NotRequired[list[AnyField]]
    settings: NotRequired[FormSettings]
    publish: NotRequired[bool]


class FormVersion(TypedDict):
    """A version of a form."""

    id: str
    formId: str
    number: int
    status: FormVersionStatus
    remarks: str
    fields: list[AnyField]
    settings: FormSettings
    created: str
    createdBy: str | None
    updated: str
    updatedBy: str | None
    revision: int


class FormVersionChanges(TypedDict):
    """The differences between two versions of a form."""

    since: str
    versionId: str
    breaking: bool
    changes: list[FieldChange]


FormVersionStatus: TypeAlias = Literal["DRAFT", "FINAL"]
"""The status of a form version."""


class FormVersionWrite(TypedDict):
    """The content of a form version."""

    fields: list[AnyField]
    settings: NotRequired[FormSettings]
    remarks: NotRequired[str]


class ImportedForm(TypedDict):
    """A form that was created from an XLSForm workbook."""

    id: str
    customerId: str
    name: str
    description: str
    folderId: str | None
    status: FormStatus
    tags: list[str]
    publishedVersionId: str | None
    fillPath: str
    created: str
    updated: str
    revision: int
    report: list[XlsformNote]


Template = TypedDict(
    "Template",
    {
        "id": "str",
        "global": "bool",
        "name": "str",
        "description": "str",
        "language": "str",
        "tags": "list[str]",
        "fields": "list[AnyField]",
        "settings": "FormSettings",
        "created": "str",
        "updated": "str",
        "revision": "int",
    },
)
"""A form template."""


class TemplateWrite(TypedDict):
    """A form template."""

    name: str
    fields: list[AnyField]
    description: NotRequired[str]
    language: NotRequired[str]
    tags: NotRequired[list[str]]
    settings: NotRequired[FormSettings | None]


class ValidationResult(TypedDict):
    """The result of checking a form definition."""

    valid: bool
    errors: list[ValidationError]


class XlsformExportReport(TypedDict):
    """What an XLSForm workbook of a version does not contain."""

    report: list[XlsformNote]


class XlsformNote(TypedDict):
    """Something that was converted, or could not be, between a form and an XLSForm workbook."""

    kind: XlsformNoteKind
    sheet: str
    row: int | None
    column: str | None
    code: str
    detail: str


XlsformNoteKind: TypeAlias = Literal["changed", "dropped", "refused", "warned"]
"""What happened to a part of the form."""
