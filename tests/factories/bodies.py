"""Take request bodies apart and change parts of them."""

import copy
from collections.abc import Iterator
from typing import Any

Steps = tuple[str | int, ...]


def places(value: Any, steps: Steps = ()) -> Iterator[tuple[Steps, Any]]:
    """Yield every value inside a body, and the path to it."""
    if steps:
        yield steps, value
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, member in inner:
        yield from places(member, (*steps, step))


def with_value(body: Any, steps: Steps, value: Any) -> Any:
    """Return the body with another value at that path."""
    changed = inner = copy.deepcopy(body)
    for step in steps[:-1]:
        inner = inner[step]
    inner[steps[-1]] = value
    return changed


def pointers(problem: dict[str, Any]) -> list[str]:
    """Return the pointers of the validation errors in a problem."""
    return [fault["pointer"] for fault in problem["errors"]]
