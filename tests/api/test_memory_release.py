"""Everything that belongs to a request is freed when it ends, without garbage collection."""

import gc

import pytest
from actors import Account
from factories.sample_account import call, world
from fixtures.server_process import eventually

from formwright.api.http_messages import ApiRequest
from formwright.api.v1_0.operations import OPERATIONS

pytestmark = pytest.mark.slow


def _kept() -> list[str]:
    return [f"{one.method} {one.path}" for one in gc.get_objects() if isinstance(one, ApiRequest)]


async def test_nothing_of_a_finished_request_stays_in_memory(account: Account) -> None:
    async def none() -> bool:
        # A thread keeps its arguments a little longer.
        return not _kept()

    here = await world(account)
    gc.collect()
    gc.disable()
    try:
        # Deletions last: what was deleted is no longer there.
        in_order = sorted(OPERATIONS, key=lambda operation: operation.method == "DELETE")
        answers = [await call(operation, here) for operation in in_order]
        assert sum(response.is_success for response in answers) > len(answers) * 0.9
        assert await eventually(none, 2), _kept()
    finally:
        gc.enable()
