"""Translates the rules of a definition to XPath. Rules that cannot be translated are reported."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.fields import AnyField, RepeatField, SectionField, walk_fields
from formwright.domain.forms.rules.last_saved import find_keepable
from formwright.domain.forms.xlsform.answer_choices import answer_rule, parse_answer_choices
from formwright.domain.forms.xlsform.cel_to_xpath import RenamedOptions, XPathTranslator
from formwright.domain.forms.xlsform.cel_tree import parse_cel
from formwright.domain.forms.xlsform.field_mapping import is_expression
from formwright.domain.forms.xlsform.point_columns import PointExpressions
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.rule_tables import RuleTables
from formwright.domain.forms.xlsform.syntax_tree import AND, LAST_SAVED_PREFIX, TOO_LONG, Untranslatable
from formwright.domain.forms.xlsform.types import COUNT, limit_conditions, type_of
from formwright.domain.forms.xlsform.xpath_literals import quote_xpath, to_full_match
from formwright.domain.forms.xlsform.xpath_rows import RowPaths

_PROPERTIES = {
    "relevant": "visibleIf",
    "required": "requiredIf",
    "read_only": "readOnlyIf",
    "constraint": "validIf",
    "calculation": "calculate",
    "default": "defaultRule",
    "choice_filter": "optionFilter",
    "repeat_count": "countRule",
}


class RuleExporter:
    """Translates the rules of a definition, each with the fields it can refer to."""

    def __init__(
        self,
        fields: Sequence[AnyField],
        report: Report,
        values: RenamedOptions,
        lists: Mapping[str, str],
        tables: RuleTables,
    ) -> None:
        self._report, self._values, self._tables = report, values, tables
        self._points = PointExpressions(fields, lists, values)
        self._containers = dict(_walk_with_containers(fields, ()))
        self._all = list(walk_fields(fields))
        self._fields = {field.name: field for field in self._all}
        self._last_kinds = {
            f"{LAST_SAVED_PREFIX}{name}": type_of(self._fields[name]).kind for name in find_keepable(fields)
        }
        self._repeats = {
            name: tuple(one.name for one in around if isinstance(one, RepeatField))
            for name, around in self._containers.items()
        }

    def translate(self, field: AnyField, number: int) -> dict[str, str]:
        """Return the columns with the rules of the field that are not empty."""
        kinds = self._visible_kinds(field)
        rows = self._row_paths(field)
        # JavaRosa rejects calculations and conditions that read the same field in another row.
        others = replace(rows, own={name: found for name, found in rows.own.items() if name != field.name})
        outer = XPathTranslator(kinds, None, self._values, others, self._tables)
        inner = XPathTranslator(kinds, field.name, self._values, rows, self._tables)
        # Calculated answers are only required by a rule.
        is_required = field.required and field.calculate is UNSET
        here, own_rule = frozenset({field.name}), self._own_constraint(field)
        found = {
            "relevant": self._translate(field, number, "relevant", field.visible_if, lambda t: outer.condition(t).text),
            "required": self._yes_or_rule(field, number, "required", is_required, field.required_if, outer),
            "read_only": self._yes_or_rule(field, number, "read_only", field.read_only, field.read_only_if, outer),
            "constraint": self._translate(
                field,
                number,
                "constraint",
                own_rule,
                lambda t: inner.condition(t, here).parenthesize(AND),
            ),
            "calculation": self._translate(field, number, "calculation", field.calculate, outer.calculation),
        }
        if isinstance(field, RepeatField):
            found["repeat_count"] = self._translate(field, number, "repeat_count", field.count_rule, outer.calculation)
        initial = XPathTranslator(kinds | self._last_kinds, None, self._values, rows, self._tables)
        found |= self._initial_answer(field, number, initial)
        if field.option_filter is not UNSET:
            columns = {f"option.{name}" for option in field.options for name in (*option.columns, "value")}
            filters = XPathTranslator(kinds | dict.fromkeys(columns, "text"), None, self._values)
            found["choice_filter"] = self._translate(
                field,
                number,
                "choice_filter",
                field.option_filter,
                lambda t: filters.condition(t, frozenset(columns)).text,
            )
        found["constraint"] = " and ".join(filter(None, [*self._bound_expressions(field, number), found["constraint"]]))
        return {column: text for column, text in found.items() if text}

    def is_in_repeat(self, name: str) -> bool:
        """Whether the form has such a field in a repeat."""
        return bool(self._repeats.get(name))

    def _own_constraint(self, field: AnyField) -> Any:
        """Return the `validIf` of a field without the rule that its choices imply in XLSForm."""
        found = parse_answer_choices(field.xlsform_columns.get("type", ""))
        if found is None or field.valid_if is UNSET or found[1] not in self._fields:
            return field.valid_if
        # The import adds the rule in this form, as in "(size(name) < 9) && rule".
        rule = answer_rule(field.name, found[1], self._fields[found[1]].answer_kind, self._repeats[found[1]])
        if field.valid_if == rule:
            return UNSET
        own = field.valid_if.removesuffix(f") && {rule}")
        return field.valid_if if own == field.valid_if else own.removeprefix("(")

    def _row_paths(self, field: AnyField) -> RowPaths:
        levels = list(enumerate(reversed(self._containers[field.name]), start=1))
        around = {one.name: "/".join([".."] * level) for level, one in levels if isinstance(one, RepeatField)}
        kinds = {
            other.name: (repeats[-1], kind)
            for other in self._all
            if (repeats := self._repeats[other.name]) and (kind := type_of(other).kind)
        }
        inside = {name: found for name, found in kinds.items() if found[0] not in around}
        return RowPaths(around, inside, {name: found for name, found in kinds.items() if found[0] in around})

    def _initial_answer(self, field: AnyField, number: int, translator: XPathTranslator) -> dict[str, str]:
        """Return the columns of a rule for the initial answer.

        In XLSForm, an expression in `default` is evaluated when the form is opened, and so cannot use other answers.
        """
        text = self._translate(field, number, "default", field.default_rule, translator.calculation)
        if field.default_rule is not UNSET and not text:
            return {}
        # XLSForm has no other triggers. Hidden fields with columns of rows change together with them.
        if triggers := [name for name in field.recalculate_on if not self._fields[name].hidden]:
            return {"calculation": text, "trigger": ", ".join(f"${{{name}}}" for name in triggers)}
        if not text:
            return {}
        reads_answers = re.search(r"\$\{(?!last-saved#)", text)
        if f"${{{field.name}}}" in text:  # It reads the same field of other rows, which a calculation cannot.
            return {"default": text}
        if field.hidden or reads_answers or not is_expression(text):
            return {"calculation": f"once({text})"}
        return {"default": text}

    def _yes_or_rule(
        self, field: AnyField, number: int, column: str, always: bool, rule: Any, translator: XPathTranslator
    ) -> str:
        return "yes" if always else self._translate(field, number, column, rule, lambda t: translator.condition(t).text)

    def _visible_kinds(self, field: AnyField) -> dict[str, str]:
        around = self._repeats[field.name]
        visible = {around[:depth] for depth in range(len(around) + 1)}
        return {
            other.name: kind
            for other in self._all
            if (kind := type_of(other).kind) and self._repeats[other.name] in visible
        }

    def _translate(self, field: AnyField, number: int, column: str, rule: Any, say: Callable[[Any], str]) -> str:
        if rule is UNSET:
            return ""
        try:
            return say(self._points.resolve(parse_cel(rule)))
        except (Untranslatable, RecursionError) as error:
            reason = error if isinstance(error, Untranslatable) else TOO_LONG
            detail = f"The {_PROPERTIES[column]} of {field.name} was left out: {reason}. It is: {rule[:300]}"
            self._report.add_refusal("survey", number, column, "rule_left_out", detail)
            return ""

    def _bound_expressions(self, field: AnyField, number: int) -> Iterator[str]:
        limits, found = type_of(field).limits, list(limit_conditions(field))
        yield from self._choices_expressions(field, found) if limits and limits.measured == COUNT else found
        yield from self._pattern_expression(field, number)

    def _choices_expressions(self, field: AnyField, limits: list[str]) -> list[str]:
        """Return the conditions for several choices: an exclusive one is enough, and has no others beside it."""
        names = self._values.get(field.name, {})
        exclusive = [
            f"selected(., {quote_xpath(names.get(option.value, option.value))})"
            for option in field.options
            if option.exclusive
        ]
        least = [one for one in limits if ">=" in one]
        if least and exclusive:
            limits = [f"({' or '.join([*least, *exclusive])})", *limits[1:]]
        return [*limits, *(f"not({chosen} and {COUNT} > 1)" for chosen in exclusive)]

    def _pattern_expression(self, field: AnyField, number: int) -> Iterator[str]:
        if field.pattern is UNSET:
            return
        try:
            yield f"regex(., {quote_xpath(to_full_match(field.pattern))})"
        except Untranslatable as reason:
            detail = f"The pattern of {field.name} was left out: {reason}."
            self._report.add_refusal("survey", number, "constraint", "rule_left_out", detail)


def _walk_with_containers(
    fields: Sequence[AnyField], around: tuple[AnyField, ...]
) -> Iterator[tuple[str, tuple[AnyField, ...]]]:
    """Yield the names of all fields with the sections and repeats around them, from the outside in."""
    for field in fields:
        yield field.name, around
        if isinstance(field, SectionField | RepeatField):
            yield from _walk_with_containers(field.fields, (*around, field))
