"""What the tests of rules share: one Node for all of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures import node

from rules.both_engines import Page

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """The page's rules."""
    with node.told(HERE / "runner.mjs") as told:
        yield Page(told)


@pytest.fixture(scope="session")
def matcher() -> Iterator[node.Told]:
    """The page's regular expressions."""
    with node.told(HERE / "matcher.mjs") as told:
        yield told
