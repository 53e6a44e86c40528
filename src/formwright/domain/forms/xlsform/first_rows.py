"""Answers in the rows of a repeat that expressions read from outside of it, as if there were only one row.

Hidden fields beside the repeat calculate those in the first row.
"""

from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.row_columns import RowColumns
from formwright.domain.forms.xlsform.survey_sheet import PendingRule, Survey
from formwright.domain.forms.xlsform.syntax_tree import TEXTS, Binary, Call, Name, Node, Text, Untranslatable
from formwright.domain.forms.xlsform.types import VALUE_KINDS

_OF_ALL_ROWS = ("sum", "min", "max", "count", "count-non-empty", "concat")
"""Functions that read all rows if their only argument is an answer."""
_READ_BY_KIND = {
    "int": "int({})",
    "double": "double({})",
    "bool": "bool({})",
    "choices": "{}.join(' ')",
} | dict.fromkeys(TEXTS, "string({})")
_TYPES = {
    "int": "integer",
    "double": "decimal",
    "bool": "boolean",
    "date": "date",
    "time": "time",
    "datetime": "datetime",
}


class FirstRows:
    """Finds and adds the hidden fields."""

    def __init__(self, survey: Survey, columns: RowColumns, report: Report) -> None:
        self._survey, self._columns, self._report = survey, columns, report
        self._added: dict[tuple[str, str], str] = {}

    def read(self, node: Node, rule: PendingRule) -> Node:
        """Return the expression of a rule with the hidden fields instead of answers that it cannot see.

        Notes and groups have no answer, so they are empty.
        """
        match node:
            case Name(name) if self._type_of(name) in ("note", "section"):
                return Text("")
            case Name(name) if repeats := self._repeats_between(name, rule.name):
                return Name(self._first(name, repeats, rule))
            case Call(called, (Name(),)) if called in _OF_ALL_ROWS:
                return node
            case Call("join", (between, Name() as all_rows)):
                return Call("join", (self.read(between, rule), all_rows))
            case Call("indexed-repeat", (answer, repeat, *rest)):
                return Call("indexed-repeat", (answer, repeat, *(self.read(one, rule) for one in rest)))
            case Call(called, args):
                return Call(called, tuple(self.read(arg, rule) for arg in args))
            case Binary(op, left, right):
                return Binary(op, self.read(left, rule), self.read(right, rule))
        return node

    def _type_of(self, name: str) -> str:
        return str(self._columns.documents.get(name, {}).get("type", ""))

    def _repeats_between(self, name: str, me: str) -> tuple[str, ...]:
        """Return the repeats around an answer that do not contain the field `me`, from the outside in."""
        document = self._columns.documents.get(name)
        if document is None or document["type"] not in VALUE_KINDS or document["type"] == "repeat":
            return ()
        repeats, around = self._survey.repeats[name], self._survey.repeats[me]
        shared = next((place for place, (a, b) in enumerate(zip(repeats, around, strict=False)) if a != b), None)
        return repeats[min(len(repeats), len(around)) if shared is None else shared :]

    def _first(self, name: str, repeats: tuple[str, ...], rule: PendingRule) -> str:
        detail = (
            f"{rule.name} reads {name} in the rows of {repeats[0]}. Here, that is the answer in the first row; in ODK,"
            " it is an error if there are several rows."
        )
        for repeat in reversed(repeats):
            name = self._added.get((repeat, name)) or self._add(repeat, name)
        self._report.add_change(rule.sheet, rule.row, rule.column, "first_row", detail)
        return name

    def _add(self, repeat: str, name: str) -> str:
        """Add a hidden field with the answer in the first row of a repeat."""
        kind = VALUE_KINDS[self._columns.documents[name]["type"]]
        if kind not in _READ_BY_KIND:
            raise Untranslatable(f"{name} is in the rows of {repeat}, and cannot be read from outside")
        added = self._columns.add_field(repeat, f"{name}_first", _TYPES.get(kind, "text"), place=1)
        self._columns.documents[added]["calculate"] = _READ_BY_KIND[kind].format(f"{repeat}[1 - 1].{name}")
        self._added[repeat, name] = added
        return added
