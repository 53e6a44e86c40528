"""Choices that occur several times in their list, each time with other columns, so that a filter offers them for each.

An option exists once here. It gets the columns of all its rows, and the filter compares each of them.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from formwright.domain.forms.xlsform.choices_sheet import AGAIN, column_name
from formwright.domain.forms.xlsform.syntax_tree import Binary, Call, Name, Node, Text
from formwright.domain.forms.xlsform.tree_tests import names_in_tree
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX

_MAX_ROWS = 5
_MAX_LISTS = 20
_MAX_LENGTH = 200
_LISTS = "rows_"
_SEPARATORS = (("|", "~"), ("¦", "¬"), ("§", "¶"), ("\u241e", "\u241f"))
"""Signs between the rows and cells of a list: the first pair that no cell contains."""
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
        again = option.get(AGAIN, ())
        for number in range(2, count + 1):
            # Options with fewer rows repeat their first: an empty column would equal a missing answer in XPath.
            more = again[number - 2] if number - 2 < len(again) else option["columns"]
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


def join_rows(tree: Node, options: list[Document]) -> tuple[Node, list[Document]] | None:
    """Return a filter that finds the values which it compares in a list of all rows of the option, and the options.

    Returns None if it does not compare columns for equality, or if the lists would be too long.
    """
    conditions = list(_split_conjunction(tree))
    pairs = [found for one in conditions if (found := _compared_column(one))]
    others = [one for one in conditions if not _compared_column(one)]
    if not pairs or any(_reads_columns(one) for one in others):
        return None
    rows = [_compared_cells(option, [column for column, _ in pairs]) for option in options]
    signs = _find_separators(cell for cells in rows for row in cells for cell in row)
    lists = [_list_rows(cells, *signs) for cells in rows] if signs else [None]
    if not signs or any(one is None or len(one) > _MAX_LISTS for one in lists):
        return None
    between_rows, between_cells = signs
    cells = [part for _, value in pairs for part in (Text(between_cells), value)][1:]
    key = Call("concat", (Text(between_rows), *cells, Text(between_rows)))
    count = max(len(one or ()) for one in lists)
    names = [f"{_LISTS}{number}" for number in range(1, count + 1)]
    parts = tuple(Name(f"{OPTION_PREFIX}{name}") for name in names)
    whole: Node = Call("contains", (parts[0] if len(parts) == 1 else Call("concat", parts), key))
    for one in others:
        whole = Binary("and", whole, one)
    joined = [
        option | {"columns": dict(zip(names, [*(found or ()), *[""] * count], strict=False))}
        for option, found in zip(options, lists, strict=True)
    ]
    return whole, joined


def _split_conjunction(node: Node) -> Iterator[Node]:
    match node:
        case Binary("and", left, right):
            yield from _split_conjunction(left)
            yield from _split_conjunction(right)
        case _:
            yield node


def _compared_column(node: Node) -> tuple[str, Node] | None:
    """Return the column of a comparison, and the answer or text that it equals."""
    if isinstance(node, Binary) and node.op == "==":
        for column, other in ((node.left, node.right), (node.right, node.left)):
            if _reads_columns(column) and isinstance(column, Name) and isinstance(other, Name | Text):
                return None if _reads_columns(other) else (column.name, other)
    return None


def _reads_columns(node: Node) -> bool:
    return any(name.startswith(OPTION_PREFIX) and name != _VALUE for name in names_in_tree(node))


def _compared_cells(option: Document, columns: Sequence[str]) -> list[list[str]]:
    """Return the cells in these columns of all rows of the option."""
    rows = [
        {f"{OPTION_PREFIX}{column_name(name)}": text for name, text in row.items()}
        for row in (option["columns"], *option.get(AGAIN, ()))
    ]
    return [[row.get(column, "") for column in columns] for row in rows]


def _find_separators(cells: Iterable[str]) -> tuple[str, str] | None:
    """Return a sign between rows and one between cells that no cell contains, or None."""
    used = set("".join(cells))
    return next((signs for signs in _SEPARATORS if used.isdisjoint(signs)), None)


def _list_rows(rows: Iterable[Sequence[str]], between_rows: str, between_cells: str) -> list[str] | None:
    """Return a list of all rows, in parts that are short enough for a column."""
    parts = [between_rows]
    for text in dict.fromkeys(f"{between_cells.join(cells)}{between_rows}" for cells in rows):
        if len(text) > _MAX_LENGTH:
            return None
        if len(parts[-1]) + len(text) > _MAX_LENGTH:
            parts.append("")
        parts[-1] += text
    return parts


def _rename(node: Node, number: int) -> Node:
    match node:
        case Name(name) if name.startswith(OPTION_PREFIX) and name != _VALUE:
            return Name(f"{name}_{number}")
        case Binary(op, left, right):
            return Binary(op, _rename(left, number), _rename(right, number))
        case Call(called, args):
            return Call(called, tuple(_rename(arg, number) for arg in args))
    return node
