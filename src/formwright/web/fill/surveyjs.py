"""Converts a definition to the JSON from which the SurveyJS form library builds the page.

Titles are text without markup, as names and lists of errors need it. `markup` is what the page shows instead of them
(`static/fill/markup.js`), as HTML of our own (`domain/forms/fields/markup.py`). Notes are `html` elements of the
library. The library also replaces `{name}` by answers and splits option values at `|`. The page switches both off
(`static/fill/model.js`), and notes escape their braces here.

The library does not get visibility, required and validation rules. The page evaluates them itself (`rule_program.py`),
exactly as the server does. It does not get maximum lengths either, because a browser cuts off longer text and counts an
emoji as two characters or more.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from msgspec import UNSET, UnsetType

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import (
    AnyField,
    AreaField,
    AudioField,
    BarcodeField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Drawing,
    EmailField,
    FileField,
    IntegerField,
    LineField,
    LocationField,
    LookupField,
    LookupsField,
    NoteField,
    NpsField,
    PhoneField,
    PhotoField,
    RankingField,
    RatingField,
    RepeatField,
    RowsField,
    SectionField,
    SignatureField,
    SliderField,
    TextareaField,
    TextField,
    TimeField,
    UrlField,
    VideoField,
)
from formwright.domain.forms.fields.labels import Label, convert_label, label_template, label_texts
from formwright.domain.forms.fields.markup import PLACEHOLDER, has_markup, to_document_html, to_html, to_plain_text
from formwright.domain.forms.fields.media import FILE_PROPERTIES, FileNames, Media
from formwright.domain.forms.fields.options import Option
from formwright.web.fill.rule_program import is_set_by_page

Json = dict[str, Any]

NO_TEXT = "\u00a0"
MAX_OPEN_OPTIONS = 8
MAX_OPEN_MEDIA = 50
"""Up to this number, all options are visible, and those with media. More are shown in a searchable list."""
_MEDIA_NAMES = {"big_image": "bigImage"}


def survey(definition: Definition) -> Json:
    """Return the form in all its languages.

    Sections marked as pages are pages; fields between them share one, unless each has a page of its own.
    """
    settings = definition.settings
    translate = Translator(settings.language)
    groups = _group_by_question(definition.fields) if settings.question_per_page else _group_by_page(definition.fields)
    pages = [] if settings.welcome is UNSET else [_welcome_page(settings.welcome, translate)]
    # Field names contain no spaces, so these names of pages cannot clash with one.
    pages += [_page_json(f"page {number}", group, translate) for number, group in enumerate(groups, start=1)]
    return {
        "widthMode": "responsive",
        "showTitle": False,
        "showPageTitles": True,
        "showNavigationButtons": False,
        "showQuestionNumbers": False,
        "showCompletePage": False,
        "questionErrorLocation": "bottom",
        "textUpdateMode": "onTyping",
        "pages": pages,
    }


@dataclass(frozen=True, slots=True)
class Translator:
    """Converts labels: to a text, or to a text per language with that in the form's `own` as default."""

    own: str

    def text(self, label: Label) -> Label:
        """Return the label without its markup."""
        return convert_label(self._with_default(label), to_plain_text)

    def markup(self, **labels: Label | UnsetType) -> Json:
        """Return the HTML of those labels that have markup, by the property of the form library."""
        html = {
            name: convert_label(self._with_default(label), to_html)
            for name, label in labels.items()
            if label is not UNSET and any(map(has_markup, label_texts(label)))
        }
        return {"markup": html} if html else {}

    def names(self, names: FileNames) -> FileNames:
        """Return the names of files with that in the form's language as default."""
        return self._with_default(names)

    def document(self, label: Label) -> Label:
        """Return the HTML of a text that stands alone."""
        return convert_label(self._with_default(label), to_document_html)

    def note(self, label: Label, hint: Label | UnsetType = UNSET) -> Label:
        """Return the HTML of a note. The library would replace `{name}` in it."""
        parts = [self._with_default(one) for one in (label, hint) if one is not UNSET]
        tags = dict.fromkeys(tag for one in parts if isinstance(one, dict) for tag in one)
        html = {tag: "".join(to_document_html(text_in(one, tag)) for one in parts) for tag in tags or [""]}
        return convert_label(html if tags else html[""], lambda text: text.replace("{", "&#123;"))

    def heading(self, label: Label) -> Label:
        """Return the HTML of a label for an `html` element."""
        return convert_label(self._with_default(label), lambda text: to_html(text).replace("{", "&#123;"))

    def _with_default(self, label: Label) -> Label:
        return label if isinstance(label, str) else {**label, "default": label_template(label, (self.own,))}


def text_in(label: Label, tag: str) -> str:
    """Return the text of a label that has a default in a language."""
    return label if isinstance(label, str) else label.get(tag, label["default"])


def _group_by_page(fields: Sequence[AnyField]) -> list[list[AnyField]]:
    """Return the fields of each page."""
    pages: list[list[AnyField]] = []
    for alone, group in groupby(fields, _is_page):
        together = list(group)
        pages += [[field] for field in together] if alone else [together]
    return pages


def _is_page(field: AnyField) -> bool:
    return isinstance(field, SectionField) and field.page


def _group_by_question(fields: Sequence[AnyField]) -> list[list[AnyField]]:
    """Return the fields of each page: a question or a section, after the notes before it."""
    pages: list[list[AnyField]] = [[]]
    for field in (field for field in fields if not field.hidden):
        if pages[-1] and not (isinstance(pages[-1][-1], NoteField) and not _is_page(field)):
            pages.append([])
        pages[-1].append(field)
    return pages


def _welcome_page(welcome: Label, translate: Translator) -> Json:
    html = translate.note(welcome)
    return {"name": "welcome page", "elements": [{"type": "html", "name": "welcome text", "html": html}]}


def _page_json(name: str, fields: Sequence[AnyField], translate: Translator) -> Json:
    """Return a page with these fields. A section marked as a page is the page itself."""
    first = fields[0] if len(fields) == 1 else None
    if not isinstance(first, SectionField) or not first.page:
        return {"name": name, "elements": _field_elements(fields, translate)}
    return {"name": first.name, "elements": _section_elements(first, translate)} | _titles(first, translate)


def _titles(field: AnyField, translate: Translator) -> Json:
    """Return the title and the description of a field, without and with their markup."""
    shown: Json = {"title": translate.text(field.label)}
    if field.hint is not UNSET or field.guidance is not UNSET or field.media is not UNSET:
        # What is drawn with the description needs one.
        shown["description"] = NO_TEXT if field.hint is UNSET else translate.text(field.hint)
    return shown | _additions(field, translate) | translate.markup(title=field.label, description=field.hint)


def _additions(field: AnyField, translate: Translator) -> Json:
    """Return what the page draws below the description (`static/fill/markup.js`)."""
    guidance = {} if field.guidance is UNSET else {"guidance": translate.document(field.guidance)}
    return guidance | _media(field.media, translate, field.label)


def _media(media: Media | UnsetType, translate: Translator, alt: Label | UnsetType) -> Json:
    """Return the names of files by their use. `alt` is the text for those who do not see them, if they have none."""
    if media is UNSET:
        return {}
    alt = alt if media.alt is UNSET else media.alt
    names = {name: getattr(media, name) for name in FILE_PROPERTIES}
    shown = {_MEDIA_NAMES.get(name, name): translate.names(one) for name, one in names.items() if one is not UNSET}
    return {"media": shown | ({} if alt is UNSET else {"alt": _without_answers(translate.text(alt))})}


def _without_answers(label: Label) -> Label:
    return convert_label(label, lambda text: PLACEHOLDER.sub("…", text))


def _field_elements(fields: Sequence[AnyField], translate: Translator) -> list[Json]:
    # The answers of hidden fields come from rules or from the link, and do not need a question.
    return [_field_element(field, translate) for field in fields if not field.hidden]


def _section_elements(section: SectionField, translate: Translator) -> list[Json]:
    elements = _field_elements(section.fields, translate)
    return elements if not section.table else [_table_head(section, translate), *map(_table_row, elements)]


def _table_row(element: Json) -> Json:
    """Show all options, however many there are. Styles put them below the columns, or in a list on phones."""
    kind = "radiogroup" if element["type"] in ("radiogroup", "dropdown") else "checkbox"
    return element | {"type": kind, "tableRow": True, "showClearButton": False}


def _table_head(section: SectionField, translate: Translator) -> Json:
    """Return the headings of the columns. They are for the eye only: each option still has its label."""
    [labels, *_] = [field.options for field in section.fields if isinstance(field, ChoiceField | ChoicesField)]
    cells = [translate.heading(option.label) for option in labels]
    tags = dict.fromkeys(tag for cell in cells if isinstance(cell, dict) for tag in cell)

    def head(tag: str) -> str:
        inside = "".join(f"<span>{text_in(cell, tag)}</span>" for cell in cells)
        return f'<div class="table-head" aria-hidden="true">{inside}</div>'

    # Names of fields contain no spaces, so this name cannot clash with one.
    return {
        "type": "html",
        "name": f"{section.name} columns",
        "html": {tag: head(tag) for tag in tags} if tags else head(""),
    }


def _field_element(field: AnyField, translate: Translator) -> Json:
    if isinstance(field, NoteField):
        html = translate.note(field.label, field.hint)
        return {"type": "html", "name": field.name, "html": html} | _additions(field, translate)
    element = {"name": field.name, **_titles(field, translate), **_type_properties(field, translate)}
    if isinstance(field, SectionField):
        return element
    if field.required and field.calculate is UNSET:
        element["isRequired"] = True
    if field.required_message is not UNSET:
        element["requiredErrorText"] = translate.text(field.required_message)
    if field.read_only or field.calculate is not UNSET:
        element["readOnly"] = True
    return element | _set_properties(defaultValue=UNSET if is_set_by_page(field) else getattr(field, "default", UNSET))


def _type_properties(field: AnyField, translate: Translator) -> Json:
    """The properties that depend on the type of the field."""
    match field:
        case IntegerField():
            return _number_properties(field) | {"whole": True}
        case DecimalField():
            return _number_properties(field)
        case BooleanField(agreement=True):
            return _widget_element("agreement")
        case ChoiceField():
            return _show_media(_single_choice(field, translate), field.options)
        case ChoicesField():
            return _show_media(_multiple_choice(field, translate), field.options)
        case RankingField():
            return _widget_element("ranking") | {"options": _choice_options(field.options, translate)}
        case NpsField():
            return _NPS_ELEMENT | _set_properties(
                minRateDescription=translate.text(field.low_label) if field.low_label is not UNSET else UNSET,
                maxRateDescription=translate.text(field.high_label) if field.high_label is not UNSET else UNSET,
            )
        case RatingField():
            return {
                "type": "rating",
                "rateType": "stars",
                "rateCount": field.max,
                "rateMax": field.max,
            } | _RATING_BUTTONS
        case SliderField():
            return {"type": "slider", "min": field.min, "max": field.max, "step": field.step} | _SLIDER_TOOLTIP
        case LookupField():
            return _lookup_properties("dropdown", field)
        case LookupsField():
            return _lookup_properties("tagbox", field) | {"maxSelectedChoices": field.most}
        case PhotoField(drawing=Drawing() as drawing):
            return _SIMPLE_ELEMENTS[PhotoField] | {"maxFiles": field.max_files, "drawing": drawing}
        case PhotoField() | AudioField() | VideoField() | FileField():
            return _SIMPLE_ELEMENTS[type(field)] | {"maxFiles": field.max_files}
        case SectionField():
            return {"type": "panel", "elements": _section_elements(field, translate)}
        case RepeatField():
            return _repeat_properties(field, translate)
        case _:
            return _SIMPLE_ELEMENTS[type(field)]


def _lookup_properties(kind: str, field: RowsField) -> Json:
    # The library does not copy a property whose members are all empty into the rows of a repeat.
    lookup = {"name": field.name, "mapping": field.mapping, "filter": field.filter}
    return {"type": kind, "lookup": lookup, "choicesLazyLoadEnabled": True, "choicesLazyLoadPageSize": 50}


def _input_properties(kind: str, **more: Any) -> Json:
    return {"type": "text", "inputType": kind, **more}


def _number_properties(field: IntegerField | DecimalField) -> Json:
    """The properties of our own question type (`static/fill/number_field.js`); `signed` allows negative numbers."""
    signed = field.min is UNSET or field.min < 0
    return {"type": "number"} | ({"signed": True} if signed else {}) | _set_properties(unit=field.unit)


def _widget_element(kind: str) -> Json:
    """An element that the page draws itself (`static/fill/widgets`)."""
    return {"type": "widget", "widget": kind}


_RATING_BUTTONS: Json = {"displayMode": "buttons"}
_NPS_ELEMENT: Json = {"type": "rating", "rateMin": 0, "rateMax": 10, "rateCount": 11} | _RATING_BUTTONS
_SLIDER_TOOLTIP: Json = {"tooltipVisibility": "always"}
_SIMPLE_ELEMENTS: dict[type, Json] = {
    TextField: {"type": "text"},
    TextareaField: {"type": "comment", "rows": 3, "autoGrow": True},
    # The library validates inputs of type `email` more strictly than the server.
    EmailField: {"type": "text", "autocomplete": "email", "keypad": "email"},
    PhoneField: _input_properties("tel", autocomplete="tel"),
    UrlField: _input_properties("url", autocomplete="url", placeholder="https://"),
    # Two radio buttons: a switch cannot show "not answered yet".
    BooleanField: {"type": "boolean", "renderAs": "radio", "swapOrder": True},
    DateField: _input_properties("date"),
    TimeField: _input_properties("time"),
    DatetimeField: _input_properties("datetime-local"),
    PhotoField: _widget_element("photo"),
    FileField: _widget_element("file"),
    AudioField: _widget_element("audio"),
    VideoField: _widget_element("video"),
    SignatureField: _widget_element("signature"),
    LocationField: _widget_element("location"),
    LineField: _widget_element("line"),
    AreaField: _widget_element("area"),
    BarcodeField: _widget_element("barcode"),
}


_COMPUTED_ROWS: Json = {"allowAddPanel": False, "allowRemovePanel": False, "minPanelCount": 0}


def _repeat_properties(field: RepeatField, translate: Translator) -> Json:
    return {
        "type": "paneldynamic",
        "templateElements": _field_elements(field.fields, translate),
        "confirmDelete": True,
        "minPanelCount": max(field.min, 1 if field.required else 0),
        "maxPanelCount": field.max,
        **_set_properties(rowsFrom=field.rows_from),
    } | ({} if field.count_rule is UNSET else _COMPUTED_ROWS)


def _single_choice(field: ChoiceField, translate: Translator) -> Json:
    choices = _choice_options(field.options, translate)
    if field.likert:
        return {"type": "radiogroup", "choices": choices, "likert": True}
    if len(choices) > MAX_OPEN_OPTIONS:
        return {"type": "dropdown", "choices": choices}
    return {"type": "radiogroup", "choices": choices} | ({} if field.required else {"showClearButton": True})


def _multiple_choice(field: ChoicesField, translate: Translator) -> Json:
    choices = _choice_options(field.options, translate)
    for choice, option in zip(choices, field.options, strict=True):
        if option.exclusive:
            choice["isExclusive"] = True
    kind = "tagbox" if len(choices) > MAX_OPEN_OPTIONS else "checkbox"
    return {"type": kind, "choices": choices} | _set_properties(maxSelectedChoices=field.max_choices)


def _show_media(element: Json, options: Sequence[Option]) -> Json:
    """Show all options if some have media, which a searchable list does not show."""
    kind = {"dropdown": "radiogroup", "tagbox": "checkbox"}.get(element["type"])
    if kind and len(options) <= MAX_OPEN_MEDIA and any(option.media is not UNSET for option in options):
        return element | {"type": kind}
    return element


def _choice_options(options: list[Option], translate: Translator) -> list[Json]:
    return [
        {"value": option.value, "text": translate.text(option.label)}
        | translate.markup(text=option.label)
        | _media(option.media, translate, UNSET)
        for option in options
    ]


def _set_properties(**members: Any) -> Json:
    return {name: value for name, value in members.items() if value is not UNSET}
