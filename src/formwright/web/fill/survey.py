"""A definition → the JSON from which the SurveyJS form library draws the page.

Labels are text, never HTML. The library takes titles as text; its `html` element, used for notes, takes markup, so
what goes in there is escaped. It also replaces `{name}` by answers and splits option values at `|`; both are switched
off in the page (`static/fill/model.js`), notes guard their braces here.
"""

from html import escape
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.domain.forms.definition import (
    AnyField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Definition,
    EmailField,
    IntegerField,
    NoteField,
    Option,
    PhoneField,
    RatingField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
)

Json = dict[str, Any]
Words = str | dict[str, str]

EXACT = 2**53
"""Beyond it a browser's numbers, and many readers of JSON, lose whole steps."""

OPEN_LIST = 8
"""Up to so many options are all shown; more go into a list one can search."""


def survey(definition: Definition, language: str) -> Json:
    """The form on one page, in `language` where its labels speak it, else in the form's own."""
    speech = (language, language.split("-")[0], definition.settings.language)
    return {
        "locale": language,
        "widthMode": "responsive",
        "showTitle": False,
        "showNavigationButtons": False,
        "showQuestionNumbers": False,
        "showCompletePage": False,
        "questionErrorLocation": "bottom",
        "textUpdateMode": "onTyping",
        "elements": [_element(field, speech) for field in definition.fields],
    }


def words(label: Words, speech: tuple[str, ...]) -> str:
    """The label in the first of the languages that it has, else the first it was written in."""
    if isinstance(label, str):
        return label
    return next((label[tag] for tag in speech if tag in label), next(iter(label.values())))


def _element(field: AnyField, speech: tuple[str, ...]) -> Json:
    if isinstance(field, NoteField):
        return {"type": "html", "name": field.name, "html": _note(field, speech)}
    element = {"name": field.name, "title": words(field.label, speech), **_kind(field, speech)}
    if field.hint is not UNSET:
        element["description"] = words(field.hint, speech)
    if field.required:
        element["isRequired"] = True
    if field.read_only:
        element["readOnly"] = True
    return element | _given(defaultValue=getattr(field, "default", UNSET))


def _note(field: NoteField, speech: tuple[str, ...]) -> str:
    texts = [words(text, speech) for text in (field.label, field.hint) if text is not UNSET]
    return "".join(f"<p>{_text(text)}</p>" for text in texts)


def _text(text: str) -> str:
    """Text as markup that shows just this text, its line breaks kept."""
    return escape(text).replace("{", "&#123;").replace("\n", "<br>")


def _kind(field: AnyField, speech: tuple[str, ...]) -> Json:
    """What is particular to this kind of field."""
    match field:
        case TextField():
            return {"type": "text"} | _length(field.min_length, field.max_length)
        case TextareaField():
            return {"type": "comment", "rows": 3, "autoGrow": True} | _length(UNSET, field.max_length)
        case IntegerField():
            return _input("number", step=1) | _whole(field.min, field.max)
        case DecimalField():
            return _input("number", step="any") | _given(min=field.min, max=field.max)
        case ChoiceField():
            return _one(field, speech)
        case ChoicesField():
            return _many(field, speech)
        case BooleanField():
            # Two radio buttons: a switch cannot show "not answered yet".
            return {"type": "boolean", "renderAs": "radio", "swapOrder": True}
        case RatingField():
            return {"type": "rating", "rateType": "stars", "rateCount": field.max, "rateMax": field.max} | _BUTTONS
        case SliderField():
            return {"type": "slider", "min": field.min, "max": field.max, "step": field.step} | _TOOLTIP
        case _:
            return _PLAIN[type(field)]


def _input(kind: str, **more: Any) -> Json:
    return {"type": "text", "inputType": kind, **more}


_BUTTONS: Json = {"displayMode": "buttons"}
_TOOLTIP: Json = {"tooltipVisibility": "always"}
_PLAIN: dict[type, Json] = {
    EmailField: _input("email", autocomplete="email", validators=[{"type": "email"}]),
    PhoneField: _input("tel", autocomplete="tel"),
    UrlField: _input("url", autocomplete="url", placeholder="https://"),
    DateField: _input("date"),
    TimeField: _input("time"),
    DatetimeField: _input("datetime-local"),
}


def _length(shortest: int | UnsetType, longest: int | UnsetType) -> Json:
    limits = _given(minLength=shortest, maxLength=longest)
    # The input's own limit stops typing; the validator also judges what was pasted or given before.
    return _given(maxLength=longest) | ({"validators": [{"type": "text", **limits}]} if limits else {})


def _whole(least: int | UnsetType, most: int | UnsetType) -> Json:
    return {"min": -EXACT if least is UNSET else least, "max": EXACT if most is UNSET else most}


def _one(field: ChoiceField, speech: tuple[str, ...]) -> Json:
    choices = _choices(field.options, speech)
    if len(choices) > OPEN_LIST:
        return {"type": "dropdown", "choices": choices}
    return {"type": "radiogroup", "choices": choices} | ({} if field.required else {"showClearButton": True})


def _many(field: ChoicesField, speech: tuple[str, ...]) -> Json:
    choices = _choices(field.options, speech)
    return {"type": "tagbox" if len(choices) > OPEN_LIST else "checkbox", "choices": choices}


def _choices(options: list[Option], speech: tuple[str, ...]) -> list[Json]:
    return [{"value": option.value, "text": words(option.label, speech)} for option in options]


def _given(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not UNSET}
