"""Writes the sheet `choices` of an export: the options of fields, each list once."""

from collections.abc import Mapping, Sequence, Set

from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, SectionField
from formwright.domain.forms.fields.labels import Label
from formwright.domain.forms.form_settings import XlsformSettings
from formwright.domain.forms.xlsform.choices_sheet import POINTS
from formwright.domain.forms.xlsform.export_kept import write_choices
from formwright.domain.forms.xlsform.export_media import write_media
from formwright.domain.forms.xlsform.export_texts import TextWriter
from formwright.domain.forms.xlsform.point_columns import write_points
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.types import BOOLEANS, question_type
from formwright.domain.forms.xlsform.workbook_writer import Cells
from formwright.domain.forms.xlsform.xpath_literals import choice_column


def find_free_name(name: str, taken: Set[str]) -> str:
    """Return the name, with as many `_` at its end as it needs to differ from those that are taken."""
    while name in taken:
        name += "_"
    return name


class ChoiceLists:
    """The rows of the sheet.

    `names` are the names of the lists by field, and `values` those of options that are exported under other names.
    """

    def __init__(self, kept: XlsformSettings, taken: Set[str], texts: TextWriter, report: Report) -> None:
        self._texts, self._report = texts, report
        self._kept = {row.get("list_name", "") for row in kept.choices}
        self.taken = taken | self._kept
        """The names that no further list can have."""
        self.rows: list[Cells] = list(write_choices(kept.choices))
        self.names: dict[str, str] = {}
        self.values: dict[str, dict[str, str]] = {}

    def add(self, fields: Sequence[AnyField]) -> None:
        """Add the lists of these fields. Must come before the rows, because rules refer to renamed options."""
        for field in fields:
            match field:
                case SectionField(table=True):
                    self._add_table(field)
                case SectionField() | RepeatField():
                    self.add(field.fields)
                case _ if field.options:
                    self._add_options(field)
                case _ if question_type(field) == "acknowledge":
                    self.values[field.name] = {"true": "OK"}
                case _ if BOOLEANS in question_type(field) and BOOLEANS not in self.names:
                    self.names[BOOLEANS] = BOOLEANS
                    self.add_labels(BOOLEANS, {"true": "Yes", "false": "No"})

    def add_ends(self, field: AnyField, ends: Mapping[str, Label]) -> str:
        """Add a list with the labels at the ends of a scale, and return its name."""
        name = find_free_name(f"{field.name}_ends", self.taken)
        self.add_labels(name, ends)
        return name

    def add_labels(self, list_name: str, labels: Mapping[str, Label]) -> None:
        """Add a list with these labels by value."""
        for value, label in labels.items():
            row: Cells = {("list_name", ""): list_name, ("name", ""): value}
            self._texts.fill(row, "label", label, ("choices", len(self.rows) + 2))
            self.rows.append(row)

    def _add_table(self, section: SectionField) -> None:
        """Add the one list of a table, which XLSForm requires."""
        first, *others = section.fields
        self.add([first])
        for field in others:
            self.names[field.name] = self.names[first.name]
            if first.name in self.values:
                self.values[field.name] = self.values[first.name]

    def _add_options(self, field: AnyField) -> None:
        list_name = self.names[field.name] = find_free_name(field.name, self._kept)
        has_points = any(option.points for option in field.options)
        taken = {option.value for option in field.options}
        for option in field.options:
            name = self._choice_name(field, option.value, taken)
            row: Cells = {("list_name", ""): list_name, ("name", ""): name}
            self._texts.fill(row, "label", option.label, ("choices", len(self.rows) + 2))
            write_media(row, option.media, self._report, ("choices", len(self.rows) + 2))
            row.update({(choice_column(column), ""): text for column, text in option.columns.items()})
            # An empty cell is not a number in XPath.
            row.update({(POINTS, ""): write_points(option.points)} if has_points else {})
            self.rows.append(row)

    def _choice_name(self, field: AnyField, value: str, used_names: set[str]) -> str:
        """Return the name of the option. XLSForm separates several answers by spaces, so names cannot contain any."""
        plain = ("_" if field.answer_kind is AnswerKind.CHOICES else " ").join(value.split()) or "_"
        if plain == value:
            return value
        plain = find_free_name(plain, used_names)
        used_names.add(plain)
        self.values.setdefault(field.name, {})[value] = plain
        detail = f"The option {value!r} of {field.name} is exported as {plain}, because XLSForm would lose its spaces."
        self._report.add_change("choices", len(self.rows) + 2, "name", "option_renamed", detail)
        return plain
