"""What belongs to a call is gone when it is answered, and does not wait until garbage is looked for."""

import gc

from actors import Account
from factories.sample_account import call, world
from fixtures.server_process import eventually

from formwright.api.request import Request
from formwright.api.v1_0.operations import OPERATIONS


def _kept() -> list[str]:
    return [f"{one.method} {one.path}" for one in gc.get_objects() if isinstance(one, Request)]


async def test_no_answered_call_is_kept(account: Account) -> None:
    async def none() -> bool:
        # What a thread was handed, it holds a little longer.
        return not _kept()

    here = await world(account)
    gc.collect()
    gc.disable()
    try:
        answers = [await call(operation, here) for operation in OPERATIONS]
        assert sum(answer.is_success for answer in answers) > len(answers) * 0.9, "what was deleted is no longer there"
        assert await eventually(none, 2), _kept()
    finally:
        gc.enable()
