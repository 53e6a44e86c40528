"""Filters of the rows that a lookup offers: columns that equal answers or other values."""

from collections.abc import Iterator, Mapping

from formwright.domain.forms.xlsform.syntax_tree import Binary, Boolean, Name, Node, Untranslatable
from formwright.domain.forms.xlsform.tree_tests import names_in_tree
from formwright.domain.forms.xlsform.xpath_parser import OPTION_PREFIX


def find_equal_columns(tree: Node, columns: Mapping[str, str]) -> dict[str, Node]:
    """Return the value that each column must equal. `columns` are those of the data source, by their names in rules.

    Raises `Untranslatable` for other conditions.
    """
    found: dict[str, Node] = {}
    for column, value in _equal_pairs(tree, columns):
        if found.setdefault(column, value) != value:
            raise Untranslatable(f"a row has only one {column}, which cannot equal two values")
    return found


def _equal_pairs(tree: Node, columns: Mapping[str, str]) -> Iterator[tuple[str, Node]]:
    match tree:
        case Binary("and", left, right):
            yield from _equal_pairs(left, columns)
            yield from _equal_pairs(right, columns)
        case Binary("==", left, right) if _reads_columns(left) != _reads_columns(right):
            column, value = (left, right) if _reads_columns(left) else (right, left)
            if not isinstance(column, Name):
                raise Untranslatable("columns of a data source are only compared as they are")
            yield columns[column.name.removeprefix(OPTION_PREFIX)], value
        case Boolean(True):
            return  # Some forms have it so that others make the rows available to expressions.
        case _:
            raise Untranslatable("rows of a data source are filtered by columns that equal values, joined by and")


def _reads_columns(node: Node) -> bool:
    return any(name.startswith(OPTION_PREFIX) for name in names_in_tree(node))
