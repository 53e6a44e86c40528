"""Regular expressions that would keep a browser busy for answers as long as their field takes."""

from collections.abc import Iterator, Mapping, Sequence

from formwright.core.errors import ValidationFault, pointer
from formwright.domain.forms.answer_schema import DEFAULT_MAX_LENGTH, answer_schema
from formwright.domain.forms.cel.compiler import ExpressionError, patterns_in, referenced_names
from formwright.domain.forms.cel.inputs import SHORT_TEXT_LENGTH
from formwright.domain.forms.definition import AnyField, RepeatField, TextField, walk_fields
from formwright.domain.forms.regex.patterns import pattern_fault, slow_fault

Path = tuple[str | int, ...]


def slow(placed: Sequence[tuple[Path, AnyField]]) -> Iterator[ValidationFault]:
    """A fault for each `pattern`, and for each rule that matches one, of these fields with the paths to them."""
    lengths = {field.name: _longest(field) for _, field in placed}
    for path, field in placed:
        if why := _slow_pattern(field, lengths[field.name]):
            yield ValidationFault(pointer(*path, "pattern"), "field.pattern", why)
        rules = {"visibleIf": field.visible_if, "validIf": field.valid_if, "calculate": field.calculate}
        for member, text in rules.items():
            if isinstance(text, str) and (why := _slow_rule(text, lengths)):
                yield ValidationFault(pointer(*path, member), "field.rule", why)


def _slow_pattern(field: AnyField, longest: int) -> str | None:
    """Why; None also for one that cannot be taken at all, which is another fault."""
    pattern = field.pattern if isinstance(field, TextField) else None
    return slow_fault(pattern, longest) if isinstance(pattern, str) and pattern_fault(pattern) is None else None


def _longest(field: AnyField) -> int:
    """Of the answer, in characters; of a repeat, that of the longest in its rows."""
    if isinstance(field, RepeatField):
        return max(map(_longest, walk_fields(field.fields)), default=SHORT_TEXT_LENGTH)
    return int(answer_schema(field).get("maxLength", SHORT_TEXT_LENGTH))


def _slow_rule(text: str, lengths: Mapping[str, int]) -> str | None:
    """Why, with the column; None also for a rule that cannot work, which is another fault."""
    if "matches" not in text:
        return None
    try:
        found = [(pattern, column) for pattern, column in patterns_in(text) if pattern_fault(pattern) is None]
        longest = max((lengths[name] for name in referenced_names(text) if name in lengths), default=DEFAULT_MAX_LENGTH)
    except (ExpressionError, RuntimeError):
        return None
    whys = ((slow_fault(pattern, longest), column) for pattern, column in found)
    return next((f"{why} (At column {column}.)" for why, column in whys if why), None)
