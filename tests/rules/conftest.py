"""Fixtures that share one Node process among the tests of rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures import node

from rules.both_engines import Page

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """The page's implementation of rules."""
    with node.told(HERE / "runner.mjs") as told:
        yield Page(told)


@pytest.fixture(scope="session")
def matcher() -> Iterator[node.Told]:
    """The page's implementation of patterns."""
    with node.told(HERE / "matcher.mjs") as told:
        yield told
