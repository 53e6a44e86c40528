"""The elements of the form library (SurveyJS) that the page of a form shows for fields, by their types."""

from collections.abc import Callable, Mapping
from typing import Any

from formwright.domain.forms.fields import AnyField
from formwright.web.fields.translator import Translator

Json = dict[str, Any]
PageElements = Mapping[type[AnyField], Json | Callable[[Any, Translator], Json]]
"""What depends on the type, as it is, or a function of the field."""


def input_element(kind: str, **more: Any) -> Json:
    """An input of HTML."""
    return {"type": "text", "inputType": kind, **more}


def widget_element(kind: str) -> Json:
    """An element that the page draws itself (`static/fill/widgets`)."""
    return {"type": "widget", "widget": kind}
