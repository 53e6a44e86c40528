"""Finds the personal data of one person."""

import re
from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope, allow_everywhere
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, ValidationFault
from formwright.core.events import AuditNote
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.domain.forms import service as forms
from formwright.domain.privacy import deleted_submissions, store
from formwright.domain.privacy.models import MAX_SUBMISSIONS, NothingFound, PersonalData, Subject, TooManySubmissions
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_filters import Condition, build_equality
from formwright.domain.submissions.answer_index import matches
from formwright.domain.submissions.models import SubmissionFilter
from formwright.domain.trash import deleted_forms, deleted_people
from formwright.domain.users import management
from formwright.domain.users.models import UserDetails, normalise_email

_REQUIRED = (
    Permission.PEOPLE_MANAGE,
    Permission.PEOPLE_READ,
    Permission.FORMS_READ,
    Permission.SUBMISSIONS_READ,
    Permission.SUBMISSIONS_EDIT,
    Permission.INVITES_READ,
    Permission.INVITES_MANAGE,
)


def require_permissions(actor: Actor) -> Scope:
    """Return the scope of the account; raises `Denied` without all permissions for users, submissions and invites.

    They must apply to the whole account, because the data may be in any form.
    """
    return [allow_everywhere(actor, permission) for permission in _REQUIRED][-1]


def including_trash(actor: Actor) -> Actor:
    """Return the actor, who also sees the submissions and invites of forms in the trash."""
    return replace(actor, sees_deleted=True)


async def get_user(tx: ReadTransaction, actor: Actor, user_id: str) -> UserDetails:
    """Return a user, also one in the trash. Raises `UserNotFound`."""
    deleted = await deleted_people.find_deleted_user(tx, require_permissions(actor), user_id)
    return deleted or await management.get(tx, actor, user_id=user_id)


async def find(tx: ReadTransaction, actor: Actor, subject: Subject) -> PersonalData:
    """Find all data of the subject, also in the trash.

    Raises `UserNotFound`, `FormNotFound`, `TooManySubmissions` or `Invalid`.
    """
    scope, actor = require_permissions(actor), including_trash(actor)
    addresses: Sequence[str] = ()
    invite_ids: Sequence[str] = ()
    form_ids: dict[str, str] = {}
    if subject.form_id:
        condition = await _build_condition(tx, actor, subject)
        criteria = SubmissionFilter(form_ids=[subject.form_id], answers=[condition])
        form_ids = await _find_submissions(tx, actor, criteria)
        deleted = await deleted_submissions.find_deleted(
            tx, scope, lambda item: item.form_id == subject.form_id and matches(condition, item.answers)
        )
    else:
        if subject.user_id:
            await get_user(tx, actor, subject.user_id)
            form_ids = await _find_submissions(tx, actor, SubmissionFilter(user_id=subject.user_id))
        # Do not search for the user's own email address: a mailbox may have belonged to another person before.
        addresses = [normalise_email(subject.email)] if subject.email else []
        invite_ids = await store.list_invite_ids(tx, scope, subject.user_id, addresses)
        for invite_id in invite_ids:
            form_ids |= await _find_submissions(tx, actor, SubmissionFilter(invite_id=invite_id))
        user_id, invited = subject.user_id, frozenset(invite_ids)
        deleted = await deleted_submissions.find_deleted(
            tx, scope, lambda item: bool(user_id and item.user_id == user_id) or item.invite_id in invited
        )
    ids = list(form_ids)
    return PersonalData(
        subject=subject,
        submission_ids=ids,
        deleted_submission_ids=list(deleted),
        form_ids=sorted({*form_ids.values(), *deleted.values()}),
        invite_ids=invite_ids,
        addresses=addresses,
        files=await store.count_files(tx, scope, ids),
        mails=await store.count_mails(tx, scope, addresses, [*_mail_subject_ids(subject, invite_ids), *ids, *deleted]),
    )


def _mail_subject_ids(subject: Subject, invite_ids: Sequence[str]) -> list[str]:
    return [id_ for id_ in (*invite_ids, subject.user_id) if id_]


async def find_or_raise(tx: ReadTransaction, actor: Actor, subject: Subject) -> PersonalData:
    """Find all data of the subject; raises `NothingFound` if there is none."""
    found = await find(tx, actor, subject)
    if found.is_empty:
        raise NothingFound()
    return found


def audit_start(tx: WriteTransaction, actor: Actor, data: PersonalData, action: str) -> None:
    """Record in the audit log that an action, such as an export, is about to be applied to the data."""
    tx.audit(AuditNote(require_permissions(actor).customer_id, f"user.{action}", data.user_id))


async def _build_condition(tx: ReadTransaction, actor: Actor, subject: Subject) -> Condition:
    if not await deleted_forms.is_deleted(tx, require_permissions(actor), subject.form_id):
        await forms.get(tx, actor, form_id=subject.form_id)
    if not re.fullmatch(r"[A-Za-z]\w*", subject.field, re.ASCII):
        # Do not accept operators: [ne] would find the data of everyone else.
        raise Invalid([ValidationFault("?field", "query.answers.unknown", "Enter the name of one field.")])
    condition = await build_equality(tx, actor, subject.field, subject.value, form_id=subject.form_id)
    if isinstance(condition, ValidationFault):
        raise Invalid([replace(condition, pointer="?field")])
    return condition


async def _find_submissions(tx: ReadTransaction, actor: Actor, criteria: SubmissionFilter) -> dict[str, str]:
    """Return the form ids of the matching submissions by submission id. Raises `TooManySubmissions`."""
    window: Window | None = Window(MAX_LIMIT)
    found: dict[str, str] = {}
    while window:
        page = await submissions.page(tx, actor, criteria, window)
        found |= {submission.id: submission.form_id for submission in page.items}
        if len(found) > MAX_SUBMISSIONS:
            raise TooManySubmissions()
        window = Window(MAX_LIMIT, page.next) if page.next else None
    return found
