"""Comments on submissions: they are written by reviewers, and mention users, who receive an email."""

from collections.abc import Sequence

from formwright.core.auth.actor import Actor, Scope, allow, is_allowed
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault, pointer, require
from formwright.core.events import Event, EventType
from formwright.core.pagination import Page, Window
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.submissions import comment_store, service
from formwright.domain.submissions.comment_emails import CommentMailer, send_emails
from formwright.domain.submissions.models import (
    MAX_COMMENTS,
    Comment,
    CommentByOther,
    CommentLimitReached,
    CommentNotFound,
    NewComment,
)
from formwright.domain.users import service as people
from formwright.domain.users.models import User, UserNotFound, UserStatus

_NO_ACCESS = ValidationFault(
    "", "comment.mention_without_access", "This user cannot see the submission, so they cannot be mentioned."
)


async def page(tx: ReadTransaction, actor: Actor, window: Window, *, submission_id: str) -> Page[Comment]:
    """Return a page of the comments on a submission, oldest first; raises `SubmissionNotFound`."""
    await service.get(tx, actor, submission_id=submission_id)
    return await comment_store.page(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id, window)


async def get(tx: ReadTransaction, actor: Actor, *, submission_id: str, comment_id: str) -> Comment:
    """Return a comment; raises `SubmissionNotFound` or `CommentNotFound`."""
    await service.get(tx, actor, submission_id=submission_id)
    return await _get(tx, allow(actor, Permission.SUBMISSIONS_READ), submission_id, comment_id)


async def _get(tx: ReadTransaction, scope: Scope, submission_id: str, comment_id: str) -> Comment:
    return require(await comment_store.find(tx, scope, submission_id, comment_id), CommentNotFound)


async def create(
    tx: WriteTransaction, actor: Actor, mailer: CommentMailer, new: NewComment, *, submission_id: str
) -> Comment:
    """Create a comment, and queue an email to each mentioned user except the author.

    Mentioning users requires the permission to see users. Raises `SubmissionNotFound`, `CommentLimitReached`, or
    `Invalid` if the text is empty or a mentioned user cannot see the submission.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    submission = await service.get(tx, actor, submission_id=submission_id, permission=Permission.SUBMISSIONS_EDIT)
    form = require(await forms.find(tx, scope, submission.form_id), FormNotFound)
    mentioned, errors = await _find_mentioned(tx, actor, form, new.mentions)
    body = new.body.strip()
    if not body:
        errors.append(ValidationFault("/body", "value.required", "Enter a comment."))
    if errors:
        raise Invalid(errors)
    if await comment_store.count(tx, scope, submission_id) >= MAX_COMMENTS:
        raise CommentLimitReached()
    author_id = actor.author_id or actor.id
    comment = Comment(
        tx.new_id("cmt"), scope.customer_id, submission_id, form.id, author_id, body, tuple(new.mentions), now
    )
    await comment_store.insert(tx, comment)
    tx.record(Event(EventType.COMMENT_CREATED, scope.customer_id, comment))
    await send_emails(tx, mailer, comment, form, actor, [user for user in mentioned if user.id != author_id])
    return comment


async def delete(tx: WriteTransaction, actor: Actor, *, submission_id: str, comment_id: str) -> None:
    """Delete a comment of the actor.

    Raises `SubmissionNotFound`, `CommentNotFound`, or `CommentByOther`.
    """
    scope, _ = await account_lock.begin_change(tx, actor, Permission.SUBMISSIONS_EDIT)
    await service.get(tx, actor, submission_id=submission_id, permission=Permission.SUBMISSIONS_EDIT)
    comment = await _get(tx, scope, submission_id, comment_id)
    if comment.author_id != (actor.author_id or actor.id):
        raise CommentByOther()
    await comment_store.delete(tx, scope, submission_id, comment_id)
    tx.record(Event(EventType.COMMENT_DELETED, scope.customer_id, comment))


async def _find_mentioned(
    tx: ReadTransaction, actor: Actor, form: Form, user_ids: Sequence[str]
) -> tuple[list[User], list[ValidationFault]]:
    """Return the mentioned users, and an error for each that does not exist or cannot see the submission."""
    found = await people.find_many(tx, actor, user_ids) if user_ids else {}
    users: list[User] = []
    errors: list[ValidationFault] = []
    for index, user_id in enumerate(user_ids):
        user, at = found.get(user_id), pointer("mentions", index)
        if user_id in user_ids[:index]:
            errors.append(ValidationFault(at, "value.repeated", "This user is mentioned twice."))
        elif user is None:
            errors.append(ValidationFault(at, UserNotFound.code, UserNotFound.detail))
        elif not await _may_see(tx, user, form):
            errors.append(ValidationFault(at, _NO_ACCESS.code, _NO_ACCESS.detail))
        else:
            users.append(user)
    return users, errors


async def _may_see(tx: ReadTransaction, user: User, form: Form) -> bool:
    if user.status is UserStatus.DISABLED:
        return False
    actor = await people.load_actor(tx, user)
    return is_allowed(actor, Permission.SUBMISSIONS_READ, form_id=form.id, folder_id=form.folder_id)
