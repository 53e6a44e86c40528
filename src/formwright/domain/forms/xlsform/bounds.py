"""Converts constraints that are bounds of an answer to properties of its field, such as `min` and `maxLength`."""

import re
from collections.abc import Callable
from typing import Any

from formwright.domain.forms.fields import FIELD_CLASSES, MAX_LOOKUP_ROWS
from formwright.domain.forms.fields.patterns import pattern_error
from formwright.domain.forms.xlsform.java_patterns import convert_pattern
from formwright.domain.forms.xlsform.survey_sheet import Document
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, Name, Node, Number, Text
from formwright.domain.forms.xlsform.types import TYPES


def extract_bounds(document: Document, tree: Node) -> Node | None:
    """Convert the bounds in the tree to properties, and return the rest of the tree."""
    # The minimum of a multiple choice depends on its exclusive options.
    rest = _extract(document, tree, _mark_exclusive) if document["type"] == "choices" else tree
    return _extract(document, rest, _set_bound) if rest else None


def _extract(document: Document, tree: Node, convert: Callable[[Document, Node], bool]) -> Node | None:
    """Return the tree without the conditions that `convert` has turned into properties."""
    if isinstance(tree, Binary) and tree.op == "and":
        left, right = _extract(document, tree.left, convert), _extract(document, tree.right, convert)
        return Binary("and", left, right) if left and right else left or right
    return None if convert(document, tree) else tree


def _set_bound(document: Document, tree: Node) -> bool:
    member = _bound_property(document, tree)
    if member is None or member[0] in document or not FIELD_CLASSES[document["type"]].can_have(*member):
        return False
    document |= dict([member])
    return True


def _bound_property(document: Document, tree: Node) -> tuple[str, Any] | None:
    me = Name(document["name"])
    match document["type"], tree:
        case kind, Binary(">=" | "<=" as op, left, Number(text)) if (
            left == me and TYPES[kind].question == "integer" and re.fullmatch(r"-?\d{1,15}", text)
        ):
            return ("min" if op == ">=" else "max"), int(text)
        case "decimal", Binary(">=" | "<=" as op, left, Number(text)) if left == me:
            return ("min" if op == ">=" else "max"), float(text)
        # A pattern has at most 500 characters, including those that are added here.
        case "text", Call("regex", (on, Text(pattern))) if on == me and len(pattern) <= 490:
            whole = pattern[4:-3] if pattern.startswith(".*(?:") and pattern.endswith(").*") else None
            found = convert_pattern(whole[1:] if whole else f"^(?:{pattern})$")
            return None if pattern_error(found) else ("pattern", found)
        case "choices" | "lookups", Binary(">=" | "<=" as op, left, Number(text)) if left == Call(
            "count-selected", (me,)
        ):
            return _choices_property(document, op, text)
        case "choices", Binary("or", Binary(">=", left, Number(text)), other) if left == Call("count-selected", (me,)):
            exclusive = {option["value"] for option in document["options"] if option.get("exclusive")}
            return _choices_property(document, ">=", text) if _selected_values(me, other) == exclusive else None
        case "text" | "textarea" as kind, Binary(">=" | "<=" as op, left, Number(text)):
            return _length_property(kind, op, text) if left == Call("string-length", (me,)) else None
    return None


def _choices_property(document: Document, op: str, text: str) -> tuple[str, int] | None:
    """Return the limit of a multiple choice, unless it allows nothing or, as some forms do, everything."""
    most = len(document["options"]) if document["type"] == "choices" else MAX_LOOKUP_ROWS
    if not text.isdecimal() or not 1 <= int(text) <= most:
        return None
    return ("minChoices" if op == ">=" else "maxChoices"), int(text)


def _selected_values(me: Name, tree: Node) -> set[str]:
    """Return the options if the tree asks for one of them, otherwise an empty set."""
    match tree:
        case Call("selected", (on, Text(value))) if on == me:
            return {value}
        case Binary("or", left, right):
            one, other = _selected_values(me, left), _selected_values(me, right)
            return one | other if one and other else set()
    return set()


def _mark_exclusive(document: Document, tree: Node) -> bool:
    """Whether the constraint only allows an option on its own, which then is exclusive."""
    me = Name(document["name"])
    match tree:
        case Call("not", (Binary("and", Call("selected", (on, Text(value))), several),)) if on == me:
            count = Call("count-selected", (me,))
            if several not in (Binary(">", count, Number("1")), Binary(">=", count, Number("2"))):
                return False
            # Other questions have the same options.
            options = [one | ({"exclusive": True} if one["value"] == value else {}) for one in document["options"]]
            document["options"], before = options, document["options"]
            return bool(options != before)
    return False


def _length_property(kind: str, op: str, text: str) -> tuple[str, int] | None:
    most = 100_000 if kind == "textarea" else 10_000
    if not text.isdecimal() or int(text) > most:
        return None
    if op == "<=":
        return ("maxLength", int(text)) if int(text) else None
    return ("minLength", int(text)) if kind == "text" else None
