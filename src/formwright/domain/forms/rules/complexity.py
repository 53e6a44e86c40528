"""Limits for what rules contain, because the engines of the server and of the page recurse into them.

The server's library allows 32 levels. It does not count `&&` and `||`, which the page nests one operand deeper each:
browsers have room for about 1,900. The page's library allows 1,000 items in a list or map.
"""

from collections.abc import Sequence

from formwright.domain.forms.rules.dialect import Token
from formwright.domain.forms.rules.syntax import Node

MAX_BRACKETS, MAX_OPERANDS, MAX_ITEMS = 32, 700, 1000
TOO_DEEP = (
    f"This rule is nested too deeply. The limit is {MAX_BRACKETS} levels, and each operand of a sum counts as one."
)


def has_too_many_brackets(line: Sequence[Token]) -> bool:
    """Whether brackets are nested more deeply than the server's library allows. It takes long to notice it itself."""
    depth = 0
    for token in line:
        if token.kind == "sign":
            depth += (token.text in "([{") - (token.text in ")]}")
        if depth > MAX_BRACKETS:
            return True
    return False


def find_excess(node: Node) -> str | None:
    """Return what is too much for the page, in a sentence, or None."""
    if _count_levels(node) > MAX_OPERANDS:
        return f"This rule has more than {MAX_OPERANDS} operands or signs in a row. Split it into several fields."
    if _count_items(node) > MAX_ITEMS:
        return f"A list or map in this rule has more than {MAX_ITEMS} items. Use a data source."
    return None


def _count_levels(node: Node) -> int:
    """Return how deep the page's tree is: the first operand of `a || b || c` is two levels below the last `||`."""
    inside = [_count_levels(one) for one in node.args]
    if node.op in ("&&", "||"):
        return max(levels + len(inside) - max(place, 1) for place, levels in enumerate(inside))
    return max(inside, default=0) + (len(node.text) if node.op == "!-" else 1)


def _count_items(node: Node) -> int:
    """Return the number of items of the longest list or map."""
    own = len(node.args) // 2 if node.op == "map" else len(node.args) if node.op == "list" else 0
    return max([own, *map(_count_items, node.args)])
