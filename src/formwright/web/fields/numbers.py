"""Fields whose answer is a number, on pages."""

from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import NpsField
from formwright.domain.forms.fields.base import omit_unset
from formwright.domain.forms.fields.numbers import DecimalField, IntegerField, RatingField, SliderField
from formwright.web.fields.designer_entries import DesignerEntries, DesignerEntry, MenuGroup
from formwright.web.fields.page_elements import PageElements
from formwright.web.fields.translator import Translator


def _number_element(field: IntegerField | DecimalField) -> dict[str, Any]:
    """An element of our own type (`static/fill/number_field.js`); `signed` allows negative numbers."""
    signed = {"signed": True} if field.min is UNSET or field.min < 0 else {}
    return {"type": "number"} | signed | omit_unset(unit=field.unit)


def _rating_element(**more: Any) -> dict[str, Any]:
    return {"type": "rating", **more, "displayMode": "buttons"}


def _nps_element(field: NpsField, translate: Translator) -> dict[str, Any]:
    ends = {"minRateDescription": field.low_label, "maxRateDescription": field.high_label}
    texts = {name: translate.text(label) for name, label in ends.items() if label is not UNSET}
    return _rating_element(rateMin=0, rateMax=10, rateCount=11) | texts


def _slider_element(field: SliderField) -> dict[str, Any]:
    return {"type": "slider", "min": field.min, "max": field.max, "step": field.step, "tooltipVisibility": "always"}


PAGE_ELEMENTS: PageElements = {
    IntegerField: lambda field, _: _number_element(field) | {"whole": True},
    DecimalField: lambda field, _: _number_element(field),
    NpsField: _nps_element,
    RatingField: lambda field, _: _rating_element(rateType="stars", rateCount=field.max, rateMax=field.max),
    SliderField: lambda field, _: _slider_element(field),
}

DESIGNER_ENTRIES: DesignerEntries = {
    IntegerField: DesignerEntry(MenuGroup.NUMBERS, "Whole number", "M6 2L4 14M12 2l-2 12M2 6h12M2 10h12"),
    DecimalField: DesignerEntry(MenuGroup.NUMBERS, "Decimal number", "M2 12V5L1 6M6 12h.5M9 5h4v7H9z"),
    RatingField: DesignerEntry(
        MenuGroup.NUMBERS,
        "Rating",
        "M8 2l2 4 4 .6-3 3 .8 4.4L8 12l-3.8 2 .8-4.4-3-3L6 6z",
        button_place=3,
        labels={"max": "Number of stars"},
    ),
    NpsField: DesignerEntry(MenuGroup.NUMBERS, "Net promoter score", "M2 12a6 6 0 0 1 12 0M8 12l3-4"),
    SliderField: DesignerEntry(MenuGroup.NUMBERS, "Slider", "M2 8h5M11 8h3M9 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z"),
}
