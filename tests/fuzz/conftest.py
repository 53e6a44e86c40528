"""Outside of `make fuzz` each part of the document is tried on one of the two databases, in turn."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get("FUZZ_EXAMPLES"):
        out = [item for item in items if item.path.parent == HERE and not _has_its_turn(item)]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def _has_its_turn(item: pytest.Item) -> bool:
    number = item.callspec.params.get("number")  # type: ignore[attr-defined]
    return number is None or ("sqlite" in item.name) == (number % 2 == 0)
