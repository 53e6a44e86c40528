"""Comments on submissions: who may write and read them, whom they mention, and when they are removed."""

from typing import Any

import msgspec
import pytest
from actors import Account, Stage
from factories.forms import form
from factories.requests import PREFIX, get
from factories.submissions import submission
from factories.users import built_in, member, role, user

from formwright.core.auth.actor import ResourceType
from formwright.core.errors import Denied
from formwright.domain.mail.templates import RenderedEmail
from formwright.domain.submissions import comments
from formwright.domain.submissions.comment_emails import CommentMailer
from formwright.domain.submissions.models import NewComment
from formwright.domain.users.models import Grant

HOSTILE = "<script>alert(1)</script> **bold** [x](https://evil.example)"


def _path(account: Account, submission_id: str, rest: str = "") -> str:
    return f"{PREFIX}/customers/{account.id}/submissions/{submission_id}/comments{rest}"


async def _comment(account: Account, submission_id: str, **body: Any) -> dict[str, Any]:
    response = await account.api.post(_path(account, submission_id), json={"body": "Which quay?"} | body)
    assert response.status_code == 201, response.text
    assert response.headers["location"].endswith(f"/comments/{response.json()['id']}")
    comment: dict[str, Any] = response.json()
    return comment


async def _comments(account: Account, submission_id: str) -> list[dict[str, Any]]:
    return list((await account.api.get(_path(account, submission_id))).json()["items"])


async def _emails(account: Account, user_id: str) -> list[RenderedEmail]:
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch(
            "SELECT body FROM mails WHERE customer_id = $1 AND purpose = 'mention' AND subject_id = $2",
            account.id,
            user_id,
        )
    return [msgspec.json.decode(account.ctx.secret_box.open(row[0]), type=RenderedEmail) for row in rows]


async def _viewer_of(account: Account, form_id: str) -> str:
    """Add a user who can only view the submissions of one form; returns their id."""
    return (await member(account, Grant(await built_in(account, "Data viewer"), ResourceType.FORM, form_id))).id


async def test_a_comment_mails_the_mentioned_and_records_an_event_and_an_audit_entry(account: Account) -> None:
    new_form = await form(account, name="Site <b>visit</b>")
    filled = await submission(account, new_form)
    mentioned = [account.owner.id, await _viewer_of(account, new_form["id"])]
    comment = await _comment(account, filled["id"], body=f"  {HOSTILE}\n", mentions=mentioned)
    assert (comment["body"], comment["mentions"], comment["formId"]) == (HOSTILE, mentioned, new_form["id"])
    later = await _comment(account, filled["id"])
    assert [one["id"] for one in await _comments(account, filled["id"])] == [comment["id"], later["id"]]
    for user_id in mentioned:
        (email,) = await _emails(account, user_id)
        assert f"/submissions/{filled['id']}#{comment['id']}" in email.text
        assert "alert(1)" not in email.text + email.html
        assert "<b>" not in email.html
    deleted = await account.api.delete(_path(account, filled["id"], f"/{comment['id']}"))
    assert deleted.status_code == 204
    assert await _comments(account, filled["id"]) == [later]
    events = (await get(account, f"/webhooks/customer/{account.id}/events", type="comment.*", formId=new_form["id"]))[
        "items"
    ]
    assert [event["type"] for event in events] == ["comment.created", "comment.created", "comment.deleted"]
    assert events[2]["data"] == comment
    audited = (await get(account, f"/customers/{account.id}/audit", resourceType="comment"))["items"]
    assert [entry["action"] for entry in audited] == ["comment.deleted", "comment.created", "comment.created"]
    assert HOSTILE not in str(audited)


async def test_bad_comments_are_rejected_and_leave_nothing(account: Account, stage: Stage) -> None:
    filled, other = await submission(account, await form(account)), await form(account, name="Other")
    outsider = await _viewer_of(account, other["id"])
    disabled = (await user(account)).id
    await account.api.put(f"{PREFIX}/customers/{account.id}/users/{disabled}", json={"status": "DISABLED"})
    async with stage.account() as stranger:
        foreign = stranger.owner.id
        cases: list[tuple[dict[str, Any], str, str]] = [
            ({"body": ""}, "/body", "value.too_short"),
            ({"body": " \n "}, "/body", "value.required"),
            ({"body": "x" * 4001}, "/body", "value.too_long"),
            ({"body": "a\0b"}, "/body", "value.nul"),
            ({"mentions": [account.owner.id] * 2}, "/mentions/1", "value.repeated"),
            ({"mentions": [foreign]}, "/mentions/0", "user.not_found"),
            ({"mentions": [outsider]}, "/mentions/0", "comment.mention_without_access"),
            ({"mentions": [disabled]}, "/mentions/0", "comment.mention_without_access"),
        ]
        for body, pointer, code in cases:
            response = await account.api.post(_path(account, filled["id"]), json={"body": "Hello"} | body)
            problem = response.json()
            assert (response.status_code, [(e["pointer"], e["code"]) for e in problem["errors"]]) == (
                422,
                [(pointer, code)],
            ), (body, problem)
        theirs = await submission(stranger, await form(stranger))
        comment = await _comment(stranger, theirs["id"])
        for path in (_path(account, theirs["id"]), _path(account, filled["id"], f"/{comment['id']}")):
            assert (await account.api.get(path)).status_code == 404
        assert (await account.api.post(_path(account, theirs["id"]), json={"body": "Hi"})).status_code == 404
    assert await _comments(account, filled["id"]) == []
    assert await _emails(account, outsider) == []


async def test_only_the_author_deletes_a_comment_and_mentions_need_people(account: Account) -> None:
    filled = await submission(account, await form(account))
    comment = await _comment(account, filled["id"])
    permissions = ("submissions:read", "submissions:edit", "forms:read")
    grant = Grant((await role(account, *permissions))["id"], ResourceType.ACCOUNT, account.id)
    reviewer = await member(account, grant)
    mailer = CommentMailer(account.ctx.secret_box, "https://forms.example.org")
    async with account.ctx.db.writing() as tx:
        own = await comments.create(tx, reviewer, mailer, NewComment("Mine"), submission_id=filled["id"])
    for call in (
        lambda tx: comments.create(
            tx, reviewer, mailer, NewComment("You", [account.owner.id]), submission_id=filled["id"]
        ),
        lambda tx: comments.delete(tx, reviewer, submission_id=filled["id"], comment_id=comment["id"]),
    ):
        with pytest.raises(Denied):
            async with account.ctx.db.writing() as tx:
                await call(tx)
    assert (await account.api.delete(_path(account, filled["id"], f"/{own.id}"))).status_code == 403
    async with account.ctx.db.writing() as tx:
        await comments.delete(tx, reviewer, submission_id=filled["id"], comment_id=own.id)
    assert await _comments(account, filled["id"]) == [comment]


async def test_comments_go_with_their_submission_and_are_hidden_in_the_trash(account: Account) -> None:
    new_form = await form(account)
    filled, kept = await submission(account, new_form), await submission(account, new_form)
    for one in (filled, kept):
        await _comment(account, one["id"], body=HOSTILE)
    assert (await account.api.delete(f"{PREFIX}/customers/{account.id}/submissions/{filled['id']}")).status_code == 204
    async with account.ctx.db.reading() as tx:
        rows = await tx.fetch("SELECT submission_id FROM submission_comments WHERE customer_id = $1", account.id)
    assert [row[0] for row in rows] == [kept["id"]]
    form_path = f"{PREFIX}/forms/customer/{account.id}/forms/{new_form['id']}"
    assert (await account.api.delete(form_path)).status_code in (200, 204)
    assert (await account.api.get(_path(account, kept["id"]))).status_code == 404


async def test_a_submission_has_at_most_500_comments(account: Account) -> None:
    filled = await submission(account, await form(account))
    await _comment(account, filled["id"])
    async with account.ctx.db.writing() as tx:
        for number in range(499):
            await tx.execute(
                "INSERT INTO submission_comments (customer_id, submission_id, created, id, form_id, author_id, body,"
                " mentions) SELECT customer_id, submission_id, created, $3, form_id, author_id, body, mentions"
                " FROM submission_comments WHERE customer_id = $1 AND submission_id = $2 AND id LIKE 'cmt_%' LIMIT 1",
                account.id,
                filled["id"],
                f"copy{number:03}",
            )
    response = await account.api.post(_path(account, filled["id"]), json={"body": "One more"})
    assert (response.status_code, response.json()["code"]) == (409, "comment.limit_reached")
