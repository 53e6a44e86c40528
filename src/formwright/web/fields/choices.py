"""Fields whose answer is chosen from options, and yes or no, on pages."""

from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import BooleanField, ChoiceField
from formwright.domain.forms.fields.base import omit_unset
from formwright.domain.forms.fields.choices import ChoicesField, RankingField
from formwright.domain.forms.fields.options import Option
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements, widget_element
from formwright.web.fields.translator import Translator

Json = dict[str, Any]
MAX_OPEN_OPTIONS = 8
MAX_OPEN_MEDIA = 50
"""Up to this number, all options are visible, and those with media. More are shown in a searchable list."""


def _is_open(options: Sequence[Option]) -> bool:
    """Whether all options are visible, also because some have media, which a searchable list does not show."""
    has_media = any(option.media is not UNSET for option in options)
    return len(options) <= (MAX_OPEN_MEDIA if has_media else MAX_OPEN_OPTIONS)


def _boolean_element(field: BooleanField, _: Translator) -> Json:
    if field.agreement:
        return widget_element("agreement")
    # Two radio buttons: a switch cannot show "not answered yet".
    return {"type": "boolean", "renderAs": "radio", "swapOrder": True}


def _choice_element(field: ChoiceField, translate: Translator) -> Json:
    choices = {"choices": _option_items(field.options, translate)}
    if field.likert:
        return {"type": "radiogroup", "likert": True} | choices
    if not _is_open(field.options):
        return {"type": "dropdown"} | choices
    return {"type": "radiogroup"} | choices | ({} if field.required else {"clearable": True})


def _choices_element(field: ChoicesField, translate: Translator) -> Json:
    choices = _option_items(field.options, translate)
    for choice, option in zip(choices, field.options, strict=True):
        if option.exclusive:
            choice["isExclusive"] = True
    kind = "checkbox" if _is_open(field.options) else "tagbox"
    return {"type": kind, "choices": choices} | omit_unset(maxSelectedChoices=field.max_choices)


def _option_items(options: Sequence[Option], translate: Translator) -> list[Json]:
    return [
        {"value": option.value, "text": translate.text(option.label)}
        | translate.markup(text=option.label)
        | translate.media(option.media)
        for option in options
    ]


PAGE_ELEMENTS: PageElements = {
    BooleanField: _boolean_element,
    ChoiceField: _choice_element,
    ChoicesField: _choices_element,
    RankingField: lambda field, translate: (
        widget_element("ranking") | {"options": _option_items(field.options, translate)}
    ),
}

DESIGNER_ENTRIES: DesignerEntries = {
    BooleanField: DesignerEntry(MenuGroup.CHOICE, "Yes or no", "M2 8l3 3 5-6M11 11l3-3M11 8l3 3"),
    ChoiceField: DesignerEntry(
        MenuGroup.CHOICE,
        "Single choice",
        "M4 2.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM4 9.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 4.5h5M9 11.5h5",
        button_place=2,
    ),
    ChoicesField: DesignerEntry(MenuGroup.CHOICE, "Multiple choice", "M2 3h4v4H2zM2 9.5h4v4H2zM9 5h5M9 11.5h5"),
    RankingField: DesignerEntry(MenuGroup.CHOICE, "Ranking", "M2 3h1v3M2 9h2l-2 3h2M7 4h7M7 11h5"),
}
