"""A definition's rules into XPath; those that do not translate are left out by name."""

from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from typing import Any

from msgspec import UNSET

from formwright.domain.forms.definition import (
    AnyField,
    DecimalField,
    IntegerField,
    RepeatField,
    SectionField,
    SliderField,
    TextareaField,
    TextField,
)
from formwright.domain.forms.xlsform.cel_parser import parse_cel
from formwright.domain.forms.xlsform.cel_to_xpath import RenamedOptions, XPathTranslator, quote_xpath, to_full_match
from formwright.domain.forms.xlsform.report import Report
from formwright.domain.forms.xlsform.syntax_tree import AND, TOO_LONG, VALUE_KINDS, Untranslatable

_PROPERTIES = {"relevant": "visibleIf", "constraint": "validIf", "calculation": "calculate"}


class RuleExporter:
    """The rules of one definition's fields, each with what it can see."""

    def __init__(self, fields: Sequence[AnyField], report: Report, values: RenamedOptions) -> None:
        self._report, self._values = report, values
        self._all = list(_walk_with_repeat(fields, None))
        self._within = {field.name: around for field, around in self._all}

    def translate(self, field: AnyField, number: int) -> dict[str, str]:
        """The columns `relevant`, `constraint` and `calculation`, as far as they have something."""
        kinds = self._visible_kinds(self._within[field.name])
        outer, inner = XPathTranslator(kinds, None, self._values), XPathTranslator(kinds, field.name, self._values)
        here = frozenset({field.name})
        found = {
            "relevant": self._translate(field, number, "relevant", field.visible_if, lambda t: outer.condition(t).text),
            "constraint": self._translate(
                field, number, "constraint", field.valid_if, lambda t: inner.condition(t, here).parenthesize(AND)
            ),
            "calculation": self._translate(field, number, "calculation", field.calculate, outer.calculation),
        }
        found["constraint"] = " and ".join(filter(None, [*self._bound_expressions(field, number), found["constraint"]]))
        return {column: text for column, text in found.items() if text}

    def _visible_kinds(self, around: str | None) -> dict[str, str]:
        return {
            field.name: VALUE_KINDS[kind]
            for field, other in self._all
            if (kind := str(type(field).__struct_config__.tag)) in VALUE_KINDS and other in (None, around)
        }

    def _translate(self, field: AnyField, number: int, column: str, rule: Any, say: Callable[[Any], str]) -> str:
        if rule is UNSET:
            return ""
        try:
            return say(parse_cel(rule))
        except (Untranslatable, RecursionError) as error:
            reason = error if isinstance(error, Untranslatable) else TOO_LONG
            detail = f"The {_PROPERTIES[column]} of {field.name} was left out: {reason}. It is: {rule[:300]}"
            self._report.add_refusal("survey", number, column, "rule_left_out", detail)
            return ""

    def _bound_expressions(self, field: AnyField, number: int) -> Iterator[str]:
        match field:
            case SliderField() if not is_scale(field):
                yield from _range(".", field.min, field.max)
            case IntegerField() | DecimalField():
                yield from _range(".", field.min, field.max)
            case TextField():
                yield from _range("string-length(.)", field.min_length, field.max_length)
                yield from self._pattern_expression(field, number)
            case TextareaField():
                yield from _range("string-length(.)", UNSET, field.max_length)

    def _pattern_expression(self, field: TextField, number: int) -> Iterator[str]:
        if field.pattern is UNSET:
            return
        try:
            yield f"regex(., {quote_xpath(to_full_match(field.pattern))})"
        except Untranslatable as reason:
            detail = f"The pattern of {field.name} was left out: {reason}."
            self._report.add_refusal("survey", number, "constraint", "rule_left_out", detail)


def is_scale(field: SliderField) -> bool:
    """Whether a step fits into the slider; XLSForm refuses one of which none does."""
    return field.step <= field.max - field.min


def _range(what: str, low: Any, high: Any) -> Iterator[str]:
    if low is not UNSET:
        yield f"{what} >= {_format_number(low)}"
    if high is not UNSET:
        yield f"{what} <= {_format_number(high)}"


def _format_number(number: float) -> str:
    """The number without an exponent, which XPath does not know."""
    return str(number) if isinstance(number, int) else f"{Decimal(repr(number)):f}"


def _walk_with_repeat(fields: Sequence[AnyField], around: str | None) -> Iterator[tuple[AnyField, str | None]]:
    """All fields with the repeat that each is in."""
    for field in fields:
        yield field, around
        if isinstance(field, SectionField | RepeatField):
            yield from _walk_with_repeat(field.fields, field.name if isinstance(field, RepeatField) else around)
