"""The sheet `survey`, row by row, as the documents of fields; rules wait until all fields are known."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from formwright.core.errors import Invalid
from formwright.domain.forms.definition import MAX_FIELDS
from formwright.domain.forms.definition_validation import MAX_DEPTH
from formwright.domain.forms.xlsform.choices_sheet import Options
from formwright.domain.forms.xlsform.field_mapping import Members, is_computed
from formwright.domain.forms.xlsform.languages import Languages
from formwright.domain.forms.xlsform.name_mapping import Names
from formwright.domain.forms.xlsform.question_types import CARRIED, Question, read_type
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.sheets import Row
from formwright.domain.forms.xlsform.type_coercion import quoted

Document = dict[str, Any]
_METADATA = "Nothing is collected about a device; a submission itself tells when and by whom it was made."


@dataclass(frozen=True, slots=True)
class Pending:
    """A rule still in XPath, for the member of a field's document."""

    name: str
    member: str
    xpath: str
    row: int
    column: str


@dataclass(slots=True)
class Survey:
    """The fields read so far. `within` gives for each field's name the repeat that it is in, if any."""

    names: Names
    fields: list[Document] = field(default_factory=list)
    pending: list[Pending] = field(default_factory=list)
    rows: dict[str, int] = field(default_factory=dict)
    within: dict[str, str | None] = field(default_factory=dict)
    untyped: set[str] = field(default_factory=set)
    title: str = ""


@dataclass(slots=True)
class _Open:
    what: str
    document: Document
    row: int
    repeat: str | None


class SurveyReader:
    """Takes the rows one after another."""

    def __init__(self, options: Options, languages: Languages, report: Report) -> None:
        self._languages, self._report, self._options = languages, report, options
        self.survey = Survey(Names(report))
        self._members = Members(options, languages, report)
        self._open: list[_Open] = []
        self._skipped: list[tuple[str, int]] = []

    def read(self, rows: list[Row]) -> Survey:
        """All rows; `Invalid` where groups do not close as they open."""
        for row in rows:
            self._row(row)
        if left := [*self._skipped[:1], *((one.what, one.row) for one in self._open)]:
            what, number = left[-1]
            raise Invalid.at(f"/survey/{number}/type", "xlsform.not_closed", f"The {what} opened here is never closed.")
        if len(self.survey.rows) > MAX_FIELDS:
            detail = f"A form has at most {MAX_FIELDS} fields; this one has {len(self.survey.rows)}."
            raise Invalid.at("/survey", "xlsform.too_many_fields", detail)
        return self.survey

    def _row(self, row: Row) -> None:
        question = read_type(row.value("type"))
        if self._skipped:
            self._skip(row, question)
        elif row.value("disabled").lower() in ("yes", "true"):
            self._leave(row, "disabled", "The row is disabled.")
        elif question.closes:
            self._close(row, question)
        elif question.what == "loop":
            self._leave(row, "left_out", "A loop over choices has no counterpart here; nor has what is in it.")
            self._skipped.append(("loop", row.number))
        elif question.opens:
            self._begin(row, question)
        elif question.what == "title":
            self.survey.title = self.survey.title or row.value("name")
        else:
            self._question(row, question)

    def _skip(self, row: Row, question: Question) -> None:
        if question.opens:
            self._skipped.append((question.what, row.number))
        elif question.closes:
            self._skipped.pop()
        else:
            self._leave(row, "left_out", "It is inside something that was left out.")

    def _question(self, row: Row, question: Question) -> None:
        written = row.value("type")
        if not written:
            self._report.refused("survey", row.number, "type", "type_missing", "The row has no type; it was left out.")
        elif question.what == "metadata":
            self._leave(row, "metadata", _METADATA)
        elif question.what == "left":
            self._leave(row, "left_out", question.reason)
        elif question.what == "unknown":
            self.survey.names.leave_out(row.value("name"), row.number)
            detail = f"There is no type {written[:60]}; {row.value('name') or 'the row'} was left out."
            self._report.refused("survey", row.number, "type", "type_unknown", detail)
        elif question.choices and not self._options.get(question.choices):
            self.survey.names.leave_out(row.value("name"), row.number)
            detail = f"There is no list {question.choices} on the sheet choices; {row.value('name')} was left out."
            self._report.refused("survey", row.number, "type", "list_unknown", detail)
        elif question.what in ("calculate", "hidden") and not (row.value("calculation") or _constant(row, question)):
            self._leave(row, "calculation_missing", "It is not asked, and nothing says how it comes to an answer.")
        else:
            self._carry(row, question)

    def _leave(self, row: Row, code: str, reason: str) -> None:
        name = row.value("name")
        self.survey.names.leave_out(name, row.number)
        self._report.dropped("survey", row.number, "type", code, f"{name or row.value('type')} was left out. {reason}")

    def _carry(self, row: Row, question: Question) -> None:
        document = self._document(row, question)
        self._members.fill(document, row, question)
        self._place(document, row)
        if question.what in ("calculate", "hidden") and row.value("calculation"):
            self.survey.untyped.add(document["name"])
        elif question.what == "hidden":
            self._hide(document, row)
        if question.or_other:
            self._other(document, row)

    def _hide(self, document: Document, row: Row) -> None:
        """A hidden question only has its default, so it is calculated as that."""
        document["calculate"] = quoted(document.pop("default"))
        detail = f"{document['name']} is hidden; it is calculated as its default."
        self._report.changed("survey", row.number, "type", "hidden", detail)

    def _other(self, document: Document, row: Row) -> None:
        name = self.survey.names.give(f"{row.value('name')}_other", row.number)
        label = "Specify other."
        other = {"type": "text", "name": name, "label": label}
        rule = f"selected(${{{row.value('name')}}}, 'other')"
        self._place(other, row, rules={"relevant": rule})
        detail = f"or_other: the choice “Other” and the text field {name}, shown with it, were added."
        self._report.changed("survey", row.number, "type", "or_other", detail)

    def _document(self, row: Row, question: Question) -> Document:
        name = self.survey.names.give(row.value("name") or f"{question.what}_{row.number}", row.number)
        label = self._languages.label(row, "label")
        if label is None:
            label = self._languages.label(row, "hint") or name
            if question.what not in ("calculate", "hidden"):
                detail = f"{name} has no label; it was labelled with its hint or its name."
                self._report.changed("survey", row.number, "label", "label_missing", detail)
        return {"type": CARRIED[question.what], "name": name, "label": label}

    def _place(self, document: Document, row: Row, rules: Mapping[str, str] | None = None) -> None:
        name, around = document["name"], self._open[-1] if self._open else None
        (around.document["fields"] if around else self.survey.fields).append(document)
        self.survey.rows[name] = row.number
        self.survey.within[name] = around.repeat if around else None
        named = (("relevant", "visibleIf"), ("constraint", "validIf"), ("calculation", "calculate"))
        for column, member in named:
            if xpath := (row.value(column) if rules is None else rules.get(column, "")):
                self.survey.pending.append(Pending(name, member, xpath, row.number, column))

    def _begin(self, row: Row, question: Question) -> None:
        document = self._document(row, question)
        around = self._open[-1].repeat if self._open else None
        if document["type"] == "repeat" and around:
            document["type"] = "section"
            detail = f"A repeat cannot hold another: {document['name']} is asked once for each row of {around}."
            self._report.changed("survey", row.number, "type", "repeat_in_repeat", detail)
        if len(self._open) + 1 >= MAX_DEPTH:
            detail = f"Groups go at most {MAX_DEPTH - 1} levels deep."
            raise Invalid.at(f"/survey/{row.number}/type", "xlsform.too_deep", detail)
        self._members.fill_group(document, row)
        self._place(document, row)
        document["fields"] = []
        repeat = document["name"] if document["type"] == "repeat" else around
        self._open.append(_Open(question.what, document, row.number, repeat))

    def _close(self, row: Row, question: Question) -> None:
        if not self._open or self._open[-1].what != question.what:
            detail = f"This closes a {question.what} that is not open."
            raise Invalid.at(f"/survey/{row.number}/type", "xlsform.not_open", detail)
        closed = self._open.pop()
        if not closed.document["fields"]:
            self._empty(closed)

    def _empty(self, closed: _Open) -> None:
        around = self._open[-1].document["fields"] if self._open else self.survey.fields
        around.remove(closed.document)
        name = closed.document["name"]
        del self.survey.rows[name]
        self.survey.pending = [one for one in self.survey.pending if one.name != name]
        self._report.dropped("survey", closed.row, "type", "group_empty", f"The {closed.what} {name} holds no field.")


def _constant(row: Row, question: Question) -> bool:
    return question.what == "hidden" and bool(row.value("default")) and not is_computed(row.value("default"))
