"""Points of options: the column `points` of the choices, and the expressions that add them up.

`points(field)` is `sum(instance('list')/root/item[name = ${field}]/points)`, and `selected(${field}, name)` in it for a
multiple choice. XPath adds up no points for a missing answer, as CEL does.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import AnswerKind, AnyField, RepeatField, SectionField, walk_fields
from formwright.domain.forms.fields.options import SCALE, to_hundredths
from formwright.domain.forms.xlsform.cel_to_xpath import XPATH, RenamedOptions
from formwright.domain.forms.xlsform.choices_sheet import POINTS
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, ListLiteral, Name, Node, Text, Untranslatable
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_POINTS
from formwright.domain.forms.xlsform.xpath_literals import quote_xpath
from formwright.domain.forms.xlsform.xpath_parser import CHOSEN_COLUMN, ROW_COLUMN


def write_points(points: float) -> str:
    """Write points for a cell or an expression, without an exponent."""
    return _write(to_hundredths(points))


def _write(hundredths: int) -> str:
    return f"{(Decimal(hundredths) / SCALE).normalize():f}"


class PointExpressions:
    """Writes the XPath of points and of their totals. `lists` are the names of the lists by field, `values` the new
    values of renamed options.
    """

    def __init__(self, fields: Sequence[AnyField], lists: Mapping[str, str], values: RenamedOptions) -> None:
        self._lists, self._values = lists, values
        self._fields = {field.name: field for field in walk_fields(fields)}
        self._conditional = set(_conditional_names(fields, is_conditional=False))
        self._in_rows = {
            inner.name
            for field in self._fields.values()
            if isinstance(field, RepeatField)
            for inner in walk_fields([field])
        }

    def resolve(self, node: Node) -> Node:
        """Return a tree of CEL with the XPath of the points that it reads. Raises `Untranslatable`."""
        match node:
            case Call("points", (Name(name),)):
                return Call(XPATH, (Text(self._points(name)),))
            case Call("score", ()):
                return Call(XPATH, (Text(" + ".join(self._scored_points()) or "0"),))
            case Call("maxScore", ()):
                return Call(XPATH, (Text(self._most()),))
            case Call(name, args):
                return Call(name, tuple(map(self.resolve, args)))
            case ListLiteral(values):
                return ListLiteral(tuple(map(self.resolve, values)))
            case Binary(op, left, right):
                return Binary(op, self.resolve(left), self.resolve(right))
        return node

    def _points(self, name: str) -> str:
        field = self._fields.get(name)
        if field is None or not field.option_points:
            return "0"
        if field.hidden:  # A calculation has no choices in XLSForm.
            chosen = (
                f"if({self._is_chosen(name, value)}, {_write(one)}, 0)" for value, one in field.option_points.items()
            )
            return f"({' + '.join(chosen)})"
        first = self._fields[next(one for one, of in self._lists.items() if of == self._lists[name])]
        if first.option_points != field.option_points:
            raise Untranslatable(f"{name} shares its choices with {first.name}, which have other points")
        row = f"name = ${{{name}}}" if field.answer_kind is AnswerKind.CHOICE else f"selected(${{{name}}}, name)"
        return f"sum(instance('{self._lists[name]}')/root/item[{row}]/{POINTS})"

    def _is_chosen(self, name: str, value: str) -> str:
        return f"selected(${{{name}}}, {quote_xpath(self._values.get(name, {}).get(value, value))})"

    def _scored_points(self) -> list[str]:
        return [self._points(name) for name in self._scored(self._in_rows, "the score adds up rows of repeats")]

    def _most(self) -> str:
        reason = "the most that can be reached depends on the questions that are shown"
        names = self._scored(self._in_rows | self._conditional, reason)
        return _write(sum(self._fields[name].max_score for name in names))

    def _scored(self, unsupported: set[str], reason: str) -> list[str]:
        names = [name for name, field in self._fields.items() if field.option_points]
        if unsupported & set(names):
            raise Untranslatable(reason)
        return names


def _conditional_names(fields: Sequence[AnyField], *, is_conditional: bool) -> Iterator[str]:
    """Yield the names of fields that are not always shown."""
    for field in fields:
        here = is_conditional or field.visible_if is not UNSET
        if here:
            yield field.name
        if isinstance(field, SectionField | RepeatField):
            yield from _conditional_names(field.fields, is_conditional=here)


def find_points(node: Node, documents: Mapping[str, Mapping[str, Any]], lists: Mapping[str, Any]) -> Node:
    """Return the points of a field if the node adds up those of its choices, and other nodes as they are."""
    match node:
        case Call("sum", (Call(called, (Text(of), Text("name"), Name(name), Text(column))),)) if called == ROW_COLUMN:
            kinds = {"choice"}
        case Call("sum", (Call(called, (Text(of), Name(name), Text(column))),)) if called == CHOSEN_COLUMN:
            kinds = {"choice", "choices"}
        case _:
            return node
    document = documents.get(name, {})
    options = [_points_of(option) for option in document.get("options", ())]
    is_known = document.get("type") in kinds and column == POINTS and options == [*map(_points_of, lists.get(of, ()))]
    return Call(CHOICE_POINTS, (Name(name),)) if is_known and any(points for _, points in options) else node


def _points_of(option: Mapping[str, Any]) -> tuple[str, float]:
    return option["value"], option.get("points", 0.0)


_SUM = re.compile(r"points\((\w+)\)(?: \+ points\((\w+)\))+", re.ASCII)


def shorten(rule: str, documents: Mapping[str, Mapping[str, Any]], repeats: Mapping[str, Sequence[str]]) -> str:
    """Return `score()` for the sum of all points of the form, and other rules as they are."""
    if not _SUM.fullmatch(rule):
        return rule
    names = re.findall(r"points\((\w+)\)", rule)
    scored = [
        name
        for name, document in documents.items()
        if any(option.get("points") for option in document.get("options", ()))
    ]
    return "score()" if sorted(names) == sorted(scored) and not any(repeats[name] for name in names) else rule
