"""Exports a definition as an XLSForm workbook, and reports what the format cannot express."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import UNSET

from formwright.domain.forms import xform_ids
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.fields import (
    MAX_ROWS,
    AnyField,
    AreaField,
    BooleanField,
    ChoiceField,
    ChoicesField,
    DateField,
    DatetimeField,
    DecimalField,
    Drawing,
    FieldMetadata,
    FileField,
    FileMetadata,
    FilesField,
    IntegerField,
    LineField,
    LocationMetadata,
    LookupField,
    LookupsField,
    NpsField,
    OptionField,
    PhotoField,
    RankingField,
    RatingField,
    RepeatField,
    RowsField,
    SectionField,
    SliderField,
    TextField,
    walk_fields,
)
from formwright.domain.forms.fields.options import Option
from formwright.domain.forms.fields.point_lists import to_xlsform_text
from formwright.domain.forms.form_settings import XlsformSettings
from formwright.domain.forms.xlsform.answer_choices import parse_answer_choices
from formwright.domain.forms.xlsform.answers_in_texts import without_answers, write_references
from formwright.domain.forms.xlsform.cel_to_xpath import choice_column
from formwright.domain.forms.xlsform.choice_files import ChoiceSource, default_label, default_value, to_file_name
from formwright.domain.forms.xlsform.choices_sheet import POINTS
from formwright.domain.forms.xlsform.export_kept import list_kept, write_choices, write_files
from formwright.domain.forms.xlsform.export_media import write_media
from formwright.domain.forms.xlsform.export_rules import RuleExporter, is_scale
from formwright.domain.forms.xlsform.field_mapping import BOOLEANS
from formwright.domain.forms.xlsform.languages import language_heading
from formwright.domain.forms.xlsform.media_columns import COLUMNS
from formwright.domain.forms.xlsform.point_columns import write_points
from formwright.domain.forms.xlsform.report import Note, Report
from formwright.domain.forms.xlsform.reserved_names import rename_reserved
from formwright.domain.forms.xlsform.row_columns import columns_of_rows
from formwright.domain.forms.xlsform.rule_tables import RuleTables
from formwright.domain.forms.xlsform.workbook_writer import Cells, write_workbook

_TYPES = {
    "text": "text", "textarea": "text", "email": "text", "phone": "text", "url": "text", "lookup": "text",
    "lookups": "text",
    "integer": "integer", "decimal": "decimal", "boolean": f"select_one {BOOLEANS}", "date": "date", "time": "time",
    "datetime": "dateTime", "rating": "range", "nps": "range", "slider": "range", "photo": "image",
    "signature": "image", "audio": "audio", "video": "video", "file": "file",
    "location": "geopoint", "line": "geotrace", "area": "geoshape",
    "barcode": "barcode", "note": "note",
    "section": "begin group", "repeat": "begin repeat",
}  # fmt: skip
_AS_TEXT = {
    "email": "Email addresses are exported as text without validation.",
    "phone": "Telephone numbers are exported as text without validation.",
    "url": "URLs are exported as text without validation.",
    "lookup": "Lookups are exported as text. The key must be typed, and fills in no other fields.",
    "lookups": "Lookups are exported as text. The keys must be typed, with spaces between them.",
}
_OPTION_TYPES: Mapping[type, str] = {
    ChoiceField: "select_one", ChoicesField: "select_multiple", RankingField: "rank"
}  # fmt: skip
_METADATA = {FileMetadata.AUDIT: "audit", LocationMetadata.START_LOCATION: "start-geopoint"} | {
    about: about.lower() for about in FieldMetadata
}
_COMPUTED = ("today", "start", "end", *_METADATA.values())
_REFERENCE = re.compile(r"\$\{([^}]*)\}?")
_APPEARANCES = {"textarea": "multiline", "signature": "signature", "rating": "rating"}


class SheetRows:
    """The rows of the sheets `survey` and `choices` for a definition."""

    def __init__(
        self, definition: Definition, report: Report, sources: Mapping[str, ChoiceSource] | None = None
    ) -> None:
        self._sources = sources or {}
        self._report, self._language = report, definition.settings.language
        self.survey: list[Cells] = []
        self.choices: list[Cells] = []
        self._lists: dict[str, str] = {}
        self._values: dict[str, dict[str, str]] = {}
        self.names = {field.name for field in walk_fields(definition.fields)}
        kept = definition.settings.xlsform or XlsformSettings()
        self._kept_lists = {row.get("list_name", "") for row in kept.choices}
        self.choices += write_choices(kept.choices)
        taken = self.names | self._kept_lists
        self._tables = RuleTables(definition.fields, self._language, self._values, taken)
        self._rules = RuleExporter(definition.fields, report, self._values, self._lists, self._tables)
        self._filled = dict(columns_of_rows(definition.fields, self._sources))

    def write(self, fields: Sequence[AnyField]) -> None:
        """Add the rows of these fields, and of those inside them, in order."""
        self._add_choice_lists(fields)
        self._write_fields(fields)
        self.choices += self._tables.rows()

    def attach(self, files: Sequence[str]) -> None:
        """Add the rows that attach files."""
        self.survey += write_files(files, self.names, self._report)

    def _write_fields(self, fields: Sequence[AnyField]) -> None:
        for field in fields:
            row: Cells = {("name", ""): field.name}
            self.survey.append(row)
            self._fill_row(row, field, len(self.survey) + 1)
            if isinstance(field, SectionField | RepeatField):
                self._write_fields(field.fields)
                kind = "group" if isinstance(field, SectionField) else "repeat"
                self.survey.append({("type", ""): f"end {kind}", ("name", ""): field.name})

    def _fill_row(self, row: Cells, field: AnyField, number: int) -> None:
        kind = str(type(field).__struct_config__.tag)
        row["type", ""] = self._survey_type(field, kind)
        if field.label != field.name or not field.hidden:
            self._fill_texts(row, "label", field.label)
        self._fill_texts(row, "hint", field.hint)
        self._fill_texts(row, "guidance_hint", field.guidance)
        write_media(row, field.media, self._report, ("survey", number))
        self._fill_texts(row, "constraint_message", field.message)
        self._fill_texts(row, "required_message", field.required_message)
        if kind in _APPEARANCES:
            row["appearance", ""] = _APPEARANCES[kind]
        for column, text in self._rules.translate(field, number).items():
            row[column, ""] = text
        if row["type", ""] in _COMPUTED:
            row.pop(("calculation", ""), None)
        if row["type", ""] == "audit" and field.name != "audit":
            row["name", ""] = "audit"
            detail = f"The times of the questions are always named audit there, instead of {field.name}."
            self._report.add_change("survey", number, "name", "renamed", detail)
        self._fill_from_lookup(row, field)
        if row["type", ""] == "calculate" and ("calculation", "") not in row:
            row["type", ""] = "hidden"
        self._fill_type_properties(row, field, number)
        if isinstance(field, RepeatField):
            self._fill_row_label(row, field, number)
        self._fill_kept(row, field, number)
        self._report_losses(field, kind, number)

    def _survey_type(self, field: AnyField, kind: str) -> str:
        if field.hidden and (metadata := _metadata_type(field)):
            return metadata
        if field.hidden:
            computed = field.calculate is not UNSET or field.default_rule is not UNSET
            return "calculate" if computed else "hidden"
        if (file_name := self._file_name(field)) and not field.hidden:
            several = isinstance(field, LookupsField)
            return f"select_{'multiple' if several else 'one'}_from_file {file_name}"
        if isinstance(field, OptionField):
            return f"{_OPTION_TYPES[type(field)]} {self._lists[field.name]}"
        if isinstance(field, BooleanField) and field.agreement:
            return "acknowledge"
        if written := self._answer_choices(field):
            return written
        if isinstance(field, FileField) and field.xlsform_columns.get("type") == "osm":
            return "osm"
        return "integer" if isinstance(field, SliderField) and not is_scale(field) else _TYPES[kind]

    def _answer_choices(self, field: AnyField) -> str | None:
        """Return the type of a question whose choices are the answers in the rows of a repeat; None for others."""
        written = field.xlsform_columns.get("type", "") if isinstance(field, TextField) else ""
        found = parse_answer_choices(written)
        return written if found and self._rules.is_in_repeat(found[1]) else None

    def _file_name(self, field: AnyField) -> str | None:
        """Return the name of the file with the rows of a lookup; None for other fields."""
        if not isinstance(field, RowsField):
            return None
        source = self._sources.get(field.datasource_id)
        return to_file_name(field, source) if source else None

    def _fill_from_lookup(self, row: Cells, field: AnyField) -> None:
        """Add the expression for the column that fills in this field, unless a rule of its own does."""
        if ("calculation", "") in row or field.name not in self._filled:
            return
        lookup, row["calculation", ""] = self._filled[field.name]
        if field.hidden:
            row["type", ""] = "calculate"
        else:
            row["trigger", ""] = f"${{{lookup.name}}}"

    def _fill_lookup(self, row: Cells, field: RowsField, file_name: str, number: int) -> None:
        source = self._sources[field.datasource_id]
        if not field.hidden:
            self._fill_file_choices(row, field, source, file_name)
        detail = f"Attach the rows of the data source {source.name} as {file_name} to the form in other systems."
        if len(field.display) > 1:
            detail += f" {field.name} shows one column there."
        if missing := [name for name in field.mapping.values() if self._filled.get(name, (None,))[0] is not field]:
            detail += f" It does not fill in {', '.join(missing)}."
        if isinstance(field, LookupsField):
            detail += " Keys with spaces do not work there, because spaces separate several answers."
        self._report.add_change("survey", number, "type", "choice_file", detail)

    def _fill_file_choices(self, row: Cells, field: RowsField, source: ChoiceSource, file_name: str) -> None:
        """Write which columns have the names and labels of the choices, and which rows are offered."""
        label = (field.display or [source.key_column])[0]
        given = [("value", source.key_column, default_value(file_name)), ("label", label, default_label(file_name))]
        if parameters := " ".join(f"{name}={column}" for name, column, usual in given if column != usual):
            row["parameters", ""] = parameters
        if field.filter:
            row["choice_filter", ""] = " and ".join(f"{one} = ${{{name}}}" for one, name in field.filter.items())

    def _fill_texts(self, row: Cells, column: str, label: Any) -> None:
        if isinstance(label, dict):
            row.update({(column, tag): self._escape_references(text, column) for tag, text in label.items()})
        elif label is not UNSET:
            row[column, ""] = self._escape_references(label, column)

    def _escape_references(self, text: str, column: str) -> str:
        """Return the text with `${name}` for `{{name}}`. Other `${…}`, which XLSForm would replace, are escaped."""
        if "${" not in text:
            return write_references(text, self.names)
        plain = _REFERENCE.sub(lambda found: found[0] if found[1] in self.names else f"$ {found[0][1:]}", text)
        detail = (
            f"In the text {text[:60]!r}, a space was added to ${{…}}, because an XLSForm would display an answer there."
        )
        self._report.add_change("survey", len(self.survey) + 1, column, "text_with_answers", detail)
        return write_references(plain, self.names)

    def _fill_type_properties(self, row: Cells, field: AnyField, number: int) -> None:
        match field:
            case LookupField() | LookupsField() if file_name := self._file_name(field):
                self._fill_lookup(row, field, file_name, number)
            case RatingField():
                row["parameters", ""] = f"start=1 end={field.max} step=1"
            case SliderField() if not is_scale(field):
                detail = f"{field.name} is exported as a number, because its step is larger than its range."
                self._report.add_change("survey", number, "type", "as_number", detail)
            case SliderField():
                row["parameters", ""] = f"start={field.min} end={field.max} step={field.step}"
            case PhotoField(drawing=Drawing() as drawing):
                row["appearance", ""] = "annotate" if drawing is Drawing.PHOTO else "draw"
            case ChoiceField(likert=True):
                row["appearance", ""] = "likert"
                row.update({("parameters", ""): "randomize=true"} if field.randomize else {})
            case NpsField():
                self._fill_nps(row, field)
            case ChoiceField(randomize=True) | ChoicesField(randomize=True) | RankingField(randomize=True):
                row["parameters", ""] = "randomize=true"
            case SectionField(page=page, table=table) if page or table:
                row["appearance", ""] = " ".join(["field-list"] * page + ["table-list"] * table)
            case RepeatField(count_rule=str(), max=most):
                if most < MAX_ROWS:
                    detail = f"{field.name} has {most} rows at most. XLSForm only supports the number of rows."
                    self._report.add_drop("survey", number, "repeat_count", "repeat_range", detail)
            case RepeatField() if field.min == field.max:
                row["repeat_count", ""] = str(field.min)
            case RepeatField() if (field.min, field.max) != (0, 100):
                detail = f"{field.name} has {field.min} to {field.max} rows. XLSForm only supports an exact number."
                self._report.add_drop("survey", number, "repeat_count", "repeat_range", detail)
        default = field.default
        if default is not UNSET:
            row["default", ""] = self._format_default(field, default)

    def _fill_row_label(self, row: Cells, field: RepeatField, number: int) -> None:
        """Write the title of the rows as the label of the repeat, which XLSForm shows for each row."""
        if field.rows_from is not UNSET:
            detail = f"{field.name} does not begin with the rows that {field.rows_from} offers."
            self._report.add_drop("survey", number, None, "rows_from", detail)
        if field.row_label is UNSET:
            return
        row.pop(("label", ""), None)
        self._fill_texts(row, "label", field.row_label)
        inside = {one.name for one in walk_fields(field.fields)}
        if (without_answers(field.row_label, inside) or field.name) != field.label:
            detail = f"The title of each row of {field.name} is exported as its label."
            self._report.add_change("survey", number, "label", "row_label", detail)

    def _fill_kept(self, row: Cells, field: AnyField, number: int) -> None:
        type_ = row["type", ""]
        for column, text in list_kept(field.xlsform_columns, self.names, self._report, ("survey", number), type_):
            if column == "choice_filter" and self._answer_choices(field):
                row[column, ""] = text
            elif column in _MERGED:
                row[column, ""] = " ".join(filter(None, (row.get((column, "")), text)))
            elif column.partition("::")[0] not in _SURVEY:
                row[column, ""] = text

    def _fill_nps(self, row: Cells, field: NpsField) -> None:
        row["parameters", ""] = "start=0 end=10 step=1"
        ends = [(value, label) for value, label in (("0", field.low_label), ("10", field.high_label)) if label]
        if not ends:
            row["appearance", ""] = "nps"
            return
        name = f"{field.name}_ends"
        while name in self.names or name in self._kept_lists:
            name += "_"
        row["parameters", ""] += f" tick_labelset={name}"
        for value, label in ends:
            option: Cells = {("list_name", ""): name, ("name", ""): value}
            self._fill_texts(option, "label", label)
            self.choices.append(option)

    def _format_default(self, field: AnyField, default: Any) -> str:
        if isinstance(default, bool):
            text = "true" if default else "false"
            return self._values.get(field.name, {}).get(text, text)
        if isinstance(field, LineField | AreaField):
            return to_xlsform_text(field, default)
        if isinstance(default, dict):
            return " ".join(str(default.get(part, 0)) for part in ("latitude", "longitude", "altitude", "accuracy"))
        names = self._values.get(field.name, {})
        values = default if isinstance(default, list) else [default]
        return " ".join(names.get(str(value), str(value)) for value in values)

    def _report_losses(self, field: AnyField, kind: str, number: int) -> None:
        if kind in _AS_TEXT and not self._file_name(field):
            self._report.add_change("survey", number, "type", "as_text", f"{field.name}: {_AS_TEXT[kind]}")
        if isinstance(field, FilesField) and field.max_files > 1:
            detail = f"{field.name} accepts {field.max_files} files. XLSForm supports one."
            self._report.add_change("survey", number, "type", "one_file", detail)
        if isinstance(field, IntegerField | DecimalField) and field.unit is not UNSET:
            self._report.add_drop("survey", number, None, "unit", f"XLSForm has no unit for {field.name}.")
        if field.indexed:
            self._report.add_drop(
                "survey", number, None, "indexed", f"{field.name} is indexed, which XLSForm does not support."
            )

    def _free_list_name(self, name: str) -> str:
        while name in self._kept_lists:
            name += "_"
        return name

    def _add_choice_lists(self, fields: Sequence[AnyField]) -> None:
        """Add the lists of options. Must come before the rows, because rules refer to renamed options."""
        for field in fields:
            match field:
                case SectionField(table=True):
                    self._add_table_list(field)
                case SectionField() | RepeatField():
                    self._add_choice_lists(field.fields)
                case ChoiceField() | ChoicesField() | RankingField():
                    self._add_choice_list(field.name, field.options, several=not isinstance(field, ChoiceField))
                case BooleanField(agreement=True):
                    self._values[field.name] = {"true": "OK"}
                case BooleanField() if BOOLEANS not in self._lists:
                    self._lists[BOOLEANS] = BOOLEANS
                    for value, label in (("true", "Yes"), ("false", "No")):
                        self.choices.append({("list_name", ""): BOOLEANS, ("name", ""): value, ("label", ""): label})

    def _add_table_list(self, section: SectionField) -> None:
        """Add the one list of a table, which XLSForm requires."""
        first, *others = section.fields
        self._add_choice_lists([first])
        for field in others:
            self._lists[field.name] = self._lists[first.name]
            if first.name in self._values:
                self._values[field.name] = self._values[first.name]

    def _add_choice_list(self, name: str, options: Sequence[Option], *, several: bool) -> None:
        list_name = self._lists[name] = self._free_list_name(name)
        has_points = any(option.points for option in options)
        taken = {option.value for option in options}
        for option in options:
            row: Cells = {
                ("list_name", ""): list_name,
                ("name", ""): self._choice_name(name, option.value, taken, several=several),
            }
            self._fill_texts(row, "label", option.label)
            write_media(row, option.media, self._report, ("choices", len(self.choices) + 2))
            row.update({(choice_column(column), ""): text for column, text in option.columns.items()})
            # An empty cell is not a number in XPath.
            row.update({(POINTS, ""): write_points(option.points)} if has_points else {})
            self.choices.append(row)

    def _choice_name(self, name: str, value: str, used_names: set[str], *, several: bool) -> str:
        """Return the name of the option. XLSForm separates several answers by spaces, so names cannot contain any."""
        plain = ("_" if several else " ").join(value.split()) or "_"
        if plain == value:
            return value
        while plain in used_names:
            plain += "_"
        used_names.add(plain)
        self._values.setdefault(name, {})[value] = plain
        detail = f"The option {value!r} of {name} is exported as {plain}, because XLSForm would lose its spaces."
        self._report.add_change("choices", len(self.choices) + 2, "name", "option_renamed", detail)
        return plain


def _metadata_type(field: AnyField) -> str | None:
    """Return the question type of metadata, such as `deviceid`, or None."""
    if metadata := field.metadata:
        return _METADATA[metadata]
    match field:
        case DateField(default_rule="today()", recalculate_on=[]):
            return "today"
        case DatetimeField(default_rule="now()", recalculate_on=[]):
            return "start"
        case DatetimeField(calculate="now()"):
            return "end"
    return None


_SURVEY = (
    "type", "name", "label", "hint", "guidance_hint", "required", "required_message", "read_only", "relevant",
    "constraint", "constraint_message", "calculation", "trigger", "choice_filter", "default", "appearance",
    "parameters", "repeat_count",
)  # fmt: skip
_MERGED = ("appearance", "parameters")
"""Columns whose cells are lists of words."""
_CHOICES = ("list_name", "name", "label")
_TRANSLATED = ("label", "hint", "guidance_hint", "constraint_message", "required_message", *COLUMNS)


def export_xlsform(
    name: str,
    definition: Definition,
    form_id: str | None = None,
    sources: Mapping[str, ChoiceSource] | None = None,
) -> tuple[bytes, list[Note]]:
    """Return the .xlsx file and the notes about what it does not contain.

    `form_id` is the id that the file states, and `sources` are the data sources of lookups by id. Without its data
    source, a lookup is exported as text.
    """
    report = Report()
    rows = SheetRows(definition, report, sources)
    rows.write(definition.fields)
    rows.attach(definition.settings.xlsform.files if definition.settings.xlsform else ())
    language = definition.settings.language
    settings = {
        "form_title": name,
        **_identity(name, definition, form_id),
        "default_language": language_heading(language),
    }
    if (title := definition.settings.title_field) in rows.names:
        settings["instance_name"] = f"${{{title}}}"
    if definition.settings.question_per_page:
        settings["style"] = "pages"
    if definition.settings.welcome:
        report.add_drop("settings", None, None, "welcome", "XLSForm does not support a welcome text.")
    if definition.settings.thanks:
        report.add_drop("settings", None, None, "thanks", "XLSForm does not support a thank-you message.")
    if definition.settings.continue_later:
        detail = "XLSForm has no setting that lets people continue later with a link."
        report.add_drop("settings", None, None, "continue_later", detail)
    if definition.settings.edit_after_submitting is not UNSET:
        detail = "XLSForm has no setting that lets senders change what they have submitted."
        report.add_drop("settings", None, None, "edit_after_submitting", detail)
    if definition.settings.score:
        report.add_drop("settings", None, None, "score", "XLSForm does not show the score after submitting.")
    if definition.settings.xlsform:
        kept = dict(list_kept(definition.settings.xlsform.settings, rows.names, report, ("settings", 2)))
        style = " ".join(filter(None, (settings.get("style"), kept.pop("style", None))))
        settings = kept | settings | ({"style": style} if style else {})
    tags = _languages(rows, language)
    sheets = {
        "survey": (_headings((*_SURVEY, *_kept_columns(rows)), tags), rows.survey),
        "choices": (_headings((*_CHOICES, *_own_columns(rows)), tags), rows.choices),
        "settings": (list(settings), [{(key, ""): value for key, value in settings.items()}]),
    }
    if definition.settings.xlsform and (entities := definition.settings.xlsform.entities):
        columns = list(dict.fromkeys(column for row in entities for column in row))
        sheets["entities"] = (columns, [{(column, ""): text for column, text in row.items()} for row in entities])
    rename_reserved(sheets, report)
    return write_workbook(sheets), report.notes


def _identity(name: str, definition: Definition, form_id: str | None) -> dict[str, str]:
    given = definition.settings.xlsform or XlsformSettings()
    identity = {"form_id": form_id or given.identifier or xform_ids.derive(name)}
    return identity | ({"version": given.version} if given.version else {})


def _languages(rows: SheetRows, default: str) -> list[str]:
    """Return the languages of the texts, the default first. Empty if no text has a language."""
    found = {tag for one in (*rows.survey, *rows.choices) for column, tag in one if column in _TRANSLATED and tag}
    return [default, *sorted(found - {default})] if found else []


def _kept_columns(rows: SheetRows) -> list[str]:
    """Return the columns that were kept from an imported workbook, in order of appearance."""
    return list(dict.fromkeys(column for row in rows.survey for column, _ in row if column not in _SURVEY))


def _own_columns(rows: SheetRows) -> list[str]:
    """Return the columns that filters of choices use, in order of appearance."""
    return list(dict.fromkeys(column for row in rows.choices for column, _ in row if column not in _CHOICES))


def _headings(columns: Sequence[str], tags: Sequence[str]) -> list[str]:
    headings = []
    for column in columns:
        headings += (
            [f"{column}::{language_heading(tag)}" for tag in tags] if column in _TRANSLATED and tags else [column]
        )
    return headings
