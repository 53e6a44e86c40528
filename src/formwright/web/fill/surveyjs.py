"""Converts a definition to the JSON from which the SurveyJS form library builds the page.

Titles are text without markup, as names and lists of errors need it. `markup` is what the page shows instead of them
(`static/fill/markup.js`), as HTML of our own (`domain/forms/fields/markup.py`). Notes are `html` elements of the
library. The library also replaces `{name}` by answers and splits option values at `|`. The page switches both off
(`static/fill/survey_model.js`), and notes escape their braces here.

The library does not get visibility, required and validation rules. The page evaluates them itself (`rule_program.py`),
exactly as the server does. It does not get maximum lengths either, because a browser cuts off longer text and counts an
emoji as two characters or more.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import AnyField, NoteField, RepeatField, SectionField
from formwright.domain.forms.fields.base import omit_unset
from formwright.domain.forms.fields.labels import Label
from formwright.web.fields import PAGE_ELEMENTS
from formwright.web.fields.translator import Translator, text_in
from formwright.web.fill.rule_program import is_set_by_page

Json = dict[str, Any]

NO_TEXT = "\u00a0"


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
        # By default, the library updates an answer only when its field loses the focus, and rules with it.
        "textUpdateMode": "onTyping",
        "pages": pages,
    }


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
    return guidance | translate.media(field.media, field.label)


def _field_elements(fields: Sequence[AnyField], translate: Translator) -> list[Json]:
    # The answers of hidden fields come from rules or from the link, and do not need a question.
    return [_field_element(field, translate) for field in fields if not field.hidden]


def _section_elements(section: SectionField, translate: Translator) -> list[Json]:
    elements = _field_elements(section.fields, translate)
    return elements if not section.table else [_table_head(section, translate), *map(_table_row, elements)]


def _table_row(element: Json) -> Json:
    """Show all options, however many there are. Styles put them below the columns, or in a list on phones."""
    kind = "radiogroup" if element["type"] in ("radiogroup", "dropdown") else "checkbox"
    return element | {"type": kind, "tableRow": True, "clearable": False}


def _table_head(section: SectionField, translate: Translator) -> Json:
    """Return the headings of the columns. They are for the eye only: each option still has its label."""
    [labels, *_] = [field.options for field in section.fields if field.options]
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
    return element | omit_unset(defaultValue=UNSET if is_set_by_page(field) else field.default)


def _type_properties(field: AnyField, translate: Translator) -> Json:
    """The properties that depend on the type of the field."""
    if isinstance(field, SectionField):
        return {"type": "panel", "elements": _section_elements(field, translate)}
    if isinstance(field, RepeatField):
        return _repeat_properties(field, translate)
    element = PAGE_ELEMENTS[type(field)]
    return element(field, translate) if callable(element) else element


_COMPUTED_ROWS: Json = {"allowAddPanel": False, "allowRemovePanel": False, "minPanelCount": 0}


def _repeat_properties(field: RepeatField, translate: Translator) -> Json:
    return {
        "type": "paneldynamic",
        "templateElements": _field_elements(field.fields, translate),
        "confirmDelete": True,
        "minPanelCount": max(field.min, 1 if field.required else 0),
        "maxPanelCount": field.max,
        **omit_unset(rowsFrom=field.rows_from),
    } | ({} if field.count_rule is UNSET else _COMPUTED_ROWS)
