"""Comments on a submission: its section of the page, and what its forms do."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import Conflict, Invalid, NotFound
from formwright.core.pagination import Window
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.submissions import comments
from formwright.domain.submissions.comment_emails import CommentMailer
from formwright.domain.submissions.models import MAX_COMMENTS, NewComment, Submission
from formwright.domain.users import service as people
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.session import Visitor
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.autocomplete import (
    MAX_CHOICES,
    MAX_PLAIN_OPTIONS,
    choices_response,
    find_assignable_people,
    list_choices,
    search_urls,
)
from formwright.web.views.form_input import read_text
from formwright.web.views.submissions.answer_conditions import search_rows

MAX_BODY = 4000
MAX_MENTIONS = 20


@dataclass(frozen=True, slots=True)
class ShownComment:
    """A comment of the page. `delete_url` is empty if somebody else wrote it."""

    id: str
    author: str
    time: DisplayTime
    body: str
    mentions: Sequence[str]
    delete_url: str


@dataclass(frozen=True, slots=True)
class CommentForm:
    """What somebody entered as a new comment, and why the server rejected it."""

    body: str = ""
    mentions: Sequence[str] = ()
    fault: str = ""
    mentions_fault: str = ""


@dataclass(frozen=True, slots=True)
class CommentSection:
    """The section with the comments. `people` are the names by id of the people to mention."""

    shown: Sequence[ShownComment]
    form: CommentForm
    people: Mapping[str, str]
    search_url: str


async def load_section(tx: ReadTransaction, visitor: Visitor, record: Submission, form: CommentForm) -> CommentSection:
    """Return the section of a submission's comments."""
    found = (await comments.page(tx, visitor.actor, Window(MAX_COMMENTS), submission_id=record.id)).items
    user_ids = {user_id for comment in found for user_id in (comment.author_id, *comment.mentions)}
    names = await load_author_names(tx, visitor.actor, user_ids)
    shown = [
        ShownComment(
            id=comment.id,
            author=names[comment.author_id],
            time=format_time(comment.created, visitor.customer.time_zone),
            body=comment.body,
            mentions=[names[user_id] for user_id in comment.mentions],
            delete_url=f"/submissions/{record.id}/comments/{comment.id}/delete"
            if comment.author_id == visitor.actor.id
            else "",
        )
        for comment in found
    ]
    options = await _mention_options(tx, visitor, form.mentions)
    return CommentSection(shown, form, options, search_urls("/submissions", people=options)["people"])


async def _mention_options(tx: ReadTransaction, visitor: Visitor, chosen_ids: Sequence[str]) -> dict[str, str]:
    """Return the names by id of the first people and the chosen ones; none if the visitor may not see people."""
    if not {Permission.PEOPLE_READ, Permission.SUBMISSIONS_EDIT} <= visitor.actor.permissions:
        return {}
    # One more than a plain list has, so that the field searches if there are more.
    first = await find_assignable_people(tx, visitor, "", MAX_PLAIN_OPTIONS + 1)
    chosen = await people.find_many(tx, visitor.actor, chosen_ids) if chosen_ids else {}
    return {user_id: user.name for user_id, user in chosen.items()} | {id_: name for id_, name, _ in first}


@get("/submissions/choices")
async def search_choices(page: Page) -> Response:
    """People to mention, and rows of lookups to filter by, as somebody types."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    if page.query.get("kind") == "rows":
        return list_choices(await search_rows(page, MAX_CHOICES + 1))
    return await choices_response(page, Permission.SUBMISSIONS_READ)


async def create_comment(page: Page, submission_id: str) -> CommentForm | None:
    """Create the comment that a request sends. Returns what was entered, with the errors, if it was rejected."""
    sent = await page.form()
    # One character more than allowed, so that a longer text is rejected and not cut.
    body = read_text(sent, "body", MAX_BODY + 1)
    mentions = list(dict.fromkeys(str(value) for value in sent.getall("mentions", [])))
    if len(body) > MAX_BODY:
        return CommentForm(body, mentions, f"Enter at most {MAX_BODY:,} characters.")
    if len(mentions) > MAX_MENTIONS:
        return CommentForm(body, mentions, mentions_fault=f"Mention at most {MAX_MENTIONS} people.")
    mailer = CommentMailer(page.ctx.secret_box, page.origin)
    try:
        async with page.writing() as tx:
            await comments.create(tx, page.actor, mailer, NewComment(body, mentions), submission_id=submission_id)
    except Conflict as error:
        return CommentForm(body, mentions, str(error))
    except Invalid as error:
        return await _rejected(page, CommentForm(body, mentions), error)
    return None


async def _rejected(page: Page, form: CommentForm, error: Invalid) -> CommentForm:
    """Return the form with its errors. Those of mentions name the people."""
    fault = next((one.detail for one in error.faults if not one.pointer.startswith("/mentions")), "")
    rejected = [one for one in error.faults if one.pointer.startswith("/mentions")]
    if not rejected:
        return CommentForm(form.body, form.mentions, fault)
    ids = [form.mentions[int(one.pointer.rpartition("/")[2])] for one in rejected]
    found = await people.find_many(page.tx, page.actor, ids)
    names = ", ".join(found[id_].name for id_ in ids if id_ in found)
    mentions_fault = f"They can’t see this submission: {names}." if names else "Choose people from the list."
    return CommentForm(form.body, form.mentions, fault, mentions_fault)


@post("/submissions/{submission_id:str}/comments/{comment_id:str}/delete")
async def delete_comment(page: Page, submission_id: str, comment_id: str) -> Response:
    """Delete a comment that the visitor wrote."""
    try:
        async with page.writing() as tx:
            await comments.delete(tx, page.actor, submission_id=submission_id, comment_id=comment_id)
    except NotFound:
        pass  # The button was pressed twice, or the submission is gone, which the next page says.
    return Redirect(f"/submissions/{submission_id}#comments")
