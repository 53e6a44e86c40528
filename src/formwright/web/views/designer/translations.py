"""The translations of a form: its languages, the texts of one of them, and all texts as an Excel file."""

import asyncio
import io
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.tables.base import TableUnreadable
from formwright.domain.forms import service as forms
from formwright.domain.forms import translations, versions
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.models import Form
from formwright.domain.forms.translations import FormText, ImportedTexts
from formwright.domain.forms.xlsform.languages import find_tag, language_heading
from formwright.web.http import Redirect, Response, UploadFile, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.views.designer import draft as drafts
from formwright.web.views.designer.draft import DraftContent, DraftOutdated
from formwright.web.views.designer.excel import xlsx_response

PATH = "/forms/{form_id:str}/translations"
_PAGE_SIZE = 100
_MAX_FAULTS = 50
_RETRIES = 2
_RESULTS = ("changed", "unknown")
_PROPERTIES = {
    "label": "Label",
    "hint": "Hint",
    "guidance": "More information",
    "message": "Error message",
    "requiredMessage": "Message if missing",
    "welcome": "Welcome text",
    "thanks": "Thank-you message",
    "submit": "Submit button",
    "next": "Next button",
    "back": "Back button",
}


@dataclass(frozen=True, slots=True)
class LanguageRow:
    """A language of the form, other than its own, and how many texts it has."""

    language: str
    name: str
    url: str
    translated: int


@dataclass(frozen=True, slots=True)
class TextRow:
    """A text in the language of the form, or else in another one, and in the language into which it is translated.

    `saved` is the translation before it was edited, and `fault` why the edited `text` was not saved.
    """

    number: int
    key: str
    place: str
    source: str
    source_language: str
    saved: str
    text: str
    fault: str


@dataclass(frozen=True, slots=True)
class TranslationsPage:
    """The view model. `language` is the one that is translated, empty if none is chosen; `rows` are its texts."""

    form: Form
    own: str
    own_name: str
    languages: Sequence[LanguageRow]
    total: int
    language: str
    language_name: str
    rows: Sequence[TextRow]
    only_missing: bool
    first_url: str
    next_url: str
    notice: str
    faults: Sequence[str]
    new_language: str
    may_edit: bool


@dataclass(frozen=True, slots=True)
class Failure:
    """The reasons why texts were not saved, and the typed texts by key."""

    faults: Sequence[str] = ()
    typed: Mapping[str, str] | None = None
    faults_by_key: Mapping[str, str] | None = None


@get(PATH)
async def translations_page(page: Page, form_id: str) -> Response:
    """The languages of the newest version, and the texts of one of them (`?language=de`)."""
    return await _render(page, form_id)


@post(PATH)
async def save_translations(page: Page, form_id: str) -> Response:
    """Save the texts of one language that were edited, as a draft. An empty text removes the translation."""
    sent = await page.form()
    language = find_tag(str(sent.get("language", ""))) or ""
    typed = {name.removeprefix("text."): str(text).strip() for name, text in sent.items() if name.startswith("text.")}
    edited = {key: {language: text} for key, text in typed.items() if text != sent.get(f"was.{key}", "")}
    try:
        if not language:
            raise Invalid.at("/language", "value.unknown", "Choose a language.")
        saved = await _save(page, form_id, lambda definition: translations.change_texts(definition, edited))
    except Invalid as error:
        by_key = {_unescape(fault.pointer.split("/")[1]): fault.detail for fault in error.faults}
        elsewhere = [detail for key, detail in by_key.items() if key not in typed]
        failure = Failure(elsewhere or ["Not saved. Fix the errors shown below."], typed, by_key)
        return await _render(page, form_id, failure, language)
    query = {name: str(sent[name]) for name in ("missing", "start") if sent.get(name)}
    return _redirect(form_id, {"language": language, **query}, saved)


@get(f"{PATH}.xlsx")
async def download_translations(page: Page, form_id: str) -> Response:
    """All texts as an Excel file with a column for each language, and one for `?language=`."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    languages = translations.list_languages(version.definition)
    added = find_tag(page.query.get("language", ""))
    languages += [added] if added and added not in languages else []
    content = await asyncio.to_thread(translations.export_texts, version.definition, languages)
    return xlsx_response(f"{form.name} texts.xlsx", content)


@post(f"{PATH}/import")
async def import_translations(page: Page, form_id: str) -> Response:
    """Save the texts of an Excel file as a draft. Empty cells change nothing."""
    sent = await page.form()
    file = sent.get("file")
    if not isinstance(file, UploadFile) or not file.filename:
        return await _render(page, form_id, Failure(["Choose a file first."]))
    content = io.BytesIO(await file.read())
    try:
        saved = await _save(page, form_id, lambda definition: translations.import_texts(definition, content))
    except TableUnreadable as error:
        return await _render(page, form_id, Failure([error.detail]))
    except Invalid as error:
        faults = [_describe_fault(fault.pointer, fault.detail) for fault in error.faults[:_MAX_FAULTS]]
        return await _render(page, form_id, Failure(faults))
    return _redirect(form_id, {}, saved)


async def _save(page: Page, form_id: str, change: Callable[[Definition], ImportedTexts]) -> ImportedTexts:
    """Change the texts of the newest version and save it as a draft, again if someone else saves in the meantime."""
    for _ in range(_RETRIES):
        with suppress(DraftOutdated):
            return await _try_save(page, form_id, change)
    return await _try_save(page, form_id, change)


async def _try_save(page: Page, form_id: str, change: Callable[[Definition], ImportedTexts]) -> ImportedTexts:
    """Raises `DraftOutdated` if someone else saves the form while its texts are changed."""
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    changed = await asyncio.to_thread(change, version.definition)
    base = drafts.DraftBase(version.id, version.number, version.revision)
    content = DraftContent(base, changed.definition.fields, changed.definition.settings)
    async with page.writing() as tx:
        await drafts.save_draft(tx, page.actor, form.id, content)
    return changed


def _redirect(form_id: str, query: Mapping[str, str], saved: ImportedTexts) -> Redirect:
    result = {"changed": str(saved.changed)} | ({"unknown": str(len(saved.unknown))} if saved.unknown else {})
    return Redirect(f"/forms/{form_id}/translations?{urlencode({**query, **result})}")


async def _render(page: Page, form_id: str, failure: Failure | None = None, language: str = "") -> Response:
    query = page.query
    form = await forms.get(page.tx, page.actor, form_id=form_id)
    version = await versions.get_newest(page.tx, page.actor, form_id=form.id)
    written = query.get("language", "").strip()
    found = language or find_tag(written)
    faults = list(failure.faults) if failure else []
    if written and not found:
        faults.append(f"“{written}” is not a known language. Use its tag, for example “fr” for French.")
    view_model = _build_page(page.visitor, form, version.definition, found or "", query, failure, faults)
    status = 422 if faults else 200
    return page.render("designer/translations.html", view_model, section="Forms", status=status)


def _build_page(
    visitor: Visitor,
    form: Form,
    definition: Definition,
    language: str,
    query: Mapping[str, str],
    failure: Failure | None,
    faults: Sequence[str],
) -> TranslationsPage:
    texts, own = translations.list_texts(definition), definition.settings.language
    path = f"/forms/{form.id}/translations"
    language = "" if language == own else language
    only_missing = query.get("missing") == "1"
    start = int(query["start"]) if query.get("start", "").isdecimal() and len(query["start"]) < 6 else 0
    typed = (failure and failure.typed) or {}
    if typed:
        shown = [text for text in texts if text.key in typed]
    elif only_missing:
        shown = [text for text in texts if language not in text.texts]
    else:
        shown = texts
    page = shown if typed else shown[start : start + _PAGE_SIZE]
    kept = {"language": language} | ({"missing": "1"} if only_missing else {})
    others = [tag for tag in translations.list_languages(definition) if tag != own]
    return TranslationsPage(
        form=form,
        own=own,
        own_name=language_heading(own),
        languages=[_language_row(path, tag, texts) for tag in others],
        total=len(texts),
        language=language,
        language_name=language_heading(language) if language else "",
        rows=[_text_row(number, text, own, language, failure) for number, text in enumerate(page)] if language else (),
        only_missing=only_missing,
        first_url=f"{path}?{urlencode(kept)}" if start and not typed else "",
        next_url=f"{path}?{urlencode({**kept, 'start': start + _PAGE_SIZE})}" if len(shown) > start + len(page) else "",
        notice=_notice(query),
        faults=faults,
        new_language="" if language in others else language,
        may_edit=visitor.may(Permission.FORMS_EDIT, form),
    )


def _language_row(path: str, language: str, texts: Sequence[FormText]) -> LanguageRow:
    translated = sum(language in text.texts for text in texts)
    return LanguageRow(language, language_heading(language), f"{path}?language={language}", translated)


def _text_row(number: int, text: FormText, own: str, language: str, failure: Failure | None) -> TextRow:
    source_language = own if own in text.texts else next(iter(text.texts))
    option = text.key.partition("/options/")[2]
    place = " › ".join([*text.field.split("/"), *([f"Option {option}"] if option else [_PROPERTIES[text.property]])])
    typed, faults = (failure.typed, failure.faults_by_key) if failure else (None, None)
    return TextRow(
        number=number,
        key=text.key,
        place=place.removeprefix(" › "),
        source=text.texts[source_language],
        source_language=source_language,
        saved=text.texts.get(language, ""),
        text=(typed or {}).get(text.key, text.texts.get(language, "")),
        fault=(faults or {}).get(text.key, ""),
    )


def _notice(query: Mapping[str, str]) -> str:
    changed, unknown = (int(query.get(name, "")) if query.get(name, "").isdecimal() else None for name in _RESULTS)
    if changed is None:
        return ""
    notice = f"{changed} {'text' if changed == 1 else 'texts'} saved as draft." if changed else "Nothing to save."
    if unknown == 1:
        return f"{notice} 1 row was left out, because the form has no such text."
    return f"{notice} {unknown} rows were left out, because the form has no such texts." if unknown else notice


def _describe_fault(pointer: str, detail: str) -> str:
    line, _, column = pointer.removeprefix("/").partition("/")
    return f"Row {line}{f', {column}' if column else ''}: {detail}" if line.isdecimal() else detail


def _unescape(key: str) -> str:
    return key.replace("~1", "/").replace("~0", "~")
