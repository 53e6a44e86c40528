"""Choices that occur several times in their list, each time with other columns, so that a filter offers them for each.

An option exists once here. It gets the columns of all its rows, and the filter compares each of them.
"""

from typing import Any

from formwright.domain.forms.xlsform.choices_sheet import AGAIN
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, Name, Node, Text
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX

_MAX_ROWS = 5
_VALUE = f"{OPTION_PREFIX}value"
Document = dict[str, Any]


def spread_columns(options: list[Document]) -> tuple[list[Document], int]:
    """Return the options with the columns of further rows as `country_2` and so on, and the most rows of an option."""
    count = 1 + max((len(option.get(AGAIN, ())) for option in options), default=0)
    if count == 1:
        return options, count
    names = dict.fromkeys(name for option in options for name in option["columns"])
    spread = []
    for option in options:
        columns = dict(option["columns"])
        for number, more in enumerate(option.get(AGAIN, ()), start=2):
            columns |= {f"{name}_{number}": more.get(name, "") for name in names}
        spread.append({name: value for name, value in option.items() if name != AGAIN} | {"columns": columns})
    return spread, count


def can_repeat(tree: Node, count: int) -> bool:
    """Whether a filter still means the same if it is true for any of the rows of an option."""
    return count <= _MAX_ROWS and _offers_more_rows(tree)


def _offers_more_rows(node: Node) -> bool:
    match node:
        case Binary("and" | "or", left, right):
            return _offers_more_rows(left) and _offers_more_rows(right)
        case Binary("==", left, right) | Call("selected", (left, right)):
            return all(isinstance(side, Name | Text) for side in (left, right))
    return False


def repeat_filter(tree: Node, count: int) -> Node:
    """Return a filter that is true if it is for any row of the option."""
    whole = tree
    for number in range(2, count + 1):
        if (other := _rename(tree, number)) != tree:
            whole = Binary("or", whole, other)
    return whole


def _rename(node: Node, number: int) -> Node:
    match node:
        case Name(name) if name.startswith(OPTION_PREFIX) and name != _VALUE:
            return Name(f"{name}_{number}")
        case Binary(op, left, right):
            return Binary(op, _rename(left, number), _rename(right, number))
        case Call(called, args):
            return Call(called, tuple(_rename(arg, number) for arg in args))
    return node
