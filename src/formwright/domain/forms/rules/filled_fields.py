"""Hidden fields that the rows of lookups fill in, and how far such rows depend on each other."""

from collections.abc import Mapping, Sequence, Set

from msgspec import UNSET

from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.rules.program import topological_order

MAX_LOOKUP_DEPTH = 5
"""How many calculated lookups can depend on each other: the server reads the rows of one after those of the other."""
Graph = Mapping[str, Set[str]]
"""The names of the fields that each field depends on."""


def is_filled_by_rows(field: AnyField) -> bool:
    """Whether only the rows of lookups can fill in this field, because it is hidden and has no rule."""
    return field.hidden and field.calculate is UNSET and field.default_rule is UNSET


def is_calculated_lookup(field: AnyField) -> bool:
    """Whether a rule computes the row whose columns fill in other fields."""
    return field.can_fill_fields and field.calculate is not UNSET


def with_filled_fields(graph: Graph, fields: Sequence[AnyField]) -> Graph:
    """Return the graph in which hidden fields also depend on the calculated lookups whose rows fill them in."""
    filled = {field.name: set[str]() for field in fields if is_filled_by_rows(field)}
    for field in fields:
        for name in field.mapping.values() if is_calculated_lookup(field) else ():
            filled.get(name, set()).add(field.name)
    return {name: names | filled.get(name, set()) for name, names in graph.items()}


def lookup_depth(graph: Graph, fields: Sequence[AnyField]) -> int:
    """Return how many calculated lookups depend on each other at most. `graph` is that of `with_filled_fields`."""
    counted = {field.name for field in fields if is_calculated_lookup(field)}
    depths: dict[str, int] = {}
    for name in topological_order(graph) if counted else ():
        depths[name] = max((depths[other] for other in graph[name]), default=0) + (name in counted)
    return max(depths.values(), default=0)
