"""`?dryRun=true`: answered as always, and nothing is changed."""

from cast import Account
from make.posting import get
from make.world import BY_NAME, call, example, state, world

from formwright.api.v1_0.operations import OPERATIONS


async def test_a_dry_run_answers_as_always_and_changes_nothing(account: Account) -> None:
    here = await world(account)
    before, events = await state(account), await get(account, f"/webhooks/customer/{account.id}/events")
    for operation in [one for one in OPERATIONS if one.method != "GET"]:
        answer = await call(operation, here, query=[*example(operation).query(here), ("dryRun", "true")])
        assert answer.status_code == operation.status, f"{operation.name}: {answer.text}"
        assert await state(account) == before, operation.name
        assert await get(account, f"/webhooks/customer/{account.id}/events") == events, operation.name


async def test_what_cannot_be_is_refused_by_a_dry_run_too(account: Account) -> None:
    here = await world(account)
    answer = await call(BY_NAME["createTask"], here, body={"recipients": {"users": []}}, query=[("dryRun", "true")])
    assert answer.status_code == 422
    answer = await call(BY_NAME["createTask"], here, query=[("dryRun", "perhaps")])
    assert (answer.status_code, answer.json()["errors"][0]["pointer"]) == (400, "?dryRun")
