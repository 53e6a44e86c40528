"""Invites, and the links in their emails."""

import re
from dataclasses import replace
from typing import Any

import msgspec
from actors import Account

from factories.requests import PREFIX, post
from formwright.context import AppContext
from formwright.domain.invites import scheduler
from formwright.domain.invites import service as invites
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import MailStatus
from formwright.domain.mail.templates import RenderedEmail

VISITOR = "ann@example.com"
CLIENT_ID = "0f8fad5b-d9cb-469f-a165-70867728950e"


async def invite(account: Account, form: dict[str, Any], **members: Any) -> dict[str, Any]:
    """Create an invite, by default for a new address."""
    whom = {} if "userId" in members else {"email": VISITOR}
    return await post(account, f"/customers/{account.id}/invites", {"formId": form["id"]} | whom | members)


async def rendered_emails(ctx: AppContext, customer_id: str, invite_id: str) -> list[RenderedEmail]:
    """Return the texts of the emails that wait for an invite, newest first."""
    sql = "SELECT body FROM mails WHERE customer_id = $1 AND subject_id = $2 AND body IS NOT NULL ORDER BY id DESC"
    async with ctx.db.reading() as tx:
        rows = await tx.fetch(sql, customer_id, invite_id)
    return [msgspec.json.decode(ctx.secret_box.open(row[0]), type=RenderedEmail) for row in rows]


async def link(account: Account, invite: dict[str, Any]) -> str:
    """Return the path of the link in the newest email."""
    [email, *_] = await rendered_emails(account.ctx, account.id, invite["id"])
    found = re.search(r"/fill/\w+", email.text)
    assert found
    return found[0]


async def note(
    account: Account, invite: dict[str, Any], status: MailStatus = MailStatus.SENT, detail: str = ""
) -> None:
    """Record the outcome of an email like the mail queue does."""
    async with account.ctx.db.writing() as tx:
        found = await mail.find_latest(tx, account.id, purpose="invite", subject_id=invite["id"])
        assert found
        await invites.handle_mail_result(tx, replace(found, status=status, detail=detail))


async def every_state(account: Account, form: dict[str, Any]) -> None:
    """Create invites in every state, through the actions of recipient, mail server, sender and clock."""
    completed, declined, revoked, failed, expired = [await invite(account, form) for _ in range(5)]
    filled = {"versionId": form["publishedVersionId"], "data": {"site": "Quay 9"}}
    async with account.stage.client() as http:
        await http.post(f"{await link(account, completed)}/submissions/{CLIENT_ID}", json=filled)
        await http.post(f"{await link(account, declined)}/decline", data={"reason": "On holiday"})
    await account.api.post(f"{PREFIX}/customers/{account.id}/invites/{revoked['id']}/revoke")
    await note(account, failed, MailStatus.FAILED, "The mail server responded 550")
    await account.api.post(f"{PREFIX}/customers/{account.id}/invites/{failed['id']}/resend")
    async with account.ctx.db.writing() as tx:
        sql = "UPDATE invites SET expires = 1, due = 1 WHERE customer_id = $1 AND id = $2"
        await tx.execute(sql, account.id, expired["id"])
        await scheduler.run_due(tx, account.ctx.secret_box, account.id, expired["id"])
