"""Finds the conditions of a SCIM filter that the database can look up in an index.

Identity providers look for one user or group by a name or an id. For everything else that the standard allows, the
library compares the resources one by one.
"""

from dataclasses import dataclass, field
from typing import Any

from scim2_models import ScimFilter
from scim2_models.path import CompareOperator, Comparison, LogicalExpr, LogicalOperator, Not, ValuePath


@dataclass(slots=True)
class Lookup:
    """The values that attributes must have, by the name of the attribute in lower case, such as `emails.value`."""

    values: dict[str, str] = field(default_factory=dict)
    name_part: str | None = None
    """A text that `displayName` contains, ignoring case."""
    is_complete: bool = True
    """Whether these conditions are the whole filter. If not, all of its matches are among what they find."""


def read_lookup(scim_filter: ScimFilter[Any] | None, attributes: frozenset[str]) -> Lookup:
    """Return the conditions of a filter on some of these attributes that all must hold."""
    lookup = Lookup()
    if scim_filter is not None:
        _collect(scim_filter.ast, attributes, lookup)
    return lookup


def count_comparisons(scim_filter: ScimFilter[Any]) -> int:
    """Return how many conditions a filter has, in other words what comparing one resource costs."""
    return _count(scim_filter.ast)


def _count(node: Any) -> int:
    if isinstance(node, LogicalExpr):
        return sum(map(_count, node.terms))
    if isinstance(node, Not):
        return _count(node.expr)
    return _count(node.val_filter) if isinstance(node, ValuePath) else 1


def _collect(node: Any, attributes: frozenset[str], lookup: Lookup) -> None:
    if isinstance(node, LogicalExpr) and node.op == LogicalOperator.and_:
        for term in node.terms:
            _collect(term, attributes, lookup)
        return
    if isinstance(node, Comparison) and node.op == CompareOperator.eq and isinstance(node.value, str):
        path = node.attr_path
        name = (path.attr if path.sub_attr is None else f"{path.attr}.{path.sub_attr}").lower()
        # `name_part` matches more names than `eq` does, so the library tests what it finds, and the lookup is
        # incomplete.
        if name == "displayname":
            lookup.name_part = node.value
        elif name in attributes and name not in lookup.values:
            lookup.values[name] = node.value
            return
    lookup.is_complete = False
