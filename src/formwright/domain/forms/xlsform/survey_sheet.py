"""Reads the sheet `survey` into definitions of fields. Rules are translated later, when all fields are known."""

from collections.abc import Collection, Set
from dataclasses import dataclass, field, replace
from typing import Any

from formwright.core.errors import Invalid
from formwright.domain.forms.definition import MAX_FIELDS
from formwright.domain.forms.definition_validation import MAX_DEPTH, MAX_REPEAT_DEPTH
from formwright.domain.forms.xlsform.choice_files import ChoiceSources
from formwright.domain.forms.xlsform.choices_sheet import Options
from formwright.domain.forms.xlsform.equivalent_rows import EquivalentRows
from formwright.domain.forms.xlsform.field_mapping import (
    LOOK,
    NO,
    TABLE_LOOKS,
    FieldMapper,
    are_table_rows,
)
from formwright.domain.forms.xlsform.file_questions import find_file, find_file_error
from formwright.domain.forms.xlsform.kept_cells import keep
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.name_mapping import NameMapping
from formwright.domain.forms.xlsform.question_types import Question, parse_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.rule_cells import (
    RULE_COLUMNS,
    argument_of_once,
    idle_owner,
    is_constant,
    is_recalculated,
    is_rule,
    reads_last_response,
    rule_text,
)
from formwright.domain.forms.xlsform.sheets import Row
from formwright.domain.forms.xlsform.type_coercion import quote_cel
from formwright.domain.forms.xlsform.types import FIELD_TYPES, METADATA

Document = dict[str, Any]
_RULES_OF_COMPUTED = ("relevant", "calculation", "default", "trigger")
_COMPUTED = ("calculate", "hidden", "today", "start", "end", *METADATA)
_CLOCK_RULES = {"today": ("defaultRule", "today()"), "start": ("defaultRule", "now()"), "end": ("calculate", "now()")}
_UNKNOWN_HERE = ("phonenumber", "simserial", "subscriberid")
_NO_QUESTION = "The row has no type, name and label, so it is no question."
_WITH_CHOICES = ("select_one", "select_multiple", "rank")
_METADATA = "It is not collected. Submissions record when and by whom they were created."
_SECOND_AUDIT = "The form has the times of its questions already."


@dataclass(frozen=True, slots=True)
class PendingRule:
    """A rule in XPath, for a property of the field `name`."""

    name: str
    member: str
    xpath: str
    row: int
    column: str
    sheet: str = "survey"


@dataclass(slots=True)
class Survey:
    """The fields of a survey. `containers` has the names of the groups and repeats around each field, and `repeats`
    those of repeats only, from the outside in. `children` are the fields by the group around them, which is
    empty at the top, and the name that is written in the survey.

    `columns` are those of choices that filters use.
    """

    names: NameMapping
    fields: list[Document] = field(default_factory=list)
    pending: list[PendingRule] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    containers: dict[str, tuple[str, ...]] = field(default_factory=dict)
    repeats: dict[str, tuple[str, ...]] = field(default_factory=dict)
    children: dict[tuple[str, str], str] = field(default_factory=dict)
    untyped: set[str] = field(default_factory=set)
    notes: set[str] = field(default_factory=set)
    """Notes with a calculation, which are questions that nobody can answer."""
    chosen: dict[str, str] = field(default_factory=dict)
    """The fields with the names of choices, by the lookups that find their rows by other keys."""
    title: str = ""
    columns: set[str] = field(default_factory=set)
    sources: ChoiceSources = field(default_factory=dict)
    """The data sources of lookups, by the name of the field."""
    files: ChoiceSources = field(default_factory=dict)
    """All data sources that the form needs, by the name of the file."""
    lists: Options = field(default_factory=dict)
    """All lists of choices, with the columns of the choices."""

    def find_row_lookup(self, name: str) -> str:
        """Return the lookup of the row whose choice a field has the name of, or an empty text."""
        return next((lookup for lookup, chosen in self.chosen.items() if chosen == name), "")


@dataclass(slots=True)
class _OpenGroup:
    what: str
    document: Document
    row: int
    repeats: tuple[str, ...]


class SurveyReader:
    """Reads the rows of a survey in order."""

    def __init__(
        self,
        options: Options,
        languages: Languages,
        report: Report,
        sources: ChoiceSources | None = None,
        long_lists: Set[str] = frozenset(),
    ) -> None:
        self._long_lists = long_lists
        self._languages, self._report, self._options = languages, report, options
        self._sources = sources or {}
        self.survey = Survey(NameMapping(report), lists=options, files=self._sources)
        self._members = FieldMapper(options, languages, report, self._sources)
        self._open_groups: list[_OpenGroup] = []
        self._skipped: list[tuple[str, int]] = []
        self._has_audit = False
        self._names: Collection[str] = ()
        self._last_lookup = ""

    def read(self, given: EquivalentRows) -> Survey:
        """Read all rows. Raises `Invalid` if groups are not closed in the right order."""
        self._names = given.lookups
        for row in given.rows:
            self._read_row(row)
        if left := [*self._skipped[:1], *((one.what, one.row) for one in self._open_groups)]:
            what, number = left[-1]
            raise Invalid.at(f"/survey/{number}/type", "xlsform.not_closed", f"The {what} opened here is never closed.")
        self._report_looks(self.survey.fields)
        if len(self.survey.rows) > MAX_FIELDS:
            detail = f"A form can have at most {MAX_FIELDS} fields. This one has {len(self.survey.rows)}."
            raise Invalid.at("/survey", "xlsform.too_many_fields", detail)
        return self.survey

    def _parse_type(self, row: Row) -> Question:
        """Return the type of a question. One with a long list looks up its choices as if they were in a file."""
        question = parse_type(row.value("type"))
        if question.choices in self._long_lists:
            return replace(question, type=f"{question.type}_from_file", file=question.choices, choices="")
        return find_file(question, row, self._sources, self._report) if question.file else question

    def _read_row(self, row: Row) -> None:
        question = self._parse_type(row)
        # First, because rows of a group that was left out only matter for finding its end.
        if self._skipped:
            self._skip(row, question)
        elif row.value("disabled").lower() in ("yes", "true"):
            self._leave_out(row, "disabled", "The row is disabled.")
        elif question.closes:
            self._close_group(row, question)
        elif question.type == "loop":
            self._leave_out(row, "left_out", "The loop is over no list of choices, or has too many rows.")
            self._skipped.append(("loop", row.number))
        elif question.opens:
            self._open_group(row, question)
        elif question.type == "title":
            self.survey.title = self.survey.title or row.value("name")
        else:
            self._read_question(row, question)

    def _skip(self, row: Row, question: Question) -> None:
        if question.opens:
            self._skipped.append((question.type, row.number))
        elif question.closes:
            self._skipped.pop()
        else:
            self._leave_out(row, "left_out", "It is inside a group that was left out.")

    def _read_question(self, row: Row, question: Question) -> None:
        written = row.value("type")
        if not written and not row.value("name") and not row.texts("label"):
            self._report.add_drop("survey", row.number, "type", "no_effect", _NO_QUESTION)
        elif not written:
            self._report.add_refusal(
                "survey", row.number, "type", "type_missing", "The row has no type; it was left out."
            )
        elif question.type in ("csv-external", "xml-external"):
            detail = f"{row.value('name')} attaches a file, which has no effect by itself. Exports write the row again."
            self._report.add_change("survey", row.number, "type", "kept", detail)
        elif question.type == "metadata":
            self._leave_out(row, "metadata", _METADATA)
        elif question.type == "audit" and self._has_audit:
            self._leave_out(row, "metadata", _SECOND_AUDIT)
        elif question.type == "left":
            self._leave_out(row, "left_out", question.reason)
        elif question.type == "unknown":
            self.survey.names.leave_out(row.value("name"), row.number)
            detail = f"The type {written[:60]} does not exist, so {row.value('name') or 'the row'} was left out."
            self._report.add_refusal("survey", row.number, "type", "type_unknown", detail)
        elif question.file and (reason := find_file_error(question, row, self._sources)):
            self._leave_out(row, "left_out", reason)
        elif question.type in _WITH_CHOICES and not self._options.get(question.choices):
            self.survey.names.leave_out(row.value("name"), row.number)
            listed = f"The sheet choices has no list {question.choices}" if question.choices else "It names no list"
            detail = f"{listed}, so {row.value('name')} was left out."
            self._report.add_refusal("survey", row.number, "type", "list_unknown", detail)
        elif question.type == "calculate" and not row.value("calculation"):
            self._leave_out(row, "calculation_missing", "It has no calculation.")
        else:
            self._add_field(row, question)

    def _leave_out(self, row: Row, code: str, reason: str) -> None:
        name = row.value("name")
        self.survey.names.leave_out(name, row.number)
        self._report.add_drop("survey", row.number, "type", code, f"{name or row.value('type')} was left out. {reason}")

    def _add_field(self, row: Row, question: Question) -> None:
        document = self._new_document(row, question)
        self._has_audit = self._has_audit or question.type == "audit"
        self._members.fill(document, row, question)
        if question.type == "select_from_answers":
            kept = document.setdefault("xlsformColumns", {})
            keep(kept, "type", " ".join(row.value("type").split()))
            keep(kept, "choice_filter", row.value("choice_filter"))
        if question.type in _COMPUTED:
            document["hidden"] = True
            document.pop("required", None)
            self._report_idle(row, "calculation", "constraint", "required")
        if question.type in _CLOCK_RULES:
            member, rule = _CLOCK_RULES[question.type]
            document[member] = rule
        if question.type in METADATA:
            document["metadata"] = METADATA[question.type]
        if question.type in _UNKNOWN_HERE:
            detail = f"Browsers do not reveal this, so {document['name']} stays empty."
            self._report.add_change("survey", row.number, "type", "metadata_unknown", detail)
        if row.value("name") in self._names:
            self._last_lookup = document["name"]
        elif self._last_lookup:
            self.survey.chosen[self._last_lookup], self._last_lookup = document["name"], ""
        if question.file:
            self.survey.sources = {**self.survey.sources, document["name"]: self._sources[question.file]}
        self._append(document, row, computed=question.type in _COMPUTED, of_the_form=self._is_of_the_form(question))
        if document.get("required") and is_recalculated(row):
            # `required` is about answers that people give.
            document |= {"required": False, "requiredIf": "true"}
        if question.type == "note" and is_recalculated(row):
            document["type"] = "text"
            self.survey.notes.add(document["name"])
            self.survey.untyped.add(document["name"])
        if question.type in ("calculate", "hidden") and row.value("calculation"):
            self.survey.untyped.add(document["name"])
            if is_recalculated(row):
                document.pop("default", None)  # The calculation replaces it at once.
        elif is_constant(row, question):
            self._add_hidden_field(document, row)

    def _is_of_the_form(self, question: Question) -> bool:
        """Whether there is one answer for each submission, wherever the question is."""
        in_repeat = bool(self._open_groups and self._open_groups[-1].repeats)
        return question.type == "audit" or (question.type == "start-geopoint" and in_repeat)

    def _add_hidden_field(self, document: Document, row: Row) -> None:
        """Convert the default of a hidden question to a calculation."""
        document["calculate"] = quote_cel(document.pop("default"))
        detail = f"{document['name']} is hidden, so its default became a calculation."
        self._report.add_change("survey", row.number, "type", "hidden", detail)

    def _new_document(self, row: Row, question: Question) -> Document:
        usual = "audit" if question.type == "audit" else f"{question.type}_{row.number}"
        name = self.survey.names.add(row.value("name") or usual, row.number)
        label = self._languages.label(row, "label")
        if label is None:
            label = self._languages.label(row, "hint") or name
            if question.type not in _COMPUTED:
                detail = f"{name} has no label, so its hint or its name is displayed."
                self._report.add_change("survey", row.number, "label", "label_missing", detail)
        return {"type": FIELD_TYPES[question.type], "name": name, "label": label}

    def _report_idle(self, row: Row, what: str, *columns: str) -> None:
        """Report rules that XLSForm clients never apply, because nobody is asked."""
        for column in columns:
            if row.value(column) and row.value(column).lower() not in NO:
                detail = f"The {column} of a {what} has no effect in XLSForm, so it was left out."
                self._report.add_drop("survey", row.number, column, "no_effect", detail)

    def _append(
        self,
        document: Document,
        row: Row,
        *,
        computed: bool = False,
        of_the_form: bool = False,
    ) -> None:
        """Add a field to the innermost group, or `of_the_form` to none."""
        groups = [] if of_the_form else self._open_groups
        name, around = document["name"], groups[-1] if groups else None
        (around.document["fields"] if around else self.survey.fields).append(document)
        self.survey.rows[name] = row.number
        self.survey.containers[name] = tuple(one.document["name"] for one in groups)
        self.survey.repeats[name] = around.repeats if around else ()
        self.survey.children.setdefault((around.document["name"] if around else "", row.value("name")), name)
        for column, member in RULE_COLUMNS:
            xpath = rule_text(row, column)
            if not xpath or (computed and column not in _RULES_OF_COMPUTED) or not is_rule(document, column, xpath):
                continue
            if column == "default" and is_recalculated(row):
                continue  # The calculation replaces it at once.
            if what := idle_owner(document, row, column):
                self._report_idle(row, what, column)
                continue
            if column == "calculation" and (
                row.value("trigger") or argument_of_once(xpath) or reads_last_response(xpath)
            ):
                member = "defaultRule"
            self.survey.pending.append(PendingRule(name, member, xpath, row.number, column))

    def _open_group(self, row: Row, question: Question) -> None:
        document = self._new_document(row, question)
        around = self._open_groups[-1].repeats if self._open_groups else ()
        if document["type"] == "repeat" and len(around) == MAX_REPEAT_DEPTH:
            document["type"] = "section"
            place = f"{document['name']} became a section in {around[-1]}"
            detail = f"Repeats go at most {MAX_REPEAT_DEPTH} levels deep. {place}."
            self._report.add_change("survey", row.number, "type", "repeat_in_repeat", detail)
        # The fields in the innermost group are one level deeper than it.
        if len(self._open_groups) + 1 >= MAX_DEPTH:
            detail = f"Groups can be nested at most {MAX_DEPTH - 1} levels deep."
            raise Invalid.at(f"/survey/{row.number}/type", "xlsform.too_deep", detail)
        self._members.fill_group(document, row)
        self._append(document, row)
        document["fields"] = []
        repeats = (*around, document["name"]) if document["type"] == "repeat" else around
        self._open_groups.append(_OpenGroup(question.type, document, row.number, repeats))

    def _close_group(self, row: Row, question: Question) -> None:
        if not self._open_groups or self._open_groups[-1].what != question.type:
            detail = f"This closes a {question.type} that was not opened."
            raise Invalid.at(f"/survey/{row.number}/type", "xlsform.not_open", detail)
        closed = self._open_groups.pop()
        self._read_table(closed)
        if not closed.document["fields"]:
            self._drop_empty_group(closed)

    def _read_table(self, closed: _OpenGroup) -> None:
        """Make a table of choices with the same list, if their appearances or that of the group want it."""
        document, fields = closed.document, closed.document["fields"]
        heads = [one for one in fields if one.get(LOOK) == TABLE_LOOKS[0]]
        rows = [one for one in fields if one not in heads]
        has_head = len(heads) == 1 and all(one.get(LOOK) == TABLE_LOOKS[1] for one in rows)
        wanted = document["type"] == "section" and (document.pop("table", False) or (has_head and rows))
        if wanted and are_table_rows(rows if has_head else fields):
            document["table"] = True
            for head in heads if has_head else ():
                self._remove_head(head, fields)
            for one in fields:
                one.pop(LOOK, None)
        elif wanted and not has_head:
            detail = f"{document['name']} is no table, because its questions do not have the same choices."
            self._report.add_drop("survey", closed.row, "appearance", "column_dropped", detail)

    def _remove_head(self, head: Document, fields: list[Document]) -> None:
        name = head["name"]
        fields.remove(head)
        row = self.survey.rows.pop(name)
        self.survey.pending = [one for one in self.survey.pending if one.name != name]
        detail = f"{name} only labels the columns of a table, which have labels of their own."
        self._report.add_drop("survey", row, "appearance", "no_effect", detail)

    def _report_looks(self, fields: list[Document]) -> None:
        """Report the appearances that belong to no table."""
        for one in fields:
            self._report_looks(one.get("fields", []))
            if look := one.pop(LOOK, None):
                kept = one.setdefault("xlsformColumns", {})
                kept["appearance"] = " ".join(filter(None, (look, kept.get("appearance"))))
                detail = f"The appearance {look!r} has no effect here. Exports write it again."
                self._report.add_change("survey", self.survey.rows[one["name"]], "appearance", "kept", detail)

    def _drop_empty_group(self, closed: _OpenGroup) -> None:
        around = self._open_groups[-1].document["fields"] if self._open_groups else self.survey.fields
        around.remove(closed.document)
        name = closed.document["name"]
        del self.survey.rows[name]
        self.survey.pending = [one for one in self.survey.pending if one.name != name]
        self._report.add_drop(
            "survey", closed.row, "type", "group_empty", f"The {closed.what} {name} is empty and was left out."
        )
