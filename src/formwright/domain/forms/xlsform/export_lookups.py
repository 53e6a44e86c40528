"""Exports lookups as questions with choices in a file, and the fields that they fill in as expressions."""

from collections.abc import Mapping, Sequence

from formwright.domain.forms.fields import AnswerKind, AnyField
from formwright.domain.forms.xlsform.choice_files import (
    ChoiceSource,
    default_label,
    default_value,
    to_file_name,
)
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.row_columns import columns_of_rows
from formwright.domain.forms.xlsform.workbook_writer import Cells


class LookupExporter:
    """Writes the cells of lookups whose data sources are known by their ids."""

    def __init__(self, fields: Sequence[AnyField], sources: Mapping[str, ChoiceSource], report: Report) -> None:
        self._sources, self._report = sources, report
        self._filled = dict(columns_of_rows(fields, sources))

    def file_name(self, field: AnyField) -> str | None:
        """Return the name of the file with the rows of a lookup; None for other fields."""
        source = self._sources.get(field.datasource_id)
        return to_file_name(field, source) if source else None

    def question_type(self, field: AnyField) -> str | None:
        """Return the type of the question with these rows; None for other fields."""
        several = field.answer_kind is AnswerKind.CHOICES
        file_name = self.file_name(field)
        return f"select_{'multiple' if several else 'one'}_from_file {file_name}" if file_name else None

    def fill_from_row(self, row: Cells, field: AnyField) -> None:
        """Add the expression for the column that fills in this field, unless a rule of its own does."""
        if ("calculation", "") in row or field.name not in self._filled:
            return
        lookup, row["calculation", ""] = self._filled[field.name]
        if field.hidden:
            row["type", ""] = "calculate"
        else:
            row["trigger", ""] = f"${{{lookup.name}}}"

    def fill(self, row: Cells, field: AnyField, number: int) -> None:
        """Add the cells of a lookup, and report what its file must contain."""
        file_name = self.file_name(field)
        if not file_name:
            return
        source = self._sources[field.datasource_id]
        if not field.hidden:
            _fill_choices(row, field, source, file_name)
        detail = f"Attach the rows of the data source {source.name} as {file_name} to the form in other systems."
        if len(field.display) > 1:
            detail += f" {field.name} shows one column there."
        if missing := [name for name in field.mapping.values() if self._filled.get(name, (None,))[0] is not field]:
            detail += f" It does not fill in {', '.join(missing)}."
        if field.answer_kind is AnswerKind.CHOICES:
            detail += " Keys with spaces do not work there, because spaces separate several answers."
        self._report.add_change("survey", number, "type", "choice_file", detail)


def _fill_choices(row: Cells, field: AnyField, source: ChoiceSource, file_name: str) -> None:
    """Write which columns have the names and labels of the choices, and which rows are offered."""
    label = (field.display or [source.key_column])[0]
    given = [("value", source.key_column, default_value(file_name)), ("label", label, default_label(file_name))]
    if parameters := " ".join(f"{name}={column}" for name, column, usual in given if column != usual):
        row["parameters", ""] = parameters
    if field.filter:
        row["choice_filter", ""] = " and ".join(f"{one} = ${{{name}}}" for one, name in field.filter.items())
