"""The definition of a form: its fields and settings. Each version of a form has one.

Fields are a union tagged by `type`. They are msgspec structs, so that requests are parsed and validated, the OpenAPI
schemas are generated, and definitions are stored with the same types. Answers are keyed by field name in a flat
object, including those inside sections; the answer of a repeat is a list of rows, each keyed by field name.
"""

import msgspec

from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.form_settings import FormSettings

MAX_FIELDS = 1500
"""Large questionnaires have more than 1,000 questions, and the designer stays usable with 1,500."""


class Definition(msgspec.Struct, frozen=True):
    """The fields of a form version, in order, and its settings."""

    fields: list[AnyField]
    settings: FormSettings
