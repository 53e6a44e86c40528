"""Submissions."""

from typing import Any

from actors import Account

from formwright.domain.submissions import respond
from formwright.domain.submissions.models import Submission


async def submission(account: Account, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Create a submission through the API."""
    body = {"data": {"site": "Harbour", "people": 3}} | members
    path = f"/api/v1.0/customers/{account.id}/forms/{form['id']}/submissions"
    response = await account.api.post(path, json=body)
    assert response.status_code == 201, response.text
    submission: dict[str, Any] = response.json()
    return submission


async def started(account: Account, form: dict[str, Any], client_id: str, **data: Any) -> Submission:
    """Save a submission that somebody has begun on the page."""
    async with account.ctx.db.writing() as tx:
        return await respond.save_draft(
            tx,
            account.actor,
            form_id=form["id"],
            version_id=form["publishedVersionId"],
            client_id=client_id,
            data=data,
        )
