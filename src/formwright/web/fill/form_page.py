"""The page on which a form is filled in. The preview and the page that edits answers are based on it."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from formwright.domain.customers.models import Customer
from formwright.domain.forms.models import Form
from formwright.web.bundles import are_built
from formwright.web.fill.assets import form_modules
from formwright.web.fill.messages import NoScriptMessage


@dataclass(frozen=True, slots=True, kw_only=True)
class FormAssets:
    """What the page loads beside its script: the modules to preload, and whether `make assets` has built them."""

    modules: Sequence[str]
    are_built: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FormPage:
    """The form, and the `form_data` that its script reads.

    `language` is the language of the texts around the form, and `message` a text for the person who fills it in.
    `is_personal` is set for the link of an invite or task, which can be declined, and `is_task` for that of a task.
    With `may_continue`, it offers a link for continuing later.
    """

    form: Form
    account: Customer
    language: str
    no_script: NoScriptMessage
    form_data: dict[str, Any]
    assets: FormAssets
    message: str = ""
    is_personal: bool = False
    is_task: bool = False
    may_continue: bool = False


def find_assets(form_data: dict[str, Any], language: str) -> FormAssets:
    """Return what a form in this language loads."""
    return FormAssets(modules=form_modules(form_data, language), are_built=are_built())
