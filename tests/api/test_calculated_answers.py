"""Calculated answers that are none of the options are submitted, listed, summarised and exported like any other."""

from actors import Account
from factories.forms import form
from factories.requests import get, post
from factories.submissions import submission

from formwright.worker.exports import ExportWorker

OPTIONS = [{"value": "a", "label": "A"}, {"value": "b", "label": "B"}]
FIELDS = [
    {"type": "text", "name": "code", "label": "Code"},
    {"type": "choice", "name": "one", "label": "One", "options": OPTIONS, "calculate": "code", "indexed": True},
    {"type": "choices", "name": "many", "label": "Many", "options": OPTIONS, "calculate": "[code, 'a']"},
    {"type": "ranking", "name": "order", "label": "Order", "options": OPTIONS, "calculate": "[code]"},
    {"type": "rating", "name": "stars", "label": "Stars", "max": 5, "calculate": "size(code)"},
]


async def test_values_that_are_no_options(account: Account) -> None:
    new_form = await form(account, fields=FIELDS)
    code = "other than those"
    came = await submission(account, new_form, data={"code": code})
    data = {"code": code, "one": code, "many": [code, "a"], "order": [code], "stars": len(code)}
    assert came["data"] == data
    path = f"/forms/customer/{account.id}/forms/{new_form['id']}"
    listed = await get(account, f"/submissions?formId={new_form['id']}")
    assert [one["data"] for one in listed["items"]] == [data]
    counted = await get(account, f"/customers/{account.id}/forms/{new_form['id']}/summary")
    assert code in str(counted)
    [version] = (await get(account, f"{path}/versions"))["items"]
    schema = await get(account, f"{path}/versions/{version['id']}/schema")
    assert "enum" not in schema["properties"]["one"]
    exports = f"/customers/{account.id}/exports"
    for kind in ("CSV", "XLSX", "PARQUET"):
        created = await post(account, exports, {"name": kind, "formId": new_form["id"], "format": kind})
        while await ExportWorker(account.ctx).run_batch():
            pass
        run = (await get(account, f"{exports}/{created['id']}"))["latestRun"]
        assert (run["status"], run["rows"]) == ("COMPLETED", 1)
