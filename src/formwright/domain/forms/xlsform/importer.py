"""An XLSForm as a definition, with a report of everything that is not as it was."""

from dataclasses import dataclass

import msgspec

from formwright.core.errors import Invalid, ValidationFault
from formwright.domain.forms.definition import AnyField, FormSettings
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.xlsform.choices_sheet import options_of
from formwright.domain.forms.xlsform.import_rules import carry_rules, documents, remove
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.pyxform_check import check
from formwright.domain.forms.xlsform.report import Note, NoteKind, Report
from formwright.domain.forms.xlsform.sheets import Book, read_book
from formwright.domain.forms.xlsform.survey_sheet import Document, Survey, SurveyReader

_CARRIED = ("form_title", "form_id", "default_language")
_NOT_CARRIED = ("external_choices", "entities", "osm")
_LONGEST_NAME = 200
_RULES = ("visibleIf", "validIf", "calculate")
_NAMELESS = "Imported form"


@dataclass(frozen=True, slots=True)
class Imported:
    """What a form becomes, ready to be saved."""

    name: str
    definition_fields: list[AnyField]
    settings: FormSettings
    report: list[Note]


def import_xlsform(content: bytes) -> Imported:
    """The form in an .xlsx file. `Invalid` where nothing can be carried; else the report names what was not."""
    report = Report()
    book = read_book(content, report)
    languages = Languages(book, report)
    options = options_of(book, languages, report)
    check(book, report)
    survey = SurveyReader(options, languages, report).read(book.rows("survey"))
    _report_rest(book, report)
    carry_rules(survey, report)
    fields = _working(survey, report)
    return Imported(_name(book, survey, report), fields, FormSettings(language=languages.default), report.notes)


def _working(survey: Survey, report: Report) -> list[AnyField]:
    """The fields, without those members that the rules of definitions refuse."""
    while survey.fields:
        try:
            fields = msgspec.convert(survey.fields, list[AnyField])
        except msgspec.ValidationError as error:
            raise Invalid.at("/survey", "xlsform.not_carried", f"The form cannot be carried: {error}") from None
        found = find_errors(fields)
        if not found:
            return fields
        # All found before any is mended: that takes fields out, and others stand in their places then.
        for fault, (document, member) in [(fault, _found(survey.fields, fault.pointer)) for fault in found]:
            _mend(survey, fault, document, member, report)
    refused = [note for note in report.notes if note.kind in (NoteKind.REFUSED, NoteKind.DROPPED)]
    named = [
        ValidationFault(f"/{n.sheet}/{n.row or ''}/{n.column or ''}".rstrip("/"), n.code, n.detail) for n in refused
    ]
    raise Invalid(named or [ValidationFault("/survey", "xlsform.empty", "The survey has no questions.")])


def _mend(survey: Survey, fault: ValidationFault, document: Document, member: str, report: Report) -> None:
    """Takes out what the fault is about; `Invalid` where that is no single member."""
    row = survey.rows.get(document.get("name", ""))
    if document.get("name") not in documents(survey.fields):
        return  # Gone with an earlier fault.
    members = _RULES[::2] if fault.code == "field.rule.circle" else (member,)
    gone = [one for one in members if one != "name" and document.pop(one, None) is not None]
    if not gone:
        raise Invalid.at(f"/survey/{row or ''}", f"xlsform.{fault.code}", fault.detail)
    said = [one for one in survey.pending if one.name == document["name"] and one.member in gone]
    detail = f"The {' and '.join(gone)} of {document['name']} was left out: {fault.detail}"
    if "calculate" in gone and document["name"] in survey.untyped:
        remove(survey.fields, document["name"])
        detail = f"{document['name']} was left out: {fault.detail}"
    detail += "".join(f" The {one.column} was: {one.xpath[:300]}" for one in said)
    report.refused("survey", row, said[0].column if said else None, "rule_left_out", detail)


def _found(fields: list[Document], pointer: str) -> tuple[Document, str]:
    """The document that a fault points into, and which of its members."""
    document: Document = {"fields": fields}
    steps = pointer.split("/")[1:]
    while len(steps) >= 2 and steps[0] == "fields":
        document, steps = document["fields"][int(steps[1])], steps[2:]
    return document, steps[0] if steps else ""


def _name(book: Book, survey: Survey, report: Report) -> str:
    settings = book.rows("settings")
    written = [settings[0].value(column) for column in ("form_title", "form_id")] if settings else []
    name = next((one for one in (*written, survey.title) if one), "")
    if not name:
        detail = f"The form has no title; it is named {_NAMELESS}."
        report.changed("settings", None, "form_title", "title_missing", detail)
    if len(name) > _LONGEST_NAME:
        report.changed("settings", 2, "form_title", "text_cut", f"The title was cut to {_LONGEST_NAME} characters.")
    return name[:_LONGEST_NAME] or _NAMELESS


def _report_rest(book: Book, report: Report) -> None:
    for sheet in _NOT_CARRIED:
        if book.rows(sheet):
            report.dropped(sheet, None, None, "sheet_dropped", f"The sheet {sheet} has no counterpart here.")
    for row in book.rows("settings")[:1]:
        for column, _ in row.cells:
            if column not in _CARRIED:
                detail = f"The setting {column} has no counterpart here."
                report.dropped("settings", row.number, column, "setting_dropped", detail)
