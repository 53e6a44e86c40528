"""Fuzzing of the whole OpenAPI document with Schemathesis: all checks, stateful links, and never a 500.

By default, each tag is tested briefly on one of the two databases, always with the same requests. `make fuzz` tests
everything on both, as long as requested, with new requests each time.
"""

import os

import pytest
from actors import Account
from factories.sample_account import world
from fixtures.fuzzing import OF_FIELDS, fuzz, key

from formwright.api.v1_0.operations import OPERATIONS

LONG = int(os.environ.get("FUZZ_EXAMPLES", "0"))
SEED = int(os.environ.get("FUZZ_SEED", "1"))
TAGS = list(dict.fromkeys(one.tag for one in OPERATIONS))
LEADING = ["createForm", "createSubmission", "getSubmission", "getForm", "createTask", "getTask", "createInvite"]
"""Operations whose responses contain links to other operations."""

pytestmark = pytest.mark.timeout(0 if LONG else 300)


async def _fuzz(account: Account, names: list[str], *phases: str) -> None:
    settings_given = {"max-examples": LONG or 2, "deterministic": True, "no-shrink": True, "database": "none"}
    on = {name: {"enabled": name in phases} for name in ("examples", "coverage", "fuzzing", "stateful")}
    settings = key(account.key, account.id) | {"seed": SEED, "generation": settings_given, "phases": on}
    report = await fuzz(account.stage.entrance, settings, names)
    assert not report.faults, "\n\n".join(report.faults[:20])
    assert not names or report.answered.keys() == set(names) or phases == ("stateful",)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "tag"), list(enumerate(TAGS)), ids=TAGS)
async def test_no_request_finds_an_error(account: Account, number: int, tag: str) -> None:
    del number
    await world(account)
    names = [one.name for one in OPERATIONS if one.tag == tag]
    through = ["examples", "coverage", "fuzzing"] if LONG else ["examples", "fuzzing"]
    await _fuzz(account, [name for name in names if name not in OF_FIELDS], *through)
    if of_fields := [name for name in names if name in OF_FIELDS]:
        # The 22 kinds of field have so many bounds that covering each would take hours, so they are only fuzzed.
        await _fuzz(account, of_fields, *(["examples", "fuzzing"] if LONG else ["fuzzing"]))


@pytest.mark.slow
async def test_no_path_along_the_links_finds_an_error(account: Account) -> None:
    await world(account)
    await _fuzz(account, [] if LONG else LEADING, "stateful")
