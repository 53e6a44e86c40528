"""Fixtures of tests that read many workbooks."""

from collections.abc import Iterator
from typing import BinaryIO

import pytest

from formwright.core.workbooks import reader
from formwright.core.workbooks.models import ReaderArguments
from formwright.core.workbooks.process import respond


@pytest.fixture(scope="module")
def read_in_this_process() -> Iterator[None]:
    """Read workbooks that can be trusted without starting a process for each."""

    def run(source: BinaryIO, output: BinaryIO, request: ReaderArguments) -> None:
        respond(request, source, output)
        output.flush()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reader, "_run", run)
        yield
