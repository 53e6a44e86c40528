"""Imports an XLSForm as a definition, and reports everything that changes."""

import re
from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import PurePath

import msgspec
from msgspec import UNSET

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.datasources.imports.row_sources import JsonRows
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.fields import AnyField, media_names
from formwright.domain.forms.form_settings import FormSettings, XlsformSettings
from formwright.domain.forms.models import Form
from formwright.domain.forms.xlsform import instance_name
from formwright.domain.forms.xlsform.answer_choices import add_answer_rules
from formwright.domain.forms.xlsform.answers_in_texts import translate_texts
from formwright.domain.forms.xlsform.choice_files import ChoiceSources
from formwright.domain.forms.xlsform.choices_sheet import add_other_choices, read_choices, report_columns
from formwright.domain.forms.xlsform.equivalent_rows import replace_rows
from formwright.domain.forms.xlsform.external_choices import (
    NAME,
    ChoiceTables,
    enabled_rows,
    find_choice_files,
    find_unused_lists,
    read_own_lists,
)
from formwright.domain.forms.xlsform.import_rules import index_documents, remove_field, translate_rules
from formwright.domain.forms.xlsform.kept_cells import keep, keep_choices, keep_entities, keep_files, texts_of
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.loops import unroll_loops
from formwright.domain.forms.xlsform.own_choices import OwnChoices, list_needed
from formwright.domain.forms.xlsform.pyxform_check import check_with_pyxform
from formwright.domain.forms.xlsform.question_types import parse_type
from formwright.domain.forms.xlsform.report import Note, NoteEffect, NoteKind, Report
from formwright.domain.forms.xlsform.rule_cells import RULE_COLUMNS
from formwright.domain.forms.xlsform.searched_files import replace_searches
from formwright.domain.forms.xlsform.sheets import SurveyWorkbook, read_survey_workbook
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey, SurveyReader

_KNOWN_SETTINGS = ("form_title", "form_id", "version", "default_language", instance_name.COLUMN)
_PAGES = "pages"
"""The style of forms with a page for each question outside of groups."""
_UNSUPPORTED_SHEETS = ("osm",)
_MAX_NAME_LENGTH = 200
_RULES_IN_CYCLES = ("visibleIf", "calculate")
_DEFAULT_NAME = "Imported form"
_COLUMNS = {member: column for column, member in RULE_COLUMNS}
_PROPERTY = re.compile(rf"\b(?:{'|'.join(_COLUMNS)})\b")
_ADVICE = re.compile(r" Remove [^.]*\.$")


@dataclass(frozen=True, slots=True)
class ImportedForm:
    """An imported form, ready to be saved."""

    name: str
    definition_fields: list[AnyField]
    settings: FormSettings
    report: list[Note]
    form_id: str | None = None

    @property
    def media(self) -> list[str]:
        """The names of media files that it needs."""
        return sorted(media_names(self.definition_fields))

    def notes_for(self, form: Form, attached: Set[str] = frozenset()) -> list[Note]:
        """Return the report of the import as this form, to which the media with these names are attached."""
        report = Report([*self.report])
        if self.form_id not in (None, form.xform_id):
            detail = f"Another form has the form_id {self.form_id}, so this one got {form.xform_id}."
            report.add_change("settings", 2, "form_id", "form_id_taken", detail)
        for name in self.media:
            if name not in attached:
                detail = f"The file {name} is not attached, so it is not shown. Add it to the media of the form."
                report.add_drop("survey", None, "media", "media_missing", detail)
        return report.notes


@dataclass(frozen=True, slots=True)
class OpenedXlsform:
    """A workbook that has been read, and the choices that its questions need from elsewhere.

    `choice_files` are the names of files and lists, with the column of the names of the choices; `tables` are those of
    them that the workbook contains.
    """

    book: SurveyWorkbook
    languages: Languages
    report: Report
    choice_files: Mapping[str, str]
    tables: ChoiceTables
    searched: Set[str]
    """The lists in `choices` that name columns of files instead of choices."""
    written: SurveyWorkbook
    """The workbook as it is, without the rows that were replaced."""

    def own_choices(self) -> dict[str, OwnChoices]:
        """Return the lists that become data sources, by their names."""
        found: dict[str, OwnChoices] = {}
        for name, table in self.tables.items():
            choices = OwnChoices(JsonRows(table.rows, tuple(table.rows[0])), table.sheet, table.key)
            found |= list_needed(name, choices, self.choice_files)
        return found


def open_xlsform(content: bytes) -> OpenedXlsform:
    """Read an .xlsx or .xls file. Raises `Invalid` if that is not possible."""
    report = Report()
    book = read_survey_workbook(content, report)
    languages = Languages(book, report)
    read, searched = replace_searches(book, languages, report)
    files = find_choice_files(read, searched)
    tables = read_own_lists(read, files.keys(), languages, report)
    files |= {name: table.key for name, table in tables.items()}
    return OpenedXlsform(read, languages, report, files, tables, searched, written=book)


def import_xlsform(content: bytes, file_name: str = "", sources: ChoiceSources | None = None) -> ImportedForm:
    """Import the form in an .xlsx file, as `import_opened` does."""
    return import_opened(open_xlsform(content), file_name, sources)


def import_opened(opened: OpenedXlsform, file_name: str = "", sources: ChoiceSources | None = None) -> ImportedForm:
    """Import the form in a workbook. Raises `Invalid` if nothing can be imported.

    A form without a title is named after the file. Questions with choices in files become lookups in `sources`, the
    data sources by the names of the files; `choice_files.find_sources` finds them.
    """
    book, languages, report = opened.book, opened.languages, opened.report
    long_lists = {name for name, table in opened.tables.items() if table.sheet == "choices"}
    unused = find_unused_lists(book)
    for name in sorted(unused):
        detail = f"No question uses the list {name}, which is too long for a form, so it was left out."
        report.add_drop("choices", None, "list_name", "no_effect", detail)
    options = read_choices(book, languages, report, long_lists | unused | opened.searched)
    questions = [parse_type(row.value("type")) for row in enabled_rows(book)]
    add_other_choices(options, {question.choices for question in questions if question.or_other})
    check_with_pyxform(opened.written, report)
    keys = {name: table.key for name, table in opened.tables.items() if table.key != NAME}
    rows = replace_rows(unroll_loops(book.rows("survey"), book.rows("choices"), report), keys, report)
    survey = SurveyReader(options, languages, report, sources, long_lists).read(rows)
    _report_unsupported(book, report)
    kept, entities = _keep_settings(book, report), keep_entities(book, report)
    # Before the rules are translated, because the title may be a rule of a hidden field.
    title = instance_name.add_title(book, survey)
    # Rules add and remove fields, so what refers to fields is converted afterwards.
    translate_rules(survey, report, languages.default)
    add_answer_rules(survey, index_documents(survey.fields), report)
    translate_texts(survey, index_documents(survey.fields), report)
    # Only now it is known which columns filters and rules use.
    report_columns(book, survey.lists, survey.columns, report)
    fields = _drop_invalid(survey, report)
    # The expression of the title could not be translated, so its field was removed.
    if title and title not in index_documents(survey.fields):
        title = ""
        instance_name.keep_untranslated(book, kept)
    texts = [
        *texts_of(index_documents(survey.fields)),
        *kept.values(),
        *(text for row in entities for text in row.values()),
    ]
    choices, files = keep_choices(book, languages, texts, report), keep_files(book)
    form_id, version = _identity(book)
    settings = FormSettings(
        language=languages.default,
        question_per_page=_has_pages(book),
        title_field=title or UNSET,
        xlsform=XlsformSettings(
            version=version or UNSET, settings=kept, entities=entities, choices=choices, files=files
        )
        if version or kept or entities or choices or files
        else UNSET,
    )
    return ImportedForm(_form_name(book, survey, file_name, report), fields, settings, report.notes, form_id or None)


def _has_pages(book: SurveyWorkbook) -> bool:
    """Whether each question outside of groups has a page of its own."""
    return any(_PAGES in row.value("style").split() for row in book.rows("settings")[:1])


def _identity(book: SurveyWorkbook) -> tuple[str, str]:
    """Return the id and the version of the workbook, so that an export is still the same form for other systems."""
    row = next(iter(book.rows("settings")), None)
    form_id, version = (row.value(column)[:200].strip() if row else "" for column in ("form_id", "version"))
    return re.sub(r"[\x00-\x1f<>&]", "_", form_id), version


def _drop_invalid(survey: Survey, report: Report) -> list[AnyField]:
    """Return the fields without the properties that are invalid in a definition."""
    while survey.fields:
        try:
            fields = msgspec.convert(survey.fields, list[AnyField])
        except msgspec.ValidationError as error:
            raise Invalid.at("/survey", "xlsform.not_carried", f"The form cannot be imported: {error}") from None
        found = find_errors(fields)
        if not found:
            return fields
        # Locate all errors before fixing any: fixing removes fields, and later pointers would refer to other fields.
        for fault, (document, member) in [(fault, _locate(survey.fields, fault.pointer)) for fault in found]:
            _remove_invalid(survey, fault, document, member, report)
    lost = (NoteEffect.QUESTIONS, NoteEffect.RULES)
    refused = [
        note for note in report.notes if note.kind in (NoteKind.REFUSED, NoteKind.DROPPED) and note.effect in lost
    ]
    named = [
        ValidationFault(f"/{n.sheet}/{n.row or ''}/{n.column or ''}".rstrip("/"), n.code, n.detail) for n in refused
    ]
    raise Invalid(named or [ValidationFault("/survey", "xlsform.empty", "The survey has no questions.")])


def _remove_invalid(survey: Survey, fault: ValidationFault, document: Document, member: str, report: Report) -> None:
    """Remove the property that an error refers to. Raises `Invalid` if it does not refer to a single property."""
    row = survey.rows.get(document.get("name", ""))
    if document.get("name") not in index_documents(survey.fields):
        return  # An earlier error has removed the field.
    members = _RULES_IN_CYCLES if fault.code == "field.rule.circle" else (member,)
    gone = [one for one in members if one != "name" and document.pop(one, None) is not None]
    if not gone:
        raise Invalid.at(f"/survey/{row or ''}", f"xlsform.{fault.code}", fault.detail)
    if gone == ["default"]:
        detail = f"The default cannot be the answer to {document['name']}, which begins without one."
        report.add_drop("survey", row, "default", "default_invalid", detail)
        return
    said = [one for one in survey.pending if one.name == document["name"] and one.member in gone]
    reason = _name_columns(fault.detail)
    columns = [one.column for one in said] or [_name_columns(one) for one in gone]
    detail = f"The {' and '.join(columns)} of {document['name']} was left out: {reason}"
    if not {"calculate", "defaultRule"}.isdisjoint(gone) and document["name"] in survey.untyped:
        remove_field(survey.fields, document["name"])
        detail = f"{document['name']} was left out: {reason}"
    detail += "".join(f" The {one.column} was: {one.xpath[:300]}" for one in said)
    report.add_refusal("survey", row, said[0].column if said else None, "rule_left_out", detail)


def _name_columns(detail: str) -> str:
    """Return an error with the columns of the workbook for the properties that they have become, without advice."""
    return _PROPERTY.sub(lambda found: _COLUMNS[found[0]], _ADVICE.sub("", detail))


def _locate(fields: list[Document], pointer: str) -> tuple[Document, str]:
    """Return the field that a pointer refers to, and the name of the property."""
    document: Document = {"fields": fields}
    steps = pointer.split("/")[1:]
    while len(steps) >= 2 and steps[0] == "fields":
        document, steps = document["fields"][int(steps[1])], steps[2:]
    return document, steps[0] if steps else ""


def _form_name(book: SurveyWorkbook, survey: Survey, file_name: str, report: Report) -> str:
    settings = book.rows("settings")
    written = [settings[0].value(column) for column in ("form_title", "form_id")] if settings else []
    name = next((one for one in (*written, survey.title) if one), "")
    if not name:
        name = " ".join(PurePath(file_name).stem.split()) or _DEFAULT_NAME
        detail = f"The form has no title and was named {name[:_MAX_NAME_LENGTH]}."
        report.add_change("settings", None, "form_title", "title_missing", detail)
    if len(name) > _MAX_NAME_LENGTH:
        report.add_change(
            "settings", 2, "form_title", "text_cut", f"The title was cut to {_MAX_NAME_LENGTH} characters."
        )
    return name[:_MAX_NAME_LENGTH]


def _report_unsupported(book: SurveyWorkbook, report: Report) -> None:
    for sheet in _UNSUPPORTED_SHEETS:
        if book.rows(sheet):
            report.add_drop(sheet, None, None, "sheet_dropped", f"The sheet {sheet} is not supported.")


def _keep_settings(book: SurveyWorkbook, report: Report) -> dict[str, str]:
    """Return the settings that have no effect here, and report them."""
    kept: dict[str, str] = {}
    for row in book.rows("settings")[:1]:
        for (name, language), text in row.cells.items():
            column = f"{name}::{language}" if language else name
            value = " ".join(word for word in text.split() if word != _PAGES) if name == "style" else text
            if column in _KNOWN_SETTINGS or not value:
                continue
            if keep(kept, column, value):
                detail = f"The setting {column} {value[:120]!r} has no effect here. Exports write it again."
                report.add_change("settings", row.number, column, "kept", detail)
            else:
                detail = f"The setting {column} is not supported."
                report.add_drop("settings", row.number, column, "setting_dropped", detail)
    return kept
