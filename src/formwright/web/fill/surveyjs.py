"""A definition → the JSON from which the SurveyJS form library draws the page.

Labels are text, never HTML. The library takes titles as text; its `html` element, used for notes, takes markup, so
what goes in there is escaped. It also replaces `{name}` by answers and splits option values at `|`; both are switched
off in the page (`static/fill/model.js`), notes guard their braces here. What is shown, required and valid is not told
to the library, nor how long a text may be, since a browser cuts off what is longer, and counts an emoji as two or more:
the page judges by the program beside it (`program.py`), as the server does.
"""

from collections.abc import Callable, Sequence
from html import escape
from itertools import groupby
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.domain.forms.definition import (
    AnyField,
    BarcodeField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Definition,
    EmailField,
    FileField,
    IntegerField,
    Label,
    LocationField,
    LookupField,
    NoteField,
    Option,
    PhoneField,
    PhotoField,
    RatingField,
    RepeatField,
    SectionField,
    SignatureField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
    label_text,
)

Json = dict[str, Any]
Say = Callable[[Label], Any]

OPEN_LIST = 8
"""Up to so many options are all shown; more go into a list one can search."""


def survey(definition: Definition) -> Json:
    """The form in all its languages; sections that are pages stand alone, what is between them shares one."""
    say = _speaker(definition.settings.language)
    return {
        "widthMode": "responsive",
        "showTitle": False,
        "showPageTitles": True,
        "showNavigationButtons": False,
        "showQuestionNumbers": False,
        "showCompletePage": False,
        "questionErrorLocation": "bottom",
        "textUpdateMode": "onTyping",
        "pages": _pages(definition.fields, say),
    }


def _speaker(own: str) -> Say:
    """How the library is told a label: a text, or one for each language with the form's own as the default."""

    def say(label: Label) -> Any:
        return label if isinstance(label, str) else {**label, "default": label_text(label, (own,))}

    return say


def _pages(fields: Sequence[AnyField], say: Say) -> list[Json]:
    pages: list[Json] = []
    for alone, group in groupby(fields, lambda field: isinstance(field, SectionField) and field.page):
        if alone:
            pages += [_page(field, say) for field in group if isinstance(field, SectionField)]
        else:
            # No field can have a name with a space in it.
            pages.append({"name": f"page {len(pages) + 1}", "elements": _elements(list(group), say)})
    return pages


def _page(section: SectionField, say: Say) -> Json:
    return {"name": section.name, "title": say(section.label), "elements": _elements(section.fields, say)} | _given(
        description=section.hint if section.hint is UNSET else say(section.hint)
    )


def _elements(fields: Sequence[AnyField], say: Say) -> list[Json]:
    return [_element(field, say) for field in fields]


def _element(field: AnyField, say: Say) -> Json:
    if isinstance(field, NoteField):
        return {"type": "html", "name": field.name, "html": _note(field, say)}
    element = {"name": field.name, "title": say(field.label), **_kind(field, say)}
    if field.hint is not UNSET:
        element["description"] = say(field.hint)
    if isinstance(field, SectionField):
        return element
    if field.required and field.calculate is UNSET:
        element["isRequired"] = True
    if field.read_only or field.calculate is not UNSET:
        element["readOnly"] = True
    return element | _given(defaultValue=getattr(field, "default", UNSET))


def _note(field: NoteField, say: Say) -> Any:
    label, hint = say(field.label), say(field.hint) if field.hint is not UNSET else ""
    tags = [tag for text in (label, hint) if isinstance(text, dict) for tag in text]
    if not tags:
        return _paragraphs(label, hint)
    return {tag: _paragraphs(_in(label, tag), _in(hint, tag)) for tag in dict.fromkeys(tags)}


def _in(text: Any, tag: str) -> str:
    return str(text if isinstance(text, str) else text.get(tag, text["default"]))


def _paragraphs(*texts: str) -> str:
    return "".join(f"<p>{_text(text)}</p>" for text in texts if text)


def _text(text: str) -> str:
    """Text as markup that shows just this text, its line breaks kept."""
    return escape(text).replace("{", "&#123;").replace("\n", "<br>")


def _kind(field: AnyField, say: Say) -> Json:
    """What is particular to this kind of field."""
    match field:
        case IntegerField():
            return _input("number", step=1) | _keypad("numeric", field.min)
        case DecimalField():
            return _input("number", step="any") | _keypad("decimal", field.min)
        case ChoiceField():
            return _one(field, say)
        case ChoicesField():
            return _many(field, say)
        case RatingField():
            return {"type": "rating", "rateType": "stars", "rateCount": field.max, "rateMax": field.max} | _BUTTONS
        case SliderField():
            return {"type": "slider", "min": field.min, "max": field.max, "step": field.step} | _TOOLTIP
        case LookupField():
            return _LOOKUP | {"lookup": {"mapping": field.mapping, "filter": field.filter}}
        case PhotoField() | FileField():
            return _PLAIN[type(field)] | {"maxFiles": field.max_files}
        case SectionField():
            return {"type": "panel", "elements": _elements(field.fields, say)}
        case RepeatField():
            return _repeat(field, say)
        case _:
            return _PLAIN[type(field)]


def _input(kind: str, **more: Any) -> Json:
    return {"type": "text", "inputType": kind, **more}


def _keypad(kind: str, least: float | UnsetType) -> Json:
    """Digits only where nothing else can be meant: the keypads of some phones have no minus."""
    return {"keypad": kind} if least is not UNSET and least >= 0 else {}


def _widget(kind: str) -> Json:
    """Drawn by the page itself (`static/fill/widgets`)."""
    return {"type": "widget", "widget": kind}


_BUTTONS: Json = {"displayMode": "buttons"}
_TOOLTIP: Json = {"tooltipVisibility": "always"}
_LOOKUP: Json = {"type": "dropdown", "choicesLazyLoadEnabled": True, "choicesLazyLoadPageSize": 50}
_PLAIN: dict[type, Json] = {
    TextField: {"type": "text"},
    TextareaField: {"type": "comment", "rows": 3, "autoGrow": True},
    # An input of the type `email` would be judged by the library, more strictly than the server does.
    EmailField: {"type": "text", "autocomplete": "email", "keypad": "email"},
    PhoneField: _input("tel", autocomplete="tel"),
    UrlField: _input("url", autocomplete="url", placeholder="https://"),
    # Two radio buttons: a switch cannot show "not answered yet".
    BooleanField: {"type": "boolean", "renderAs": "radio", "swapOrder": True},
    DateField: _input("date"),
    TimeField: _input("time"),
    DatetimeField: _input("datetime-local"),
    PhotoField: _widget("photo"),
    FileField: _widget("file"),
    SignatureField: _widget("signature"),
    LocationField: _widget("location"),
    BarcodeField: _widget("barcode"),
}


def _repeat(field: RepeatField, say: Say) -> Json:
    return {
        "type": "paneldynamic",
        "templateElements": _elements(field.fields, say),
        "confirmDelete": True,
        "minPanelCount": max(field.min, 1 if field.required else 0),
        "maxPanelCount": field.max,
    }


def _one(field: ChoiceField, say: Say) -> Json:
    choices = _choices(field.options, say)
    if len(choices) > OPEN_LIST:
        return {"type": "dropdown", "choices": choices}
    return {"type": "radiogroup", "choices": choices} | ({} if field.required else {"showClearButton": True})


def _many(field: ChoicesField, say: Say) -> Json:
    choices = _choices(field.options, say)
    return {"type": "tagbox" if len(choices) > OPEN_LIST else "checkbox", "choices": choices}


def _choices(options: list[Option], say: Say) -> list[Json]:
    return [{"value": option.value, "text": say(option.label)} for option in options]


def _given(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not UNSET}
