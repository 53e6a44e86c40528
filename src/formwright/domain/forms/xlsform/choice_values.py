"""Values of choices that XPath compares as numbers. `documents` are the definitions of fields by name."""

import re
from collections.abc import Mapping
from functools import reduce

from formwright.domain.forms.xlsform.rule_scopes import Documents
from formwright.domain.forms.xlsform.survey_sheet import Document
from formwright.domain.forms.xlsform.syntax_tree import NUMBERS, Binary, Boolean, Call, Name, Node, Number, Text
from formwright.domain.forms.xlsform.type_coercion import is_number
from formwright.domain.forms.xlsform.xpath_functions import CHOICE_NUMBER
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX

_WHOLE = re.compile(r"0|-?[1-9]\d{0,8}")
_NUMERIC = re.compile(r"\s*-?[\d.]+\s*")


def as_number(documents: Documents, node: Node) -> Node:
    """Return the value of a choice as a number, if all of its options are whole numbers, and others as they are."""
    options = documents.get(node.name, {}).get("options", []) if isinstance(node, Name) else []
    is_choice = isinstance(node, Name) and options and documents[node.name]["type"] == "choice"
    are_numbers = is_choice and all(_WHOLE.fullmatch(option["value"]) for option in options)
    return Call(CHOICE_NUMBER, (node,)) if are_numbers else node


def equal_options(documents: Documents, op: str, left: Node, right: Node) -> Node | None:
    """Compare a choice with the options that are the same number, such as `02` for 2. None for other operands."""
    name, number = (left, right) if isinstance(left, Name) else (right, left)
    document = documents.get(name.name, {}) if isinstance(name, Name) else {}
    if document.get("type") != "choice" or not isinstance(number, Number):
        return None
    values = [option["value"] for option in document["options"]]
    if all(_WHOLE.fullmatch(value) or not _NUMERIC.fullmatch(value) for value in values):
        return None
    same = [Text(value) for value in values if is_number(value) and float(value) == float(number.text)]
    tests: list[Node] = [Binary(op, name, value) for value in same] or [Boolean(op == "!=")]
    return reduce(lambda one, other: Binary("or" if op == "==" else "and", one, other), tests)


def read_numbers(node: Node, kinds: Mapping[str, str]) -> Node:
    """Return a filter that reads the columns of choices as numbers where it compares them with answers that are."""
    match node:
        case Binary("==" | "!=" | "<" | "<=" | ">" | ">=" as op, left, right):
            if not any(isinstance(side, Name) and kinds.get(side.name) in NUMBERS for side in (left, right)):
                return node
            return Binary(op, *(Call("number", (side,)) if _is_column(side) else side for side in (left, right)))
        case Binary(op, left, right):
            return Binary(op, read_numbers(left, kinds), read_numbers(right, kinds))
        case Call("not" as called, args):
            return Call(called, tuple(read_numbers(arg, kinds) for arg in args))
    return node


def _is_column(node: Node) -> bool:
    return isinstance(node, Name) and node.name.startswith(OPTION_PREFIX)


def column_kind(document: Document, column: str | None) -> str:
    """Return `choice` if the cells equal numbers whenever their texts do, so that literal numbers can be texts."""
    cells = [option["columns"].get(column, "") if column else option["value"] for option in document["options"]]
    return "choice" if all(_WHOLE.fullmatch(cell) or not _NUMERIC.fullmatch(cell) for cell in cells) else "text"
