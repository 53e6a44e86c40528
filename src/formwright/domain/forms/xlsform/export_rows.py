"""Writes the sheet `survey` of an export, and reports what XLSForm cannot express of each field."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import (
    MAX_ROWS,
    AnswerKind,
    AnyField,
    RepeatField,
    SectionField,
    walk_fields,
)
from formwright.domain.forms.fields.point_lists import to_xlsform_text
from formwright.domain.forms.form_settings import XlsformSettings
from formwright.domain.forms.xlsform.answer_choices import parse_answer_choices
from formwright.domain.forms.xlsform.answers_in_texts import without_answers
from formwright.domain.forms.xlsform.choice_files import ChoiceSource
from formwright.domain.forms.xlsform.export_choices import ChoiceLists
from formwright.domain.forms.xlsform.export_kept import list_kept, write_files
from formwright.domain.forms.xlsform.export_lookups import LookupExporter
from formwright.domain.forms.xlsform.export_media import write_media
from formwright.domain.forms.xlsform.export_rules import RuleExporter
from formwright.domain.forms.xlsform.export_texts import TextWriter
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.rule_tables import RuleTables
from formwright.domain.forms.xlsform.types import METADATA, is_range, metadata_type, question_type, type_of
from formwright.domain.forms.xlsform.workbook_writer import Cells

COLUMNS = (
    "type", "name", "label", "hint", "guidance_hint", "required", "required_message", "read_only", "relevant",
    "constraint", "constraint_message", "calculation", "trigger", "choice_filter", "default", "appearance",
    "parameters", "repeat_count",
)  # fmt: skip
_MERGED = ("appearance", "parameters")
"""Columns whose cells are lists of words."""
_TEXTS = ("hint", "guidance_hint", "constraint_message", "required_message")
_COMPUTED = ("today", "start", "end", *METADATA)


class SurveyRows:
    """The rows of the sheet, and the choices of its questions."""

    def __init__(self, definition: Definition, report: Report, sources: Mapping[str, ChoiceSource]) -> None:
        self._report = report
        self.rows: list[Cells] = []
        self.names = {field.name for field in walk_fields(definition.fields)}
        self._texts = TextWriter(self.names, report)
        kept = definition.settings.xlsform or XlsformSettings()
        self._lists = ChoiceLists(kept, self.names, self._texts, report)
        values = self._lists.values
        self._tables = RuleTables(definition.fields, definition.settings.language, values, self._lists.taken)
        self._rules = RuleExporter(definition.fields, report, values, self._lists.names, self._tables)
        self._lookups = LookupExporter(definition.fields, sources, report)

    def write(self, fields: Sequence[AnyField]) -> list[Cells]:
        """Add the rows of these fields, and of those inside them, in order. Returns the rows of the sheet `choices`."""
        self._lists.add(fields)
        self._write_fields(fields)
        return [*self._lists.rows, *self._tables.rows()]

    def attach(self, files: Sequence[str]) -> None:
        """Add the rows that attach files."""
        self.rows += write_files(files, self.names, self._report)

    def _write_fields(self, fields: Sequence[AnyField]) -> None:
        for field in fields:
            row: Cells = {("name", ""): field.name}
            self.rows.append(row)
            self._fill_row(row, field, len(self.rows) + 1)
            if isinstance(field, SectionField | RepeatField):
                self._write_fields(field.fields)
                end = question_type(field).replace("begin", "end")
                self.rows.append({("type", ""): end, ("name", ""): field.name})

    def _fill_row(self, row: Cells, field: AnyField, number: int) -> None:
        row["type", ""] = self._survey_type(field)
        self._fill_texts(row, field, number)
        self._fill_rules(row, field, number)
        self._fill_type_cells(row, field, number)
        self._lookups.fill(row, field, number)
        if isinstance(field, RepeatField):
            self._fill_repeat(row, field, number)
        if field.default is not UNSET:
            row["default", ""] = self._format_default(field)
        # Last, because it adds words to cells that the others have written.
        self._fill_kept(row, field, number)
        self._report_losses(field, number)

    def _survey_type(self, field: AnyField) -> str:
        if field.hidden:
            computed = field.calculate is not UNSET or field.default_rule is not UNSET
            return metadata_type(field) or ("calculate" if computed else "hidden")
        if lookup := self._lookups.question_type(field):
            return lookup
        written = question_type(field)
        if field.options:
            return f"{written} {self._lists.names[field.name]}"
        if choices := self._answer_choices(field):
            return choices
        return "osm" if written == "file" and field.xlsform_columns.get("type") == "osm" else written

    def _answer_choices(self, field: AnyField) -> str | None:
        """Return the type of a question whose choices are the answers in the rows of a repeat; None for others."""
        written = field.xlsform_columns.get("type", "") if question_type(field) == "text" else ""
        found = parse_answer_choices(written)
        return written if found and self._rules.is_in_repeat(found[1]) else None

    def _fill_texts(self, row: Cells, field: AnyField, number: int) -> None:
        place = "survey", number
        texts = (field.hint, field.guidance, field.message, field.required_message)
        if field.label != field.name or not field.hidden:
            self._texts.fill(row, "label", field.label, place)
        for column, text in zip(_TEXTS, texts, strict=True):
            self._texts.fill(row, column, text, place)
        write_media(row, field.media, self._report, place)

    def _fill_rules(self, row: Cells, field: AnyField, number: int) -> None:
        for column, text in self._rules.translate(field, number).items():
            row[column, ""] = text
        if row["type", ""] in _COMPUTED:
            row.pop(("calculation", ""), None)
        if row["type", ""] == "audit" and field.name != "audit":
            row["name", ""] = "audit"
            detail = f"The times of the questions are always named audit there, instead of {field.name}."
            self._report.add_change("survey", number, "name", "renamed", detail)
        self._lookups.fill_from_row(row, field)
        if row["type", ""] == "calculate" and ("calculation", "") not in row:
            row["type", ""] = "hidden"

    def _fill_type_cells(self, row: Cells, field: AnyField, number: int) -> None:
        written = type_of(field)
        cells = {"appearance": written.appearance} | dict(written.cells(field))
        if field.scale and is_range(field):
            cells["parameters"] = f"start={field.scale.first} end={field.scale.last} step={field.scale.step}"
        elif field.scale:
            detail = f"{field.name} is exported as a number, because its step is larger than its range."
            self._report.add_change("survey", number, "type", "as_number", detail)
        if ends := written.ends(field):
            cells["parameters"] += f" tick_labelset={self._lists.add_ends(field, ends)}"
            cells["appearance"] = ""
        if field.randomize:
            cells["parameters"] = "randomize=true"
        row.update({(column, ""): text for column, text in cells.items() if text and column != "type"})

    def _fill_repeat(self, row: Cells, field: RepeatField, number: int) -> None:
        low, most, detail = field.min, field.max, ""
        if field.count_rule is not UNSET:
            if most < MAX_ROWS:
                detail = f"{field.name} has {most} rows at most. XLSForm only supports the number of rows."
        elif low == most:
            row["repeat_count", ""] = str(low)
        elif (low, most) != (0, 100):
            detail = f"{field.name} has {low} to {most} rows. XLSForm only supports an exact number."
        if detail:
            self._report.add_drop("survey", number, "repeat_count", "repeat_range", detail)
        if field.rows_from is not UNSET:
            detail = f"{field.name} does not begin with the rows that {field.rows_from} offers."
            self._report.add_drop("survey", number, None, "rows_from", detail)
        if field.row_label is not UNSET:
            self._fill_row_label(row, field, number)

    def _fill_row_label(self, row: Cells, field: RepeatField, number: int) -> None:
        """Write the title of the rows as the label of the repeat, which XLSForm shows for each row."""
        row.pop(("label", ""), None)
        self._texts.fill(row, "label", field.row_label, ("survey", number))
        inside = {one.name for one in walk_fields(field.fields)}
        if (without_answers(field.row_label, inside) or field.name) != field.label:
            detail = f"The title of each row of {field.name} is exported as its label."
            self._report.add_change("survey", number, "label", "row_label", detail)

    def _format_default(self, field: AnyField) -> str:
        names = self._lists.values.get(field.name, {})
        default: Any = field.default
        match field.answer_kind:
            case AnswerKind.BOOLEAN:
                values = ["true" if default else "false"]
            case AnswerKind.POSITION:
                values = [default.get(part, 0) for part in ("latitude", "longitude", "altitude", "accuracy")]
            case AnswerKind.POSITIONS:
                values = [to_xlsform_text(field, default)]
            case AnswerKind.CHOICES:
                values = default
            case _:
                values = [default]
        return " ".join(names.get(str(value), str(value)) for value in values)

    def _fill_kept(self, row: Cells, field: AnyField, number: int) -> None:
        type_ = row["type", ""]
        for column, text in list_kept(field.xlsform_columns, self.names, self._report, ("survey", number), type_):
            if column == "choice_filter" and self._answer_choices(field):
                row[column, ""] = text
            elif column in _MERGED:
                row[column, ""] = " ".join(filter(None, (row.get((column, "")), text)))
            elif column.partition("::")[0] not in COLUMNS:
                row[column, ""] = text

    def _report_losses(self, field: AnyField, number: int) -> None:
        if (loss := type_of(field).loss) and not self._lookups.file_name(field):
            self._report.add_change("survey", number, "type", "as_text", f"{field.name}: {loss}")
        if field.answer_kind is AnswerKind.FILES and field.max_items > 1:
            detail = f"{field.name} accepts {field.max_items} files. XLSForm supports one."
            self._report.add_change("survey", number, "type", "one_file", detail)
        if field.unit is not UNSET:
            self._report.add_drop("survey", number, None, "unit", f"XLSForm has no unit for {field.name}.")
        if field.indexed:
            detail = f"{field.name} is indexed, which XLSForm does not support."
            self._report.add_drop("survey", number, None, "indexed", detail)
