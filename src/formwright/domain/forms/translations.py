"""The texts of a form in all of its languages as a table, on a page and in an Excel file for translators."""

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import msgspec
import xlsxwriter

from formwright.core.errors import Invalid, ValidationFault
from formwright.core.formulas import looks_like_formula
from formwright.core.tables.base import BadRow, TableUnreadable
from formwright.core.tables.open import open_table
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.xlsform.languages import find_tag, language_heading

TEXT_PROPERTIES = ("label", "hint", "guidance", "message", "requiredMessage", "lowLabel", "highLabel", "rowLabel")
"""The properties of a field that are shown to people and can be translated, as the API names them."""
SETTINGS_TEXTS = ("welcome", "thanks")
"""The same of the settings."""
BUTTON_TEXTS = ("submit", "next", "back")
"""The same of the buttons in the settings."""
MAX_LANGUAGES = 50
MAX_TEXT_LENGTH = 2000
_TOO_LONG = f"A text has at most {MAX_TEXT_LENGTH} characters."
_KEY = "key"

Document = dict[str, Any]


@dataclass(frozen=True, slots=True)
class FormText:
    """A text of a form by language, and where it is: the field, with the repeat that contains it, and the property.

    `key` identifies it in the form, for example `visits/stars/hint`, `kind/options/routine` or `settings/thanks`.
    """

    key: str
    field: str
    property: str
    texts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class ImportedTexts:
    """The definition with imported texts, how many of them differ from before, and the keys that it does not have."""

    definition: Definition
    changed: int
    unknown: Sequence[str]


def list_texts(definition: Definition) -> list[FormText]:
    """Return the texts of a form in reading order. A text without a language is in the language of the form."""
    document = msgspec.to_builtins(definition)
    own = definition.settings.language
    return [FormText(key, field, name, _by_language(holder[name], own)) for key, field, name, holder in _walk(document)]


def list_languages(definition: Definition) -> list[str]:
    """Return the languages of a form: its own first, then the others in the order in which they occur."""
    languages = [definition.settings.language]
    languages += [language for text in list_texts(definition) for language in text.texts]
    return list(dict.fromkeys(languages))


def change_texts(definition: Definition, texts: Mapping[str, Mapping[str, str]]) -> ImportedTexts:
    """Return the definition with these texts by key and language. An empty text removes the one in that language.

    Raises `Invalid` if a text or a language is not valid, or if no text would remain; the pointer is
    `/{key}/{language}` with the key as in a JSON pointer.
    """
    document = msgspec.to_builtins(definition)
    own = definition.settings.language
    unknown, changed = dict.fromkeys(texts), 0
    faults: list[ValidationFault] = []
    for key, _, name, holder in _walk(document):
        if key not in texts:
            continue
        unknown.pop(key)
        before = _by_language(holder[name], own)
        after = {language: text for language, text in {**before, **texts[key]}.items() if text}
        faults += _check(key, after)
        changed += sum(before.get(language) != after.get(language) for language in texts[key])
        holder[name] = after.get(own, "") if [*after] == [own] else after
    if faults:
        raise Invalid(faults)
    return ImportedTexts(msgspec.convert(document, Definition), changed, list(unknown))


def export_texts(definition: Definition, languages: Sequence[str]) -> bytes:
    """Return an .xlsx file with a row per text and a column per language. Cells of missing texts are marked."""
    content = io.BytesIO()
    with xlsxwriter.Workbook(content, {"in_memory": True}) as workbook:
        sheet = workbook.add_worksheet("texts")
        bold = workbook.add_format({"bold": True})
        # A quote prefix marks a cell as text in Excel. It does not change the value of the cell.
        text = workbook.add_format({"text_wrap": True, "valign": "top"})
        quoted = workbook.add_format({"text_wrap": True, "valign": "top", "quote_prefix": True})
        missing = workbook.add_format({"bg_color": "#FFF2CC"})
        sheet.freeze_panes(1, 1)
        sheet.set_column(0, 0, 32)
        sheet.set_column(1, len(languages), 48)
        for place, heading in enumerate([_KEY, *map(language_heading, languages)]):
            sheet.write_string(0, place, heading, bold)
        for row, one in enumerate(list_texts(definition), start=1):
            sheet.write_string(row, 0, one.key, quoted if looks_like_formula(one.key) else text)
            for place, language in enumerate(languages, start=1):
                if value := one.texts.get(language):
                    sheet.write_string(row, place, value, quoted if looks_like_formula(value) else text)
                else:
                    sheet.write_blank(row, place, None, missing)
    return content.getvalue()


def import_texts(definition: Definition, file: BinaryIO) -> ImportedTexts:
    """Return the definition with the texts of a file that `export_texts` made. Empty cells change nothing.

    Raises `TableUnreadable` if the file is not such a table, and `Invalid` if texts are not valid; the pointer is
    `/{line}/{column}`.
    """
    table = open_table(file, "xlsx")
    languages = _parse_header(table.header)
    texts: dict[str, dict[str, str]] = {}
    lines: dict[str, int] = {}
    faults = []
    for row in table.rows():
        if isinstance(row, BadRow):
            faults.append(ValidationFault(f"/{row.line}/{row.column or ''}", row.code, row.detail))
            continue
        line, [key, *cells] = row
        if key in lines:
            faults.append(ValidationFault(f"/{line}/{_KEY}", "value.repeated", f"The key is in row {lines[key]}, too."))
        lines[key] = line
        texts[key] = {language: cell for language, cell in zip(languages, cells, strict=True) if cell}
        faults += [
            ValidationFault(f"/{line}/{heading}", "value.too_long", _TOO_LONG)
            for heading, cell in zip(table.header[1:], cells, strict=True)
            if len(cell) > MAX_TEXT_LENGTH
        ]
    if faults:
        raise Invalid(faults)
    return change_texts(definition, texts)


def _parse_header(header: Sequence[str]) -> list[str]:
    if header[0] != _KEY:
        detail = f"The first column must be “{_KEY}”. Download the texts as Excel, and fill in that file."
        raise TableUnreadable("table.kind", detail)
    tags = [find_tag(heading) for heading in header[1:]]
    for heading, tag in zip(header[1:], tags, strict=True):
        if tag is None:
            detail = f"“{heading}” is not a language. Write its tag, for example “fr” or “French (fr)”."
            raise TableUnreadable("table.kind", detail)
    languages = [tag for tag in tags if tag]
    if len(set(languages)) < len(languages):
        raise TableUnreadable("table.header.taken", "Two columns have the same language.")
    return languages


def _walk(document: Document) -> Iterator[tuple[str, str, str, Document]]:
    """Yield the key, the field, the property and the object that contains it, for each text."""
    yield from _walk_fields(document["fields"], "")
    for name in SETTINGS_TEXTS:
        if name in document["settings"]:
            yield f"settings/{name}", "", name, document["settings"]
    buttons = document["settings"].get("buttons", {})
    for name in BUTTON_TEXTS:
        if name in buttons:
            yield f"settings/buttons/{name}", "", name, buttons


def _walk_fields(fields: Sequence[Document], path: str) -> Iterator[tuple[str, str, str, Document]]:
    for field in fields:
        place = f"{path}{field['name']}"
        for name in TEXT_PROPERTIES:
            if name in field:
                yield f"{place}/{name}", place, name, field
        for option in field.get("options", ()):
            yield f"{place}/options/{option['value']}", place, "label", option
        # The names of fields in a section are those of the level around it.
        yield from _walk_fields(field.get("fields", ()), f"{place}/" if field["type"] == "repeat" else path)


def _by_language(label: str | dict[str, str], own: str) -> dict[str, str]:
    return {own: label} if isinstance(label, str) else dict(label)


def _check(key: str, texts: Mapping[str, str]) -> list[ValidationFault]:
    escaped = key.replace("~", "~0").replace("/", "~1")
    faults = [
        ValidationFault(f"/{escaped}/{language}", "value.too_long", _TOO_LONG)
        for language, text in texts.items()
        if len(text) > MAX_TEXT_LENGTH
    ]
    if not texts:
        faults.append(ValidationFault(f"/{escaped}", "value.required", "A text is needed in at least one language."))
    if len(texts) > MAX_LANGUAGES:
        detail = f"A text can be in at most {MAX_LANGUAGES} languages."
        faults.append(ValidationFault(f"/{escaped}", "value.too_many", detail))
    return faults
