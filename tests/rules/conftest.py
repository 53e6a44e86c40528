"""Fixtures that share one Node process among the tests of rules."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fixtures import node

from rules.both_engines import Page

HERE = Path(__file__).parent


@pytest.fixture(scope="session")
def page() -> Iterator[Page]:
    """The page's rules."""
    with node.run_script(HERE / "runner.mjs") as script:
        yield Page(script)


@pytest.fixture(scope="session")
def matcher() -> Iterator[node.NodeScript]:
    """The page's regular expressions."""
    with node.run_script(HERE / "matcher.mjs") as script:
        yield script
