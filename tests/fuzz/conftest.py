"""Outside of `make fuzz`, each tag of the document is tested on one of the two databases, alternately."""

import os
from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not os.environ.get("FUZZ_EXAMPLES"):
        out = [item for item in items if item.path.parent == HERE and not _is_selected(item)]
        config.hook.pytest_deselected(items=out)
        items[:] = [item for item in items if item not in out]


def _is_selected(item: pytest.Item) -> bool:
    number = item.callspec.params.get("number")  # type: ignore[attr-defined]
    return number is None or ("sqlite" in item.name) == (number % 2 == 0)
