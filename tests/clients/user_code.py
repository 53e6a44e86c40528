"""Code as integrators write it. Each line that type checkers must reject says so to mypy and to pyright."""

from datetime import UTC, datetime

from formwright_client import (
    UNSET,
    ApiError,
    AsyncClient,
    AsyncFileCheckpoint,
    AsyncWebhookReceiver,
    Client,
    FileCheckpoint,
    Upload,
    WebhookReceiver,
    etag,
    schemas,
    verify_webhook,
)


def describe(event: schemas.Event) -> str:
    """`type` narrows an event, and a key narrows its data."""
    if event["type"] == "submission.submitted":
        submission = event["data"]
        if "tooLarge" in submission:
            return submission["url"]
        return f"{submission['formId']} {submission['submittedAt']}"
    if event["type"] == "form.published" and "tooLarge" not in event["data"]:
        print(event["data"]["formId"])  # type: ignore[typeddict-item]  # pyright: ignore
        return event["data"]["fillPath"]
    if event["type"] == "form.publish":  # type: ignore[comparison-overlap]  # pyright: ignore
        return ""
    return event["data"]["id"]


def use(client: Client) -> None:
    fields: list[schemas.AnyField] = [
        {"type": "text", "name": "site", "label": "Site", "required": True},
        {"type": "choice", "name": "kind", "label": {"en": "Kind"}, "options": [{"value": "a", "label": "A"}]},
    ]
    form = client.forms.create(name="Visit", fields=fields, publish=True)
    client.forms.create(name="Visit", fields=[{"type": "text", "name": "site", "label": "Site"}], folder_id=None)
    created = client.submissions.create(form["id"], data={"site": "Harbour"}, submitted_at=datetime.now(UTC))
    note = created["note"]
    client.submissions.update(created["id"], status="APPROVED", note=note, external_id=None, if_match=etag(created))
    client.submissions.update(created["id"], user_id=UNSET if note is None else note)
    client.submissions.update(created["id"], status="STARTED")  # type: ignore[arg-type]  # pyright: ignore
    client.submissions.create(form["id"], {"data": {}})  # type: ignore[call-arg]  # pyright: ignore
    client.tasks.create(form["id"], recipients={"users": ["usr_1"]}, complete_when="ALL", due_at="2026-03-29T12:30:00Z")
    tasks: list[schemas.Task] = client.tasks.create_many(form["id"], [{"recipients": {"groups": ["grp_1"]}}])
    sites: list[object] = [
        submission["data"]["site"]
        for submission in client.submissions.list(status=["APPROVED"], answers={"people[gte]": 3}, order="-updated")
    ]
    pages: list[list[schemas.Form]] = list(client.forms.list().pages())
    created_from_file = client.datasources.create_from_file(Upload.csv(b""), name="Sites", key_column="key")
    print(tasks, sites, pages, created_from_file["rowCount"])
    print(client.forms.get("frm_1")["title"])  # type: ignore[typeddict-item]  # pyright: ignore
    try:
        client.subscribers.create(url="https://crm.example.org/hook", types=["submission.*"], headers={"X-Token": "t"})
    except ApiError as error:
        print(error.status, [detail.pointer for detail in error.errors])
    for event in client.events.follow(FileCheckpoint("last"), poll_interval=5):
        print(describe(event))


async def use_async(client: AsyncClient) -> list[str]:
    async def process(event: schemas.Event) -> None:
        print(describe(event))

    checkpoint = AsyncFileCheckpoint("last")
    receiver = AsyncWebhookReceiver(client, "whsec_bmV3", checkpoint, process)
    await receiver.receive({"webhook-id": "evt_1"}, b"")
    AsyncWebhookReceiver(client, "whsec_bmV3", checkpoint, describe)  # type: ignore[arg-type]  # pyright: ignore
    form: schemas.Form = await client.forms.get("frm_1")
    print(client.forms.get("frm_1")["name"])  # type: ignore[index]  # pyright: ignore
    return [form["name"], *[form["name"] async for form in client.forms.list()]]


class OwnCheckpoint:
    def load(self) -> int | None:
        return 1

    def save(self, sequence: int) -> None:
        print(sequence)


WebhookReceiver(Client("https://forms.example.org", "fwk_key"), ["whsec_bmV3"], OwnCheckpoint(), print)
print(verify_webhook("whsec_bmV3", {}, b"")["type"])
