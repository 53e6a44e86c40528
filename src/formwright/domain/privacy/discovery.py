"""Finds what there is of a person."""

import re
from collections.abc import Sequence
from dataclasses import replace

from formwright.core.auth.actor import Actor, Scope
from formwright.core.auth.permissions import Permission
from formwright.core.auth.policy import allow_everywhere
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
from formwright.domain.users import management
from formwright.domain.users.models import normalise_email

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
    """The account, for who may do this: it needs all of people, submissions and invites, wherever they are."""
    return [allow_everywhere(actor, permission) for permission in _REQUIRED][-1]


async def find(tx: ReadTransaction, actor: Actor, subject: Subject) -> PersonalData:
    """All there is. `UserNotFound`, `FormNotFound` or `Invalid` where the subject makes no sense."""
    scope = require_permissions(actor)
    addresses: Sequence[str] = ()
    invite_ids: Sequence[str] = ()
    found: dict[str, str] = {}
    if subject.form_id:
        asked = await _build_condition(tx, actor, subject)
        found = await _find_submissions(tx, actor, SubmissionFilter(form_ids=[subject.form_id], answers=[asked]))
        deleted = await deleted_submissions.find_deleted(
            tx, scope, lambda one: one.form_id == subject.form_id and matches(asked, one.answers)
        )
    else:
        if subject.user_id:
            await management.get(tx, actor, user_id=subject.user_id)
            found = await _find_submissions(tx, actor, SubmissionFilter(user_id=subject.user_id))
        # The address under which she signs in may be another person's as well: an old mailbox given to somebody new.
        addresses = [normalise_email(subject.email)] if subject.email else []
        invite_ids = await store.list_invite_ids(tx, scope, subject.user_id, addresses)
        for invite_id in invite_ids:
            found |= await _find_submissions(tx, actor, SubmissionFilter(invite_id=invite_id))
        hers, invited = subject.user_id, frozenset(invite_ids)
        deleted = await deleted_submissions.find_deleted(
            tx, scope, lambda one: bool(hers and one.user_id == hers) or one.invite_id in invited
        )
    ids = list(found)
    return PersonalData(
        subject=subject,
        submission_ids=ids,
        deleted_submission_ids=list(deleted),
        form_ids=sorted({*found.values(), *deleted.values()}),
        invite_ids=invite_ids,
        addresses=addresses,
        files=await store.count_files(tx, scope, ids),
        mails=await store.count_mails(tx, scope, addresses, _mail_subject_ids(subject, invite_ids)),
    )


def _mail_subject_ids(subject: Subject, invite_ids: Sequence[str]) -> list[str]:
    return [one for one in (*invite_ids, subject.user_id) if one]


async def find_or_raise(tx: ReadTransaction, actor: Actor, subject: Subject) -> PersonalData:
    """All there is; `NothingFound` where that is nothing."""
    found = await find(tx, actor, subject)
    if found.is_empty:
        raise NothingFound()
    return found


def audit_start(tx: WriteTransaction, actor: Actor, found: PersonalData, action: str) -> None:
    """Say for the audit log what is about to be done with the data."""
    tx.audit(AuditNote(require_permissions(actor).customer_id, f"user.{action}", found.user_id))


async def _build_condition(tx: ReadTransaction, actor: Actor, subject: Subject) -> Condition:
    form = await forms.get(tx, actor, form_id=subject.form_id)
    if not re.fullmatch(r"[A-Za-z]\w*", subject.field, re.ASCII):
        # A word in brackets would find all who answered otherwise.
        raise Invalid([ValidationFault("?field", "query.answers.unknown", "Write the name of one field.")])
    asked = await build_equality(tx, actor, subject.field, subject.value, form_id=form.id)
    if isinstance(asked, ValidationFault):
        raise Invalid([replace(asked, pointer="?field")])
    return asked


async def _find_submissions(tx: ReadTransaction, actor: Actor, wanted: SubmissionFilter) -> dict[str, str]:
    """The form of each submission, by its id. `TooMany` beyond what one person can have filled in."""
    window: Window | None = Window(MAX_LIMIT)
    found: dict[str, str] = {}
    while window:
        page = await submissions.page(tx, actor, wanted, window)
        found |= {one.id: one.form_id for one in page.items}
        if len(found) > MAX_SUBMISSIONS:
            raise TooManySubmissions()
        window = Window(MAX_LIMIT, page.next) if page.next else None
    return found
