"""Schemas of Forms."""

# Generated from docs/openapi.json by `make openapi`. Do not edit.

from __future__ import annotations

from typing import Literal, NotRequired, TypeAlias, TypedDict, final

from formwright_client.schemas.fields import AnyField
from formwright_client.schemas.shared import ValidationError


@final
class BundleDatasource(TypedDict):
    """A data source that lookups of the form use."""

    name: str
    """The name of the data source."""
    keyColumn: str
    """The column with the key of each row."""
    columns: list[str]
    """All columns, in order."""


@final
class ButtonLabels(TypedDict):
    """The texts of the form's buttons, instead of those of the page."""

    submit: NotRequired[str | dict[str, str]]
    """The button that submits the form. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """
    next: NotRequired[str | dict[str, str]]
    """The button to the next page. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """
    back: NotRequired[str | dict[str, str]]
    """The button to the page before. A text, or a text for each language: `{"en": "Name", "de": "Name"}`.
    `{{name}}` shows an answer.
    """


@final
class EditAfterSubmitting(TypedDict):
    """Until when senders can change what they have submitted."""

    hours: NotRequired[int]
    """For how many hours after submitting. Without it, until the submission is reviewed."""


@final
class FieldChange(TypedDict):
    """The change of one field between two versions."""

    kind: FieldChangeKind
    """How a field changed. `RETYPED`: it has another type. `MOVED`: it moved into or out of a repeat.
    `CHANGED`: other properties changed.
    """
    before: str | None
    """The name of the field in the older version; null if it was added."""
    after: str | None
    """The name of the field in the newer version; null if it was removed."""
    members: list[str]
    """The names of the properties that changed."""
    breaking: bool
    """Whether programs that read the answers have to be adapted."""
    submissions: int
    """The number of stored submissions with an answer to the older field."""


FieldChangeKind: TypeAlias = Literal["ADDED", "CHANGED", "MOVED", "REMOVED", "RENAMED", "RETYPED"]
"""How a field changed. `RETYPED`: it has another type. `MOVED`: it moved into or out of a repeat.
`CHANGED`: other properties changed.
"""


@final
class Form(TypedDict):
    """A form."""

    id: str
    """The id of a form."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the form."""
    description: str
    """A description for the people who manage forms."""
    folderId: str | None
    """The folder that contains the form, or null at the top level."""
    status: FormStatus
    """The status of a form. `ACTIVE`: accepts submissions once it is published. `ARCHIVED`: accepts none."""
    tags: list[str]
    """Tags to group forms by."""
    externalId: str | None
    """Your own id for the form."""
    xformId: str | None
    """The `form_id` by which the form is known in XLSForm files; null for a form that was created before
    forms had one, and never renamed since. An export makes it from the name then.
    """
    publishedVersionId: str | None
    """The version that people fill in, or null before the first is published."""
    fillPath: str
    """The path of the page on which people fill in the form, relative to the server."""
    publicLink: PublicLink
    """The limits of the public link and, except `onePer`, of invites. They do not apply to API keys and
    tasks.
    """
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class FormBundle(TypedDict):
    """A form version that other accounts can import."""

    format: str
    """Always `formwright-form`."""
    version: int
    """The version of the format."""
    name: str
    """The name of the form."""
    description: NotRequired[str]
    """The description of the form."""
    tags: NotRequired[list[str]]
    """The tags."""
    fields: list[AnyField]
    """The fields of the version, in order."""
    settings: FormSettings
    """The settings of a form."""
    xformId: NotRequired[str | None]
    """The `form_id` by which the form is known in XLSForm files. Must be unique within the account."""
    datasources: NotRequired[dict[str, BundleDatasource]]
    """The data sources of lookups, by their id in `fields`."""


@final
class FormBundleImport(TypedDict):
    """A bundle, and how to import it."""

    bundle: FormBundle
    """The bundle, as `getFormBundle` returned it."""
    name: NotRequired[str | None]
    """The name of the form. Default: that in the bundle."""
    folderId: NotRequired[str | None]
    """The folder for the form. Default: the top level."""
    datasources: NotRequired[dict[str, str]]
    """Data sources of your account to use for lookups, by the name in the bundle. For other names, your data
    source of the same name is used.
    """
    publish: NotRequired[bool]
    """Publish the version, so that people can fill in the form; otherwise it is a draft."""


@final
class FormCopy(TypedDict):
    """How to copy a form."""

    name: NotRequired[str | None]
    """The name of the copy. Default: that of the form."""
    folderId: NotRequired[str | None]
    """The folder for the copy; null: the top level. Default: the folder of the form."""
    versionId: NotRequired[str | None]
    """The version to copy. Default: the published version, or else the newest draft."""
    publish: NotRequired[bool]
    """Publish the version, so that people can fill in the form; otherwise it is a draft."""


@final
class FormCreate(TypedDict):
    """A new form and its first version, created from `fields` or from a template."""

    name: NotRequired[str | None]
    """The name. Required with `fields`; default: the template's."""
    fields: NotRequired[list[AnyField] | None]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    templateId: NotRequired[str | None]
    """The template to create the form from, instead of `fields`."""
    description: NotRequired[str | None]
    """A description for the people who manage forms."""
    folderId: NotRequired[str | None]
    """The folder that contains the form, or null at the top level."""
    tags: NotRequired[list[str]]
    """Tags to group forms by."""
    externalId: NotRequired[str | None]
    """Your own id. Must be unique among the forms of the account."""
    xformId: NotRequired[str | None]
    """The `form_id` by which the form is known in XLSForm files. Must be unique within the account. Default:
    made from the name.
    """
    settings: NotRequired[FormSettings | None]
    """The settings of a form."""
    publicLink: NotRequired[PublicLinkWrite | None]
    """The limits of the public link and, except `onePer`, of invites. They do not apply to API keys and
    tasks.
    """
    publish: NotRequired[bool]
    """Publish the version, so that people can fill in the form; otherwise it is a draft."""


@final
class FormMedia(TypedDict):
    """An image, a sound or a video of a form."""

    id: str
    """The id of a file."""
    name: str
    """The name by which fields and options refer to it."""
    type: str
    """The media type, verified against the content."""
    size: int
    """The size in bytes."""
    sha256: str
    """The SHA-256 of the content, in hexadecimal."""
    url: str
    """A download link, which needs no API key and works as long as the file exists."""
    created: str
    """When the file was added."""


@final
class FormMediaImport(TypedDict):
    """The files that an import has added to the media of a form."""

    added: list[FormMedia]
    """The files in the order of their names."""


@final
class FormReceipts(TypedDict):
    """To whom the receipts of a form are sent."""

    recipient: ReceiptRecipient | None
    """To whom receipts are sent. `RESPONDENT`: the invited person, or the user who responded. `FIELD`: the
    address in the answer to `field`. Null: to nobody.
    """
    field: str | None
    """The name of the field with the address, if `recipient` is `FIELD`: of type email or text, and not part
    of a repeat. Answers that are no email address get no receipt.
    """


@final
class FormReceiptsWrite(TypedDict):
    """To whom the receipts of a form are sent."""

    recipient: ReceiptRecipient | None
    """To whom receipts are sent. `RESPONDENT`: the invited person, or the user who responded. `FIELD`: the
    address in the answer to `field`. Null: to nobody.
    """
    field: NotRequired[str | None]
    """The name of the field with the address, if `recipient` is `FIELD`: of type email or text, and not part
    of a repeat. Answers that are no email address get no receipt.
    """


@final
class FormSettings(TypedDict):
    """The settings of a form."""

    language: NotRequired[str]
    """The language of the form (BCP 47)."""
    welcome: NotRequired[str | dict[str, str]]
    """A text on a page of its own before the first question. A text, or a text for each language: `{"en":
    "Name", "de": "Name"}`. `{{name}}` shows an answer.
    """
    thanks: NotRequired[str | dict[str, str]]
    """The message shown after submitting. A text, or a text for each language: `{"en": "Name", "de":
    "Name"}`. `{{name}}` shows an answer.
    """
    buttons: NotRequired[ButtonLabels]
    """The texts of the form's buttons. A text applies to its language, and one without languages to the
    language of the form. Without them, the page has texts in about 50 languages, and else English ones.
    """
    questionPerPage: NotRequired[bool]
    """Whether each question has a page of its own. The questions of a section or a repeat share one, and a
    note is on the page of the next question.
    """
    continueLater: NotRequired[bool]
    """Whether the page offers a secret link with which people go on with unfinished answers, also on another
    device.
    """
    editAfterSubmitting: NotRequired[EditAfterSubmitting]
    """Lets senders change what they have submitted, with a secret link that they get: `{}` until the
    submission is reviewed, and with `hours` no longer than these.
    """
    titleField: NotRequired[str]
    """The name of a field outside of repeats. Its answer is the title of a submission: on its page, first in
    lists, and in its PDF report.
    """
    score: NotRequired[ScoreSettings]
    """What people see of the score after submitting. Default: nothing."""
    xlsform: NotRequired[XlsformSettings]
    """What identifies the form in XLSForm files and the systems that read them."""


FormStatus: TypeAlias = Literal["ACTIVE", "ARCHIVED"]
"""The status of a form. `ACTIVE`: accepts submissions once it is published. `ARCHIVED`: accepts none."""


@final
class FormUpdate(TypedDict):
    """The properties of a form to change."""

    name: NotRequired[str]
    """The name of the form."""
    description: NotRequired[str]
    """A description for the people who manage forms."""
    folderId: NotRequired[str | None]
    """The folder to move the form to; null: the top level."""
    tags: NotRequired[list[str]]
    """Tags to group forms by."""
    externalId: NotRequired[str | None]
    """Your own id; null removes it."""
    xformId: NotRequired[str]
    """The `form_id` by which the form is known in XLSForm files. Must be unique within the account."""
    status: NotRequired[FormStatus]
    """`ARCHIVED`: the form accepts no more submissions. `ACTIVE` restores it."""
    publicLink: NotRequired[PublicLinkWrite | None]
    """The new limits of the public link, as a whole; null removes all of them."""
    fields: NotRequired[list[AnyField]]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    settings: NotRequired[FormSettings]
    """The new settings, as a whole. They go into the same version as `fields`."""
    publish: NotRequired[bool]
    """Publish the newest version, which must be a draft, with the changes of this request."""


@final
class FormUpsert(TypedDict):
    """A form by your own id."""

    name: NotRequired[str]
    """The name of the form."""
    description: NotRequired[str]
    """A description for the people who manage forms."""
    folderId: NotRequired[str | None]
    """The folder to move the form to; null: the top level."""
    tags: NotRequired[list[str]]
    """Tags to group forms by."""
    xformId: NotRequired[str]
    """The `form_id` by which the form is known in XLSForm files. Must be unique within the account."""
    status: NotRequired[FormStatus]
    """`ARCHIVED`: the form accepts no more submissions. `ACTIVE` restores it."""
    publicLink: NotRequired[PublicLinkWrite | None]
    """The new limits of the public link, as a whole; null removes all of them."""
    fields: NotRequired[list[AnyField]]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    settings: NotRequired[FormSettings]
    """The new settings, as a whole. They go into the same version as `fields`."""
    publish: NotRequired[bool]
    """Publish the newest version, which must be a draft, with the changes of this request."""
    externalId: str
    """Your own id for the resource."""


@final
class FormVersion(TypedDict):
    """A version of a form."""

    id: str
    """The id of a form version."""
    formId: str
    """The id of a form."""
    number: int
    """Counts the versions of the form, from 1."""
    status: FormVersionStatus
    """The status of a form version. `DRAFT`: can be changed. `FINAL`: has been published, and never changes."""
    remarks: str
    """What is new in this version."""
    fields: list[AnyField]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    settings: FormSettings
    """The settings of a form."""
    created: str
    """When the resource was created."""
    createdBy: str | None
    """The id of the user or the API key; null for Formwright itself and its command line."""
    updated: str
    """When the resource last changed."""
    updatedBy: str | None
    """The id of the user or the API key; null for Formwright itself and its command line."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class FormVersionChanges(TypedDict):
    """The differences between two versions of a form."""

    since: str
    """The older version."""
    versionId: str
    """The newer version."""
    breaking: bool
    """Whether any of the changes is breaking."""
    changes: list[FieldChange]
    """The changes of fields."""


FormVersionStatus: TypeAlias = Literal["DRAFT", "FINAL"]
"""The status of a form version. `DRAFT`: can be changed. `FINAL`: has been published, and never changes."""


@final
class FormVersionWrite(TypedDict):
    """The content of a form version."""

    fields: list[AnyField]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    settings: NotRequired[FormSettings]
    """The settings of a form."""
    remarks: NotRequired[str]
    """What is new in this version, for the people who manage it."""


@final
class ImportedForm(TypedDict):
    """A form that was created from an XLSForm workbook."""

    id: str
    """The id of a form."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the form."""
    description: str
    """A description for the people who manage forms."""
    folderId: str | None
    """The folder that contains the form, or null at the top level."""
    status: FormStatus
    """The status of a form. `ACTIVE`: accepts submissions once it is published. `ARCHIVED`: accepts none."""
    tags: list[str]
    """Tags to group forms by."""
    externalId: str | None
    """Your own id for the form."""
    xformId: str | None
    """The `form_id` by which the form is known in XLSForm files; null for a form that was created before
    forms had one, and never renamed since. An export makes it from the name then.
    """
    publishedVersionId: str | None
    """The version that people fill in, or null before the first is published."""
    fillPath: str
    """The path of the page on which people fill in the form, relative to the server."""
    publicLink: PublicLink
    """The limits of the public link and, except `onePer`, of invites. They do not apply to API keys and
    tasks.
    """
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""
    counts: XlsformNoteCounts
    """How many notes of a report have each effect. Nothing is lost if `questions` and `rules` are 0."""
    report: list[XlsformNote]
    """What was converted or could not be imported."""


OnePer: TypeAlias = Literal["DEVICE"]
"""What can respond once. `DEVICE`: the public link accepts one response from each browser."""

ProofPolicy: TypeAlias = Literal["ALWAYS", "AUTOMATIC", "OFF"]
"""When the page has to solve a challenge before it submits. `AUTOMATIC`: when the link is abused."""


@final
class PublicLink(TypedDict):
    """The limits of a form's public link."""

    opensAt: str | None
    """When the form begins to accept responses. Null: at once."""
    closesAt: str | None
    """When the form stops accepting responses; after `opensAt`. Null: never."""
    maxResponses: int | None
    """The maximum number of responses through the public link and invites. Those received before the limit
    was set count; drafts and deleted ones do not. Null: no limit.
    """
    onePer: OnePer | None
    """`DEVICE`: the public link accepts one response from each browser. Null: any number. An invite always
    accepts one.
    """
    embedOrigins: list[str]
    """The origins of the sites that may show the form in a frame, such as `https://www.example.org`: scheme
    and host in lower case, and the port if it is not the default. Empty: none.
    """
    proofOfWork: ProofPolicy
    """Whether browsers must solve a challenge before they submit a response through the public link, against
    robots. `AUTOMATIC`: while the link receives unusually many responses.
    """
    redirectUrl: str | None
    """The page that browsers open after a response was submitted through the public link or an invite,
    instead of the thank-you message; an `https` or `http` URL. Null: none.
    """


@final
class PublicLinkWrite(TypedDict):
    """The limits of a form's public link to set."""

    opensAt: NotRequired[str | None]
    """When the form begins to accept responses. Null: at once."""
    closesAt: NotRequired[str | None]
    """When the form stops accepting responses; after `opensAt`. Null: never."""
    maxResponses: NotRequired[int | None]
    """The maximum number of responses through the public link and invites. Those received before the limit
    was set count; drafts and deleted ones do not. Null: no limit.
    """
    onePer: NotRequired[OnePer | None]
    """`DEVICE`: the public link accepts one response from each browser. Null: any number. An invite always
    accepts one.
    """
    embedOrigins: NotRequired[list[str]]
    """The origins of the sites that may show the form in a frame, such as `https://www.example.org`: scheme
    and host in lower case, and the port if it is not the default. Empty: none.
    """
    proofOfWork: NotRequired[ProofPolicy]
    """Whether browsers must solve a challenge before they submit a response through the public link, against
    robots. `AUTOMATIC`: while the link receives unusually many responses.
    """
    redirectUrl: NotRequired[str | None]
    """The page that browsers open after a response was submitted through the public link or an invite,
    instead of the thank-you message; an `https` or `http` URL. Null: none.
    """


@final
class QuestionBlock(TypedDict):
    """A question block."""

    id: str
    """The id of a question block."""
    customerId: str
    """The id of the account."""
    name: str
    """The name of the block."""
    description: str
    """A description for the people who build forms."""
    version: int
    """The number of the newest version."""
    fields: list[AnyField]
    """The fields of the block, in order. Rules refer to fields of the block."""
    language: str
    """The language of texts that are not translated (BCP 47)."""
    created: str
    """When the resource was created."""
    updated: str
    """When the resource last changed."""
    revision: int
    """Starts at 1 and increases by 1 with each change."""


@final
class QuestionBlockUse(TypedDict):
    """A form with fields of a question block."""

    formId: str
    """The id of a form."""
    name: str
    """The name of the form."""
    published: list[int]
    """The versions of the block whose fields the published version of the form has."""
    draft: list[int]
    """The same for the newest version of the form, if that is a draft; otherwise empty."""
    updateAvailable: bool
    """Whether the draft or, without one, the published version has fields of an older version of the block
    than the newest one.
    """


@final
class QuestionBlockVersion(TypedDict):
    """A version of a question block."""

    number: int
    """The number of a version, beginning with 1."""
    fields: list[AnyField]
    """The fields of the block, in order. Rules refer to fields of the block."""
    language: str
    """The language of texts that are not translated (BCP 47)."""
    created: str
    """When the resource was created."""
    createdBy: str | None
    """The id of the user or API key that created the version, if there is one."""


@final
class QuestionBlockWrite(TypedDict):
    """A question block."""

    name: str
    """The name of the block."""
    fields: list[AnyField]
    """The fields of the block, in order. Rules refer to fields of the block."""
    description: NotRequired[str]
    """A description for the people who build forms."""
    language: NotRequired[str]
    """The language of texts that are not translated (BCP 47)."""


ReceiptRecipient: TypeAlias = Literal["FIELD", "RESPONDENT"]
"""`RESPONDENT`: the invited person, or the user who responded. `FIELD`: the address that a field asks
for.
"""

ScoreDisplay: TypeAlias = Literal["results", "score"]
"""What people see of the score after submitting: the points, or also their answers and those that bring
points.
"""


@final
class ScoreSettings(TypedDict):
    """How the score of a quiz is shown after submitting."""

    show: ScoreDisplay
    """`score`: how many points of how many. `results`: also each question with points, the answer, and the
    options that bring points. The page then contains the points, where people can find them.
    """
    passPercent: NotRequired[int]
    """The percentage of `maxScore()` that is needed to pass, if there is one."""


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


@final
class TemplateWrite(TypedDict):
    """A form template."""

    name: str
    """The name of the template."""
    fields: list[AnyField]
    """The fields of the form, in the order in which they are asked; at most 1,500."""
    description: NotRequired[str]
    """A description for the people who manage forms."""
    language: NotRequired[str]
    """A language tag (BCP 47)."""
    tags: NotRequired[list[str]]
    """Tags to group forms by."""
    settings: NotRequired[FormSettings | None]
    """The settings of a form."""


@final
class ValidationResult(TypedDict):
    """The result of checking a form definition."""

    valid: bool
    """Whether the definition has no errors."""
    errors: list[ValidationError]
    """All errors of the definition."""


@final
class XlsformExportReport(TypedDict):
    """What an XLSForm workbook of a version does not contain."""

    counts: XlsformNoteCounts
    """How many notes of a report have each effect. Nothing is lost if `questions` and `rules` are 0."""
    report: list[XlsformNote]
    """What was converted or could not be exported."""


@final
class XlsformNote(TypedDict):
    """Something that was converted, or could not be, between a form and an XLSForm workbook."""

    kind: XlsformNoteKind
    """What happened to a part of the form. `changed`: converted. `dropped`: the other format cannot express
    it. `refused`: invalid or not supported, and left out. `warned`: kept, with a remark.
    """
    effect: XlsformNoteEffect
    """What a note means for people who fill in the form. `questions` and `rules`: some are missing. `looks`:
    the form looks different. `converted`: the same is expressed in another way. `none`: nothing changes
    for them.
    """
    sheet: str
    """The name of the sheet."""
    row: int | None
    """The row, counted from 1; null if the note concerns none."""
    column: str | None
    """The name of the column; null if the note concerns none."""
    code: str
    """A stable code, which begins with `xlsform.`."""
    detail: str
    """An explanation for people."""


@final
class XlsformNoteCounts(TypedDict):
    """How many notes of a report have each effect."""

    questions: int
    """Questions or choices that are missing."""
    rules: int
    """Rules or computed defaults that are missing."""
    looks: int
    """Things that only look different."""
    converted: int
    """Things that are expressed in another way."""
    none: int
    """Things whose change nobody notices."""


XlsformNoteEffect: TypeAlias = Literal["converted", "looks", "none", "questions", "rules"]
"""What a note means for people who fill in the form. `questions` and `rules`: some are missing. `looks`:
the form looks different. `converted`: the same is expressed in another way. `none`: nothing changes
for them.
"""

XlsformNoteKind: TypeAlias = Literal["changed", "dropped", "refused", "warned"]
"""What happened to a part of the form. `changed`: converted. `dropped`: the other format cannot express
it. `refused`: invalid or not supported, and left out. `warned`: kept, with a remark.
"""


@final
class XlsformSettings(TypedDict):
    """What identifies the form in XLSForm files and the systems that read them."""

    identifier: NotRequired[str]
    """The `form_id` of a new form that has no `xformId` of its own. Use `xformId` of the form."""
    version: NotRequired[str]
    """The `version` of the workbook."""
    settings: NotRequired[dict[str, str]]
    """Other settings of the workbook, which have no effect here. Exports write them again."""
    entities: NotRequired[list[dict[str, str]]]
    """The rows of the sheet `entities`, which have no effect here. Exports write them again."""
    choices: NotRequired[list[dict[str, str]]]
    """Rows of the sheet `choices` that only columns without an effect here refer to, such as a
    `tick_labelset`. Exports write them again.
    """
    files: NotRequired[list[str]]
    """The names of the files that rows such as `csv-external` attach. Exports write the rows again."""
