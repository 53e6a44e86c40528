"""No request for a page holds a transaction while it opens another: with a few connections, all could wait forever."""

import pytest
from actors import Account
from contracts.test_audit import ids_of
from contracts.test_page_permissions import NEVER, OPEN, page_calls, send
from factories.sample_account import world
from factories.web_client import visit
from fixtures.transaction_recorder import count_statements, recording

SEVERAL = {
    "GET /submissions/download.csv": "a stream of batches",
    "GET /submissions/download.parquet": "waits until its file is written",
    "GET /submissions/download.xlsx": "waits until its file is written",
    "GET /submissions/download.pdf.zip": "waits until its file is written",
    "GET /submissions/download.ndjson": "a stream of batches",
    "GET /forms/{form_id}/map/points": "a stream of batches",
    "GET /forms/{form_id}/summary": "counts while the page is sent",
}
"""Pages that read in more than one transaction, with the reason."""


async def test_a_page_has_one_transaction_at_a_time(account: Account) -> None:
    ids = await ids_of(account, await world(account))
    async with visit(account) as site:
        with recording(account.ctx) as recorder:
            for call in page_calls(account):
                if call not in OPEN and not any(name in call for name in NEVER):
                    recorder.reset()
                    await send(site, call, ids)
                    assert recorder.most <= 1, f"{call} opens a transaction while it has another one"


async def test_a_page_is_read_in_one_transaction(account: Account) -> None:
    ids = await ids_of(account, await world(account))
    several: dict[str, int] = {}
    async with visit(account) as site:
        with recording(account.ctx) as recorder:
            for call in page_calls(account):
                if call.startswith("GET ") and call not in OPEN and not any(name in call for name in NEVER):
                    recorder.reset()
                    response = await send(site, call, ids)
                    # Downloads that take longer than a second lead to a page with their progress.
                    if not response.is_error and recorder.readings > 1:
                        several[call] = recorder.readings
    assert several.keys() == SEVERAL.keys(), several


MOST_STATEMENTS = 12


@pytest.mark.parametrize("query", ["?form={formId}", ""], ids=["of a form", "of all forms"])
async def test_the_list_of_submissions_needs_few_statements(account: Account, query: str) -> None:
    made = await world(account)
    async with visit(account) as site:
        with recording(account.ctx) as recorder, count_statements() as statements:
            response = await site.http.get(f"/submissions{query.format(**made.ids)}")
    assert response.status_code == 200
    assert "row-link" in response.text
    assert (len(statements) <= MOST_STATEMENTS, recorder.readings) == (True, 1), statements
