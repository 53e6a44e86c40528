"""The settings of forms, which apply to all of their fields."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.labels import TRANSLATED, Label
from formwright.domain.forms.fields.properties import KeptCells

Language = Annotated[
    str,
    Meta(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$(?!\n)", description="A language tag (BCP 47).", examples=["en"]),
]


class XlsformSettings(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """What identifies the form in XLSForm files and the systems that read them."""

    identifier: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=200,
                pattern=r"^[^\x00-\x1f<>&]+$(?!\n)",
                description="The `form_id` of a new form that has no `xformId` of its own. Use `xformId` of the form.",
            ),
        ]
        | UnsetType
    ) = UNSET
    version: (
        Annotated[str, Meta(min_length=1, max_length=200, description="The `version` of the workbook.")] | UnsetType
    ) = UNSET
    settings: Annotated[
        KeptCells,
        Meta(description="Other settings of the workbook, which have no effect here. Exports write them again."),
    ] = {}
    entities: Annotated[
        list[KeptCells],
        Meta(
            max_length=20,
            description="The rows of the sheet `entities`, which have no effect here. Exports write them again.",
        ),
    ] = []
    choices: Annotated[
        list[KeptCells],
        Meta(
            max_length=1000,
            description="Rows of the sheet `choices` that only columns without an effect here refer to, such as a"
            " `tick_labelset`. Exports write them again.",
        ),
    ] = []
    files: Annotated[
        list[Annotated[str, Meta(min_length=1, max_length=200)]],
        Meta(
            max_length=20,
            description="The names of the files that rows such as `csv-external` attach. Exports write the rows again.",
        ),
    ] = []


class EditAfterSubmitting(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """Until when senders can change what they have submitted."""

    hours: (
        Annotated[
            int,
            Meta(
                ge=1,
                le=8760,
                description="For how many hours after submitting. Without it, until the submission is reviewed.",
            ),
        ]
        | UnsetType
    ) = UNSET


class ScoreDisplay(StrEnum):
    """What people see of the score after submitting: the points, or also their answers and those that bring points."""

    SCORE = "score"
    RESULTS = "results"


class ScoreSettings(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """How the score of a quiz is shown after submitting."""

    show: Annotated[
        ScoreDisplay,
        Meta(
            description="`score`: how many points of how many. `results`: also each question with points, the answer, "
            "and the options that bring points. The page then contains the points, where people can find them."
        ),
    ]
    pass_percent: (
        Annotated[
            int,
            Meta(ge=1, le=100, description="The percentage of `maxScore()` that is needed to pass, if there is one."),
        ]
        | UnsetType
    ) = UNSET


class ButtonLabels(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """The texts of the form's buttons, instead of those of the page."""

    submit: Annotated[Label, Meta(description=f"The button that submits the form. {TRANSLATED}")] | UnsetType = UNSET
    next: Annotated[Label, Meta(description=f"The button to the next page. {TRANSLATED}")] | UnsetType = UNSET
    back: Annotated[Label, Meta(description=f"The button to the page before. {TRANSLATED}")] | UnsetType = UNSET


class FormSettings(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """The settings of a form."""

    language: Annotated[Language, Meta(description="The language of the form (BCP 47).")] = "en"
    welcome: (
        Annotated[Label, Meta(description=f"A text on a page of its own before the first question. {TRANSLATED}")]
        | UnsetType
    ) = UNSET
    thanks: Annotated[Label, Meta(description=f"The message shown after submitting. {TRANSLATED}")] | UnsetType = UNSET
    buttons: (
        Annotated[
            ButtonLabels,
            Meta(
                description="The texts of the form's buttons. A text applies to its language, and one without languages"
                " to the language of the form. Without them, the page has texts in about 50 languages, and else English"
                " ones."
            ),
        ]
        | UnsetType
    ) = UNSET
    question_per_page: Annotated[
        bool,
        Meta(
            description="Whether each question has a page of its own. The questions of a section or a repeat share one,"
            " and a note is on the page of the next question."
        ),
    ] = False
    continue_later: Annotated[
        bool,
        Meta(
            description="Whether the page offers a secret link with which people go on with unfinished answers, also on"
            " another device."
        ),
    ] = False
    edit_after_submitting: (
        Annotated[
            EditAfterSubmitting,
            Meta(
                description="Lets senders change what they have submitted, with a secret link that they get: `{}` until"
                " the submission is reviewed, and with `hours` no longer than these."
            ),
        ]
        | UnsetType
    ) = UNSET
    title_field: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=64,
                description="The name of a field outside of repeats. Its answer is the title of a submission: on its"
                " page, first in lists, and in its PDF report.",
            ),
        ]
        | UnsetType
    ) = UNSET
    score: (
        Annotated[ScoreSettings, Meta(description="What people see of the score after submitting. Default: nothing.")]
        | UnsetType
    ) = UNSET
    xlsform: XlsformSettings | UnsetType = UNSET
