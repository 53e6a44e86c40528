"""What the page records by itself: the time of each question, and the position when the form is opened."""

import csv
import io
from itertools import pairwise
from typing import Any

import pytest
from fixtures.device_storage import read_records
from fixtures.fill_pages import SITE, AccountApi, Form, Phone, send, set_offline
from playwright.async_api import expect

AUDIT = {"name": "times", "type": "file", "hidden": True, "metadata": "audit"}
START = {"name": "start", "type": "location", "hidden": True, "metadata": "startLocation"}
ROWS = {"name": "person", "type": "repeat", "min": 2, "fields": [{"name": "age", "type": "integer"}]}


async def _audit(api: AccountApi, form: Form) -> list[tuple[str, str]]:
    """Return the events of the only submission, after checking their times."""
    [submission] = await form.submissions()
    [id_] = submission["data"]["times"]
    files = f"/api/v1.0/customers/{api.customer_id}/submissions/{submission['id']}/files"
    [file] = (await api.http.get(files)).json()["items"]
    assert (file["id"], file["name"], file["type"]) == (id_, "audit.csv", "text/csv")
    content = (await api.http.get(file["url"])).text
    rows: list[dict[str, Any]] = list(csv.DictReader(io.StringIO(content)))
    assert all(not row["end"] or row["start"] <= row["end"] for row in rows)
    assert all(one["end"] <= next_["start"] for one, next_ in pairwise(rows))
    return [(row["event"], row["node"]) for row in rows]


@pytest.mark.slow
async def test_times_are_recorded_over_reloads_and_offline(api: AccountApi, phone: Phone) -> None:
    page_of_one = {"name": "last", "type": "section", "page": True, "fields": [{"name": "why", "type": "text"}]}
    form = await api.create_form(SITE, ROWS, page_of_one, AUDIT, START)
    page = await phone.open(form.url)
    await page.get_by_text("This form records how long each question takes.").wait_for()
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_label("Site").fill("Pier")
    await page.get_by_label("Age").nth(1).fill("7")
    await page.close()
    page = await phone.open(form.url)
    await page.get_by_role("button", name="Next").click()
    await expect(page.get_by_label("Why")).to_be_visible()
    await page.get_by_role("button", name="Submit").click()
    await page.get_by_role("heading", name="Saved").wait_for()
    # What happens afterwards belongs to no submission.
    await page.close()
    await set_offline(phone.context, off=False)
    page = await phone.open(form.url)
    [submission] = await form.wait_for_submissions(1)
    assert submission["data"]["start"] == {"latitude": 53.541112, "longitude": 9.99, "accuracy": 12}
    assert await _audit(api, form) == [
        ("form start", ""),
        ("question", "/data/site"),
        ("question", "/data/person[2]/age"),
        ("form exit", ""),
        ("form resume", ""),
        ("question", "/data/last/why"),
        ("form finalize", ""),
    ]
    assert await read_records(page, "files") == []
    phone.ignore_errors()


async def test_without_permission_the_position_stays_empty_and_nothing_waits(api: AccountApi, desktop: Phone) -> None:
    form = await api.create_form(SITE, START)
    page = await desktop.open(form.url)
    await page.get_by_label("Site").fill("Pier")
    await send(page)
    assert await form.data() == {"site": "Pier"}
