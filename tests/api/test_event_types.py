"""The catalogue of event types."""

from actors import Account
from factories.forms import form
from factories.requests import get
from factories.submissions import submission
from jsonschema_rs import Draft202012Validator

from formwright.api.v1_0.schemas.events import CATALOGUE
from formwright.core.events import EventType


async def test_the_schema_of_each_type_matches_its_example_and_real_events(account: Account) -> None:
    await submission(account, await form(account))
    address = f"/webhooks/customer/{account.id}"
    listed = (await get(account, f"{address}/event-types", limit=1000))["items"]
    assert [one["type"] for one in listed] == sorted(CATALOGUE)
    by_type = {one["type"]: one for one in listed}
    for one in listed:
        assert (one["category"], one["description"]) == (CATALOGUE[one["type"]][0], CATALOGUE[one["type"]][2])
        Draft202012Validator(one["schema"]).validate(one["example"])
        assert one["example"]["type"] == one["type"]
    events = (await get(account, f"{address}/events"))["items"]
    assert len(events) == 4
    for event in events:
        Draft202012Validator(by_type[event["type"]]["schema"]).validate(event)
        other = next(one for one in listed if one["type"] != event["type"])
        assert not Draft202012Validator(other["schema"]).is_valid(event)


def test_the_catalogue_has_every_event_type() -> None:
    assert set(CATALOGUE) == set(EventType)


async def test_the_catalogue_is_paged_like_every_list(account: Account) -> None:
    first = await get(account, f"/webhooks/customer/{account.id}/event-types", limit=5)
    seen = [one["type"] for one in first["items"]]
    while first["next"]:
        first = (await account.api.get(first["next"])).json()
        seen += [one["type"] for one in first["items"]]
    assert seen == sorted(CATALOGUE)
