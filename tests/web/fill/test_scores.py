"""The score of a quiz on the page: what people see after submitting, online and offline."""

import json
from typing import Any

import pytest
from fixtures import axe
from fixtures.fill_pages import AccountApi, Phone, send, set_offline
from playwright.async_api import expect


def options(**points: float) -> list[dict[str, Any]]:
    return [{"value": value, "label": value.capitalize(), "points": one} for value, one in points.items()]


QUIZ: list[dict[str, Any]] = [
    {"name": "capital", "type": "choice", "label": "Which *city*?", "options": options(sydney=0, canberra=2)},
    {"name": "primes", "type": "choices", "label": "Primes?", "options": options(seven=1, nine=-1, eleven=1.5)},
    {"name": "more", "type": "boolean"},
    {"name": "hard", "type": "choice", "options": options(x=4, y=0), "visibleIf": "more"},
    {"name": "rows", "type": "repeat", "min": 1, "fields": [
        {"name": "each", "type": "choice", "options": options(ok=1, bad=0)}]},
    {"name": "total", "type": "decimal", "hidden": True, "calculate": "score()"},
]  # fmt: skip


@pytest.mark.slow
async def test_results_are_shown_after_submitting_also_offline(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(*QUIZ, score={"show": "results", "passPercent": 70})
    path = f"/api/v1.0/forms/customer/{api.customer_id}/forms/{form.id}"
    assert (await api.http.put(path, json={"publicLink": {"redirectUrl": f"{form.url}?next"}})).is_success
    page = await phone.open(form.url)
    await axe.bring(page)
    await page.reload()
    await phone.wait_until_cached(page)
    await set_offline(phone.context)
    await page.get_by_text("Canberra").click()
    await page.get_by_text("Seven").click()
    await page.get_by_text("Nine").click()
    await page.get_by_role("button", name="Submit").click()
    await expect(page.get_by_role("heading", name="Saved")).to_be_focused()
    await expect(page.get_by_role("heading", name="Your score: 2 of 5.5")).to_be_visible()
    await expect(page.locator("#score > p")).to_have_text(["Not passed", "Needed to pass: 70%"])
    results = page.get_by_role("list").filter(has=page.get_by_role("heading")).get_by_role("listitem")
    assert [(await line.inner_text()).replace("\n\n", "\n") for line in await results.all()] == [
        "Which city?\nCorrect\nYour answer: Canberra\nPoints: 2 of 2",
        "Primes?\nIncorrect\nYour answer: Seven, Nine\nCorrect answer: Seven, Eleven\nPoints: 0 of 2.5",
        "Each\nIncorrect\nNo answer\nCorrect answer: Ok\nPoints: 0 of 1",
    ]
    assert await axe.faults(page) == []
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    await set_offline(phone.context, off=False)
    await form.wait_for_submissions(1)
    assert (await form.data())["total"] == 2.0

    await page.get_by_role("button", name="Submit another response").click()
    await expect(page.get_by_role("heading", name="Your score")).to_be_hidden()
    for text in ("Canberra", "Seven", "Eleven", "Ok"):
        await page.get_by_text(text, exact=True).click()
    await send(page)
    await expect(page.get_by_role("heading", name="Your score: 5.5 of 5.5")).to_be_visible()
    await expect(page.get_by_text("Passed", exact=True)).to_be_visible()
    await expect(page.get_by_role("link", name="Continue")).to_have_attribute("href", f"{form.url}?next")
    phone.ignore_errors()


@pytest.mark.slow
async def test_points_stay_on_the_server_unless_they_are_shown(api: AccountApi, phone: Phone) -> None:
    form = await api.create_form(*QUIZ)
    page = await phone.open(form.url)
    assert "points" not in json.dumps(await page.evaluate("document.getElementById('form-data').textContent")).lower()
    await page.get_by_text("Canberra").click()
    await send(page)
    await expect(page.locator("#score")).to_be_hidden()
    assert (await form.data())["total"] == 2.0
