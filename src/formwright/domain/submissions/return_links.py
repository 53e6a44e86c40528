"""Return links: the secret links with which people return to their own answers.

With the link of a draft, they continue on any device. With that of a submission, they change what they have submitted,
as long as the form allows it. A submission has one link for each channel through which it was given, and only the
hashes of the links are stored.
"""

from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import msgspec
from msgspec import UNSET

from formwright.core import crypto
from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.domain.forms import service as forms
from formwright.domain.forms.form_settings import FormSettings
from formwright.domain.forms.lookups import SeenVersions
from formwright.domain.forms.models import FormNotFound
from formwright.domain.forms.public_link import check_period
from formwright.domain.submissions import respond, return_link_store, review, store
from formwright.domain.submissions.models import (
    LinkChannel,
    LinkEnd,
    LinkState,
    ReturnLinkEnded,
    SavedElsewhere,
    Submission,
    SubmissionOrigin,
    SubmissionStatus,
)
from formwright.domain.submissions.review import SubmissionEdit

Answers = dict[str, Any]
LINK_PREFIX = "r"
HOUR_MS = 3_600_000
LIFETIME_MS = 30 * 24 * HOUR_MS
"""How long the link of a draft works after the answers were last saved with it."""


@dataclass(frozen=True, slots=True)
class ReturnLink:
    """An opened link: its submission as it is now, and its state."""

    submission: Submission
    state: LinkState

    @property
    def is_draft(self) -> bool:
        """Whether the answers have not been submitted yet."""
        return self.submission.status is SubmissionStatus.STARTED

    @property
    def client_id(self) -> str:
        """The id by which the pages of the form know the submission. Those that were not filled in there have none."""
        return self.submission.client_id or str(uuid4())

    @property
    def actor(self) -> Actor:
        """The holder of the link."""
        return actors.link(self.submission.form_id, self.submission.customer_id)


@dataclass(frozen=True, slots=True)
class OpenPage:
    """The open page that saves or submits a draft: its random id, and the last revision it has seen.

    `position` is the name of the page of the form on which the person is.
    """

    editor: str
    revision: int
    position: str | None = None


@dataclass(frozen=True, slots=True)
class NewReturnLink:
    """A link that was just created. `ends` is when it stops working, in milliseconds; None if a review ends it."""

    token: str
    ends: int | None


def is_link(token: str) -> bool:
    """Whether the token of a link has the form of a return link's token."""
    return crypto.is_well_formed(token, LINK_PREFIX)


async def find_link(tx: ReadTransaction, token: str) -> ReturnLink:
    """Return a link, even if it has ended. Raises `FormNotFound` if it or its submission does not exist."""
    found = await return_link_store.find(tx, crypto.fingerprint(token)) if is_link(token) else None
    submission = await store.find(tx, found[0], found[1]) if found else None
    if found is None or submission is None:
        raise FormNotFound("This link opens no form. Ask the person who sent it for a new one.")
    return ReturnLink(submission, found[2])


async def open_link(tx: ReadTransaction, token: str, now: int) -> tuple[Actor, ReturnLink]:
    """Return the actor for a link and the link. Raises `ReturnLinkEnded`, or `FormNotFound` for an unknown link."""
    link = await find_link(tx, token)
    await _check_open(tx, link, now)
    return link.actor, link


async def _check_open(tx: ReadTransaction, link: ReturnLink, now: int) -> None:
    """Raise `ReturnLinkEnded` if the answers can neither be continued nor changed any more."""
    if link.is_draft:
        end = LinkEnd.EXPIRED if link.state.expires is not None and now >= link.state.expires else None
    else:
        _, version = await forms.get_for_answering(tx, link.actor, form_id=link.submission.form_id)
        end = find_end(version.definition.settings, link.submission, now)
    if end:
        raise ReturnLinkEnded(end, link.submission)


def find_end(settings: FormSettings, submission: Submission, now: int) -> LinkEnd | None:
    """Return why its sender can't change a submission; None if they can."""
    if settings.edit_after_submitting is UNSET:
        return LinkEnd.SUBMITTED
    if submission.status is not SubmissionStatus.SUBMITTED:
        return LinkEnd.REVIEWED
    ends = find_deadline(settings, submission)
    return LinkEnd.OVER if ends is not None and now >= ends else None


def find_deadline(settings: FormSettings, submission: Submission) -> int | None:
    """Return until when its sender can change a submission, in milliseconds; None if only a review ends it."""
    allowed = settings.edit_after_submitting
    return None if allowed is UNSET or allowed.hours is UNSET else submission.at + allowed.hours * HOUR_MS


async def create_for_submitted(
    tx: WriteTransaction, submission: Submission, settings: FormSettings, channel: LinkChannel
) -> NewReturnLink | None:
    """Create the link for changing a submission; None if its sender can't. The caller holds the account lock.

    `settings` are those of the published version. An earlier link that was given through the same channel ends.
    """
    if find_end(settings, submission, tx.now()):
        return None
    token = await _create(tx, submission, channel, LinkState(expires=None))
    return NewReturnLink(token, find_deadline(settings, submission))


async def give_for_submitted(
    tx: WriteTransaction, submission: Submission, settings: FormSettings, token: str
) -> NewReturnLink | None:
    """Return the link for changing a submission that was submitted with the link `token`; None if its sender can't.

    It is a new link, or `token` itself if that is a return link. The caller holds the account lock.
    """
    if not is_link(token):
        return await create_for_submitted(tx, submission, settings, LinkChannel.PAGE)
    is_over = find_end(settings, submission, tx.now()) is not None
    return None if is_over else NewReturnLink(token, find_deadline(settings, submission))


async def _create(tx: WriteTransaction, submission: Submission, channel: LinkChannel, state: LinkState) -> str:
    token, scope = crypto.new_secret(LINK_PREFIX), Scope(submission.customer_id)
    await return_link_store.replace(tx, scope, submission.id, channel, crypto.fingerprint(token), state)
    return token


async def create_for_draft(
    tx: WriteTransaction, draft: Submission, position: str | None, editor: str | None = None
) -> NewReturnLink:
    """Create the link for continuing a draft, at this page of the form. The caller holds the account lock.

    From then on, the draft is changed with the link only: a tab that still knows its former id begins another one,
    unless it is the open page `editor`, which did not receive the link. Links of the account that expired long ago are
    deleted.
    """
    scope, now = Scope(draft.customer_id), tx.now()
    if draft.client_id:
        former = _former_id_hash(draft.form_id, draft.client_id)
        state = LinkState(now + LIFETIME_MS, editor)
        await return_link_store.replace(tx, scope, draft.id, LinkChannel.FORMER_ID, former, state)
    await store.set_client_id(tx, scope, draft.id, str(uuid4()))
    await return_link_store.delete_expired(tx, scope, now - LIFETIME_MS)
    state = LinkState(now + LIFETIME_MS, None, position)
    token = await _create(tx, draft, LinkChannel.PAGE, state)
    return NewReturnLink(token, state.expires)


def _former_id_hash(form_id: str, client_id: str) -> str:
    return crypto.fingerprint(f"{form_id}/{client_id}")


async def take_back_draft(
    tx: WriteTransaction, actor: Actor, *, form_id: str, client_id: str, editor: str | None, data: Answers | None = None
) -> bool:
    """Return whether a draft has got its former id again, because the response with its link was lost.

    Then nobody has the link, which ends: a page that received it saves its answers with it. The page that created it is
    recognized by its id `editor` or, without one, by sending the same answers again.
    """
    scope = allow(actor, Permission.SUBMISSIONS_CREATE)
    # Also waits for the first request, if it is still in progress.
    await account_lock.next_timestamp(tx, scope.customer_id)
    found = await return_link_store.find(tx, _former_id_hash(form_id, client_id))
    draft = await store.find(tx, scope, found[1]) if found else None
    if found is None or draft is None or draft.status is not SubmissionStatus.STARTED:
        return False
    is_same = found[2].editor == editor if editor else data is not None and msgspec.json.decode(draft.data) == data
    if not is_same or await store.find_by_client_id(tx, scope, form_id, client_id):
        return False
    await return_link_store.delete_all(tx, scope, draft.id)
    await store.set_client_id(tx, scope, draft.id, client_id)
    return True


async def save(
    tx: WriteTransaction, token: str, page: OpenPage | None, *, version_id: str, data: Answers
) -> Submission:
    """Save unfinished answers and return the draft. Raises `SavedElsewhere` if another page has saved it since."""
    link = await _lock(tx, token)
    await _check_open(tx, link, tx.now())
    if not link.is_draft:
        return link.submission
    _check_not_saved_elsewhere(link, page)
    record = await respond.save_draft(
        tx,
        link.actor,
        form_id=link.submission.form_id,
        version_id=version_id,
        client_id=link.client_id,
        data=data,
    )
    editor, position = (page.editor, page.position) if page else (None, link.state.position)
    state = LinkState(tx.now() + LIFETIME_MS, editor, position)
    await _update_used(tx, record, token, state)
    return record


async def _update_used(tx: WriteTransaction, record: Submission, token: str, state: LinkState) -> None:
    """Save the state of a link with which somebody works, so that the page that created it has received it."""
    scope = Scope(record.customer_id)
    await return_link_store.update(tx, scope, crypto.fingerprint(token), state)
    await return_link_store.delete(tx, scope, record.id, LinkChannel.FORMER_ID)


async def submit(
    tx: WriteTransaction,
    token: str,
    page: OpenPage | None,
    *,
    version_id: str,
    data: Answers,
    seen_versions: SeenVersions | None = None,
    device: str | None = None,
    device_time: str | None = None,
) -> tuple[Submission, bool]:
    """Submit a draft; return the submission and whether it is new.

    If the request is repeated because its response was lost, the result is the same submission and False. Raises
    `SavedElsewhere` if another page has saved the draft since `page` read it.
    """
    link = await _lock(tx, token)
    if link.is_draft:
        await _check_open(tx, link, tx.now())
        _check_not_saved_elsewhere(link, page)
    record, is_new = await respond.submit(
        tx,
        link.actor,
        form_id=link.submission.form_id,
        version_id=version_id,
        client_id=link.client_id,
        data=data,
        seen_versions=seen_versions,
        origin=SubmissionOrigin(device=device),
        device_time=device_time,
    )
    await _update_used(tx, record, token, LinkState(expires=None))
    return record, is_new


async def _lock(tx: WriteTransaction, token: str) -> ReturnLink:
    """Return a link with the account's lock held."""
    before = await find_link(tx, token)
    await account_lock.next_timestamp(tx, before.submission.customer_id)
    return await find_link(tx, token)


def _check_not_saved_elsewhere(link: ReturnLink, page: OpenPage | None) -> None:
    # The page may not know the revision that it saved last, because the response was lost.
    if page and link.submission.revision != page.revision and link.state.editor != page.editor:
        raise SavedElsewhere()


async def change_answers(tx: WriteTransaction, token: str, data: Answers, revision: int) -> Submission:
    """Change the answers of a submission for its sender, and return it; without a difference, nothing changes.

    Raises `FormNotFound`, `ReturnLinkEnded`, `LinkRefused` if the form is closed, `SubmissionChanged` if the submission
    has another revision, or `Invalid`.
    """
    link = await _lock(tx, token)
    await _check_open(tx, link, tx.now())
    submission = link.submission
    if link.is_draft:
        raise ReturnLinkEnded(LinkEnd.DRAFT, submission)
    form, _ = await forms.get_for_answering(tx, link.actor, form_id=submission.form_id)
    if submission.task_id is None:
        check_period(form.public_link, tx.now())
    sender = actors.sender(submission.form_id, submission.customer_id)
    change = SubmissionEdit(data=data, expected_revision=revision)
    return await review.edit(tx, sender, change, submission_id=submission.id)
