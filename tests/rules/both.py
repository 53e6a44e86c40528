"""Rules evaluated by both: the server and the page's own module under Node."""

from collections.abc import Mapping, Sequence
from math import isfinite
from pathlib import Path
from typing import Any

import msgspec
from rig.node import Told

from formwright.domain.forms.definition import AnyField
from formwright.domain.forms.expressions import ExpressionError, compile_rule, kinds_of, types_of
from formwright.domain.forms.taking import taken

RUNNER = Path(__file__).with_name("runner.mjs")
REFUSED = "refused"

Case = tuple[str, Mapping[str, Any]]
"""A rule and the answers that it is evaluated over."""


def fields(*kinds: Mapping[str, Any]) -> list[AnyField]:
    return msgspec.convert([{"label": "It"} | dict(kind) for kind in kinds], list[AnyField])


def by_server(asked: Sequence[AnyField], case: Case) -> Any:
    text, answers = case
    try:
        rule = compile_rule(text, types_of(asked))
    except ExpressionError:
        return REFUSED
    return _plain(rule.value(taken(asked, answers)))


class Page:
    """The page's own module under Node."""

    def __init__(self, node: Told) -> None:
        self._node = node

    def value(self, asked: Sequence[AnyField], case: Case) -> Any:
        found = self._node.ask([case[0], kinds_of(asked), case[1]])
        assert found["holds"] is (found["value"] is True)
        return found["value"]

    def names(self, asked: Sequence[AnyField], text: str) -> list[str]:
        """What the rule depends on, as the page finds it."""
        names: list[str] = self._node.ask([text, kinds_of(asked), {}])["names"]
        return names


def _plain(value: Any) -> Any:
    """As JSON says it; what that cannot say, or not exactly, is nothing."""
    match value:
        case bool() | str():
            return value
        case int():
            return value if abs(value) <= 2**53 else None
        case float():
            return value if isfinite(value) else None
        case list():
            return [_plain(item) for item in value]
        case dict():
            return {str(name): _plain(member) for name, member in value.items()}
    return None
