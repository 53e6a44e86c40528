"""Replaces what an expression looks up by fields, tables and columns that the form has here."""

from formwright.domain.forms.xlsform.calculations import RESULT_TYPES
from formwright.domain.forms.xlsform.choice_labels import ChoiceLabels
from formwright.domain.forms.xlsform.choice_values import as_number, equal_options
from formwright.domain.forms.xlsform.instance_name import COLUMN as TITLE_COLUMN
from formwright.domain.forms.xlsform.point_columns import find_points
from formwright.domain.forms.xlsform.row_columns import RowColumns
from formwright.domain.forms.xlsform.rule_scopes import RuleScopes
from formwright.domain.forms.xlsform.survey_sheet import Survey
from formwright.domain.forms.xlsform.syntax_tree import (
    LAST_SAVED_PREFIX,
    TEXTS,
    Binary,
    Call,
    Name,
    Node,
    Number,
    Text,
    Untranslatable,
)
from formwright.domain.forms.xlsform.tree_tests import ARITHMETIC, is_numeric, replace_calls, replace_parts
from formwright.domain.forms.xlsform.types import METADATA
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_POINTS
from formwright.domain.forms.xlsform.xpath_parser import ROW_COLUMN, names_in_xpath

_PROPERTIES = {
    name: METADATA[name] for name in ("deviceid", "username", "email", "phonenumber", "simserial", "subscriberid")
} | {"userfullname": METADATA["username"]}
"""What the page fills in, by the names in `property()`, and in `pulldata("@property", …)` of ArcGIS Survey123."""
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class CallResolver:
    """Replaces parts of expressions, and adds the hidden fields that they become."""

    def __init__(self, survey: Survey, scopes: RuleScopes, columns: RowColumns, labels: ChoiceLabels) -> None:
        self._survey, self._scopes, self._columns, self._labels = survey, scopes, columns, labels

    def resolve(self, node: Node, me: str) -> Node:
        """Return the tree with the labels, columns and repeats that the XPath looks up."""
        match found := find_points(node, self._columns.documents, self._survey.lists):
            case Call(called, _) if called == CHOICE_POINTS:
                return found
            case Call("jr:choice-name", (value, of)):
                return self._label_of(self.resolve(value, me), of, me)
            case Call("jr:itext", (Call(called, (*row, Text("itextId"))),)) if called == ROW_COLUMN:
                return self.resolve(Call(called, (*row, Text("label"))), me)
            case Call(called, (Text(of), Text(key), value, Text(column))) if called == ROW_COLUMN:
                return self._columns.read(me, of, key, self.resolve(value, me), column)
            case Call("position", (Number(levels),)):
                repeat = self._scopes.repeat_above(me, int(levels))
                return Call("position", (Text(repeat),)) if repeat else Number("1")
            case Call("property", (Text(of),)) | Call("pulldata", (Text("@property"), Text(of))):
                return Name(self._property(of, me))
            case Call("indexed-repeat", (answer, repeat, index)):
                return Call(
                    "indexed-repeat", (answer, repeat, replace_parts(self.resolve(index, me), self._row_number))
                )
            case Call(called, args):
                return Call(called, tuple(self.resolve(arg, me) for arg in args))
            case Binary("==" | "!=" as op, left, right) if equal := equal_options(
                self._columns.documents, op, left, right
            ):
                return equal
            case Binary(op, left, right):
                sides = [self.resolve(side, me) for side in (left, right)]
                if op in ARITHMETIC or (op in _COMPARISONS and any(map(is_numeric, sides))):
                    sides = [as_number(self._columns.documents, side) for side in sides]
                return Binary(op, *sides)
        return node

    def resolve_key(self, tree: Node, me: str) -> Node:
        """Return a column of a row with what the XPath of its key looks up, and other expressions as they are."""
        match tree:
            case Call(called, (of, key, value, column)) if called == ROW_COLUMN:
                return Call(called, (of, key, self.resolve(value, me), column))
        return tree

    def _row_number(self, node: Node) -> Node | None:
        """Return `position()` instead of a field that calculates it in each row. None for others."""
        match node:
            case Name(name) if (repeats := self._survey.repeats.get(name)) and (
                self._columns.documents.get(name, {}).get("calculate") == f"position({repeats[-1]})"
            ):
                return Call("position", (Text(repeats[-1]),))
        return None

    def _property(self, written: str, me: str) -> str:
        """Return the hidden field with what the page knows about the person or the device, which may be added."""
        metadata = _PROPERTIES.get(written.removeprefix("uri:").lower())
        if metadata is None:
            raise Untranslatable(f"the property {written} is not known here")
        for other, document in self._columns.documents.items():
            if document.get("metadata") == metadata and not self._survey.repeats[other]:
                return other
        added = self._columns.add_field(self._outermost(me), metadata, "text", place=0)
        self._columns.documents[added]["metadata"] = metadata
        return added

    def _outermost(self, name: str) -> str:
        """Return the repeat around a field that is in no other one, or the field itself."""
        return next(iter(self._survey.repeats[name]), name)

    def keep_last_answers(self, node: Node) -> Node:
        """Return the tree with hidden fields instead of answers of the last response, for rules other than defaults."""
        match node:
            case Name(name) if name.startswith(LAST_SAVED_PREFIX):
                return Name(self._last_answer(name))
            case Call(called, args):
                return Call(called, tuple(map(self.keep_last_answers, args)))
            case Binary(op, left, right):
                return Binary(op, self.keep_last_answers(left), self.keep_last_answers(right))
        return node

    def _last_answer(self, rule: str) -> str:
        """Return the hidden field with an answer of the last response, which is added if there is none."""
        kind, name = self._scopes.last_kinds().get(rule), rule.removeprefix(LAST_SAVED_PREFIX)
        if kind not in (*TEXTS, *RESULT_TYPES):
            raise Untranslatable(f"the last answer to {name} cannot be read here")
        for other, document in self._columns.documents.items():
            if document.get("defaultRule") == rule and document.get("hidden"):
                return other
        added = self._columns.add_field(name, f"last_{name}", RESULT_TYPES.get(kind, "text"), place=0)
        self._columns.documents[added]["defaultRule"] = rule
        return added

    def add_unique_id(self, tree: Node) -> Node:
        """Return the title with a hidden field instead of `uuid()`, because it must stay the same."""
        added = self._columns.add_field(TITLE_COLUMN, "unique_id", "text", place=0)
        self._columns.documents[added]["defaultRule"] = "uuid()"
        return replace_calls(tree, "uuid", lambda _: Name(added))

    def _label_of(self, value: Node, of: Node, me: str) -> Node:
        """Return the label of a choice: from the row of a lookup, or from a table. `of` names the question."""
        written = names_in_xpath(of.value) if isinstance(of, Text) else []
        name = of.name if isinstance(of, Name) else self._survey.names.resolve(written[0]) if written else ""
        if value == Name(name) and (row := self._survey.find_row_lookup(name)):
            name, value = row, Name(row)
        document = self._columns.documents.get(name, {})
        if value == Name(name) and (source := self._survey.sources.get(name)) and document.get("display"):
            return self._columns.read(me, source.name, source.key_column, value, document["display"][0])
        return self._labels.look_up(value, name, document, me)
