"""A submission: its answers, its review and its history."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import msgspec

from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.ids import is_id
from formwright.core.pagination import MAX_LIMIT, Position, Window
from formwright.core.sizes import format_size
from formwright.domain.api_keys.author_names import load_author_names
from formwright.domain.files import service as files
from formwright.domain.files.filenames import content_disposition
from formwright.domain.files.models import File
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields.display import DisplayContext
from formwright.domain.forms.fields.places import format_location
from formwright.domain.forms.location_fields import OWN_LOCATION, location_paths
from formwright.domain.forms.models import Form, FormStatus, Version
from formwright.domain.reports import service as reports
from formwright.domain.saved_views.list_query import ListQuery, build_filter, resolve_view
from formwright.domain.submissions import review
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.answer_text import answer_blocks, format_title, geo_uri
from formwright.domain.submissions.geojson import placed
from formwright.domain.submissions.lookup_snapshots import with_rows
from formwright.domain.submissions.models import (
    Revision,
    SearchNotReady,
    SearchTooBroad,
    Submission,
    SubmissionChanged,
    SubmissionNotFound,
    SubmissionStatus,
)
from formwright.domain.submissions.review import SubmissionEdit
from formwright.web.basemap import Basemap, allow_basemap, basemap
from formwright.web.file_urls import sign_file_url, sign_thumbnail_url
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page, PublicPage
from formwright.web.session import Visitor
from formwright.web.templating import PAGE_HEADERS, DisplayTime, format_time
from formwright.web.views.submissions.comments import CommentForm, CommentSection, create_comment, load_section
from formwright.web.views.submissions.history import HistoryEntry, history_entries
from formwright.web.views.submissions.list_query import is_demanding, parse_place, read_list_query, row_url

PATH = "/submissions/{submission_id:str}"
MAX_NOTE = 2000
_REVIEW_STATUSES = (SubmissionStatus.SUBMITTED, SubmissionStatus.APPROVED, SubmissionStatus.REJECTED)


@dataclass(frozen=True, slots=True)
class FileLink:
    """A file with a temporary link to it."""

    name: str
    url: str
    is_image: bool
    is_audio: bool
    is_video: bool
    thumbnail_url: str
    size: str


@dataclass(frozen=True, slots=True)
class LocationLink:
    """A location with a link to the maps app."""

    text: str
    url: str


@dataclass(frozen=True, slots=True)
class SubmissionSummary:
    """What the top of the page and its dialogs show. Texts and URLs are empty if they don't apply."""

    id: str
    url: str
    revision: int
    status: SubmissionStatus
    is_started: bool
    time: DisplayTime
    author: str
    external_id: str
    invite_url: str
    task_url: str
    note: str
    rejection_hint: str


@dataclass(frozen=True, slots=True)
class ReviewDialog:
    """The dialog that is open, if any: “approve”, “reject” or “delete”. `fault` says why the server rejected it."""

    name: str = ""
    note: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The list from which the submission was opened, and the URLs of its neighbours in it; empty at the ends."""

    list_url: str
    previous_url: str
    next_url: str


@dataclass(frozen=True, slots=True)
class UndoReview:
    """A review that was just `done`, of this submission or of the one before it: the `status` that undoing restores."""

    url: str
    label: str
    done: SubmissionStatus
    status: SubmissionStatus
    revision: int


@dataclass(frozen=True, slots=True)
class SubmissionPage:
    """The view model of a submission.

    `undo` is set just after a review. `edit_result` is set just after the answers were edited: “1” if they changed.
    `resubmit_url` lets the respondent edit a rejected submission.
    """

    submission: SubmissionSummary
    form: Form
    title: str
    """The answer that is the title of the submission. Empty if it has none."""
    answers: Sequence[Mapping[str, Any]]
    location: LocationLink | None
    shapes: Sequence[tuple[str, Sequence[tuple[float, float]]]]
    """The locations, lines and areas among the answers, and where it was filled in, for the map: the name of the
    `Shape`, and the longitude and latitude of its points."""
    basemap: Basemap
    history: Sequence[HistoryEntry]
    comments: CommentSection
    dialog: ReviewDialog
    undo: UndoReview | None
    edit_result: str
    resubmit_url: str
    may_edit: bool
    neighbours: Neighbours
    list_query: str
    """The query string of the list, which links and forms of the page keep."""


@get(PATH, long=is_demanding)
async def submission_page(page: Page, submission_id: str) -> Response:
    """A submission; `?ask=` opens a dialog."""
    dialog = ReviewDialog(page.query.get("ask", ""))
    return await _render(page, submission_id, dialog)


async def _render(
    page: Page, submission_id: str, dialog: ReviewDialog, status: int = 200, comment: CommentForm | None = None
) -> Response:
    query = read_list_query(page)
    record = await submissions.get(page.tx, page.actor, submission_id=submission_id)
    form = await forms.get(page.tx, page.actor, form_id=record.form_id)
    version = await versions.get(page.tx, page.actor, form_id=record.form_id, version_id=record.version_id)
    attached = await files.page_of_submission(page.tx, page.actor, Window(MAX_LIMIT), submission_id=record.id)
    revisions = (await review.list_revisions(page.tx, page.actor, Window(MAX_LIMIT), submission_id=record.id)).items
    author_ids = {record.user_id, *(revision.updated_by for revision in revisions)}
    names = await load_author_names(page.tx, page.actor, author_ids)
    versions_by_id = await _load_versions(page.tx, page.visitor, revisions, version)
    section = await load_section(page.tx, page.visitor, record, comment or CommentForm())
    neighbours = await _load_neighbours(page, record, query)
    context = DisplayContext(version.definition.settings.language, page.visitor.customer.time_zone)
    links = {file.id: file_link(page, file) for file in attached.items}
    location = msgspec.json.decode(record.location) if record.location else None
    view_model = SubmissionPage(
        submission=_summary(record, names, context),
        form=form,
        title=format_title(
            version.definition.fields,
            version.definition.settings.title_field,
            msgspec.json.decode(record.data),
            with_rows(context, record.lookups),
        ),
        answers=answer_blocks(
            version.definition.fields, msgspec.json.decode(record.data), with_rows(context, record.lookups), links.get
        ),
        location=LocationLink(format_location(location), geo_uri(location)) if location else None,
        shapes=_shapes(record, version),
        basemap=basemap(page.ctx.settings),
        history=history_entries(revisions, versions_by_id, _with_sender(names, record), context),
        comments=section,
        dialog=dialog,
        undo=await _find_undo(page, record),
        edit_result=page.query.get("edited", ""),
        resubmit_url=_resubmit_url(page, form, record),
        may_edit=page.visitor.may(Permission.SUBMISSIONS_EDIT, form),
        neighbours=neighbours,
        list_query=_list_query(page),
    )
    response = page.render("submissions/detail.html", view_model, section="Submissions", status=status)
    if view_model.shapes:
        allow_basemap(response, page.ctx.settings)
    return response


async def _load_neighbours(page: Page, record: Submission, query: ListQuery) -> Neighbours:
    """Return the neighbours, or none if searching for them fails: the submission can be read without them."""
    try:
        return await _find_neighbours(page.tx, page.visitor, record, query, page.query.get("at", ""))
    except (SearchTooBroad, SearchNotReady):
        return Neighbours(query.url(), "", "")


async def _find_neighbours(
    tx: ReadTransaction, visitor: Visitor, record: Submission, query: ListQuery, at: str
) -> Neighbours:
    """Return the neighbours in the list of the query.

    In lists that are ordered by the last change, a review moves the submission: `at` is where it was in the list.
    """
    query = await resolve_view(tx, visitor, query)
    filter_, faults = await build_filter(tx, visitor, query)
    list_url = query.url()
    if faults:
        return Neighbours(list_url, "", "")
    moved = parse_place(at) if filter_.order.by_update and not filter_.by_answer else None
    position = filter_.position(record) if moved is None else Position(moved, record.id)
    window = Window(2, position)
    after = (await submissions.page(tx, visitor.actor, filter_, window)).items
    before = (await submissions.page(tx, visitor.actor, filter_.reversed, window)).items

    def url(found: Sequence[Submission]) -> str:
        # With a place from before a review, the submission itself may follow.
        others = [one for one in found if one.id != record.id]
        return row_url(others[0], query) if others else ""

    return Neighbours(list_url, url(before), url(after))


def _list_query(page: PublicPage) -> str:
    """Return the part of the query string that names the list."""
    at = page.query.get("at", "")
    more = {"at": at} if parse_place(at) is not None else {}
    return read_list_query(page).url("", **more)


def _shapes(record: Submission, version: Version) -> list[tuple[str, tuple[tuple[float, float], ...]]]:
    paths = [*location_paths(version.definition.fields), OWN_LOCATION]
    found = [(path.shape.value, one.positions) for path in paths for one in placed(record, path) if one.positions]
    return list(
        dict.fromkeys((shape, tuple((one.longitude, one.latitude) for one in points)) for shape, points in found)
    )


async def _load_versions(
    tx: ReadTransaction, visitor: Visitor, revisions: Sequence[Revision], current: Version
) -> dict[str, Version]:
    """Return the versions of the revisions by id. A submission can be resubmitted with a newer version of the form."""
    by_id = {current.id: current}
    for revision in revisions:
        if revision.version_id not in by_id:
            by_id[revision.version_id] = await versions.get(
                tx, visitor.actor, form_id=current.form_id, version_id=revision.version_id
            )
    return by_id


def _summary(record: Submission, names: Mapping[str | None, str], context: DisplayContext) -> SubmissionSummary:
    return SubmissionSummary(
        id=record.id,
        url=f"/submissions/{record.id}",
        revision=record.revision,
        status=record.status,
        is_started=record.status is SubmissionStatus.STARTED,
        time=format_time(record.at, context.time_zone),
        author=names.get(record.user_id, "") if record.user_id else "",
        external_id=record.external_id or "",
        invite_url=f"/invites/{record.invite_id}" if record.invite_id else "",
        task_url=f"/tasks/{record.task_id}" if record.task_id else "",
        note=record.note or "",
        rejection_hint=_rejection_hint(record),
    )


def _rejection_hint(record: Submission) -> str:
    """Return what to do when rejecting a submission so that its answers get fixed."""
    if record.task_id:
        return "Describe what’s missing. No email is sent: assign the task again, or edit the answers here."
    if record.client_id:
        return "Describe what’s missing, then share the link that appears so that the respondent can edit and resubmit."
    return "Describe what’s missing."


def file_link(page: PublicPage, file: File) -> FileLink:
    """Return a file with a temporary link to it."""
    return FileLink(
        name=file.name,
        url=sign_file_url(page.ctx, file.customer_id, file.id),
        is_image=file.is_image,
        is_audio=file.is_audio,
        is_video=file.is_video,
        thumbnail_url=sign_thumbnail_url(page.ctx, file.customer_id, file.id),
        size=format_size(file.size),
    )


def _with_sender(names: Mapping[str | None, str], record: Submission) -> Mapping[str | None, str]:
    """Return the names of authors, with one for the sender of a form that was filled in on its page."""
    return {**names, None: "the sender"} if record.client_id else names


def _resubmit_url(page: PublicPage, form: Form, record: Submission) -> str:
    """Return the link with which the respondent can edit and resubmit it; empty if they can't."""
    if record.status is not SubmissionStatus.REJECTED or not record.client_id or record.task_id:
        return ""
    if form.status is not FormStatus.ACTIVE:
        return ""
    return f"{page.origin}/fill/{form.link}?again={record.client_id}"


async def _find_undo(page: Page, shown: Submission) -> UndoReview | None:
    """Return what was reviewed just before: the submission itself, or the one whose approval led to it."""
    reviewed_id = page.query.get("approved", shown.id if page.query.get("done") == "1" else "")
    if not is_id(reviewed_id, "sub"):
        return None
    with suppress(SubmissionNotFound):
        record = await submissions.get(page.tx, page.actor, submission_id=reviewed_id)
        revisions = (await review.list_revisions(page.tx, page.actor, Window(MAX_LIMIT), submission_id=record.id)).items
        before = revisions[-2].status if len(revisions) > 1 else record.status
        if before is not record.status:
            time = format_time(record.at, page.visitor.customer.time_zone)
            return UndoReview(f"/submissions/{record.id}", time.text, record.status, before, record.revision)
    return None


@get(PATH + "/report.pdf")
async def submission_report(page: Page, submission_id: str) -> Response:
    """The report of a submission, to print or to file."""
    report = await reports.load(page.tx, page.actor, submission_id=submission_id)
    await page.end_reading()
    content = await reports.render(report, page.ctx.files)
    headers = PAGE_HEADERS | {"content-disposition": content_disposition(report.file_name)}
    return Response(content, media_type="application/pdf", headers=headers)


@post(PATH + "/status")
async def review_submission(page: Page, submission_id: str) -> Response:
    """Approve or reject a submission with a note, or undo that. Fails with 409 if someone else changed it."""
    sent = await page.form()
    note = str(sent.get("note", "")).replace("\r\n", "\n").strip()
    status = next((value for value in _REVIEW_STATUSES if value == sent.get("status")), SubmissionStatus.SUBMITTED)
    fault = "" if len(note) <= MAX_NOTE else f"Enter at most {MAX_NOTE:,} characters."
    try:
        if not fault:
            change = SubmissionEdit(status=status, note=note or None, expected_revision=_read_revision(sent))
            async with page.writing() as tx:
                await review.edit(tx, page.actor, change, submission_id=submission_id)
            return Redirect(await _url_after_review(page, submission_id, status))
    except SubmissionChanged:
        fault = _CHANGED
    name = {SubmissionStatus.APPROVED: "approve", SubmissionStatus.REJECTED: "reject"}.get(status, "")
    return await _render(page, submission_id, ReviewDialog(name, note, fault), 409)


async def _url_after_review(page: Page, submission_id: str, status: SubmissionStatus) -> str:
    """Return the next submission of the list after an approval, so that many can be approved in a row."""
    if status is SubmissionStatus.APPROVED:
        record = await submissions.get(page.tx, page.actor, submission_id=submission_id)
        if following := (await _load_neighbours(page, record, read_list_query(page))).next_url:
            return f"{following}{'&' if '?' in following else '?'}approved={submission_id}"
    return _here(page, submission_id, done="1")


def _here(page: PublicPage, submission_id: str, **more: str) -> str:
    """Return the URL of the submission in its list, with further query parameters."""
    query = _list_query(page)
    return f"/submissions/{submission_id}{query}{'&' if query else '?'}{urlencode(more)}"


_CHANGED = "Someone else changed this submission. Review the current version, then try again."


def _read_revision(sent: Any) -> int:
    text = str(sent.get("revision", ""))
    return int(text) if text.isdecimal() and len(text) < 16 else -1


@post(PATH + "/delete")
async def delete_submission(page: Page, submission_id: str) -> Response:
    """Delete a submission permanently. Fails with 409 if someone else changed it."""
    sent = await page.form()
    try:
        async with page.writing() as tx:
            await review.delete(tx, page.actor, submission_id=submission_id, expected_revision=_read_revision(sent))
    except SubmissionChanged:
        return await _render(page, submission_id, ReviewDialog("delete", fault=_CHANGED), 409)
    except SubmissionNotFound:
        pass  # The button was pressed twice.
    return Redirect(read_list_query(page).url(deleted="1"))


@post(PATH + "/comments")
async def comment_on_submission(page: Page, submission_id: str) -> Response:
    """Comment on a submission, and mention people."""
    rejected = await create_comment(page, submission_id)
    if rejected is None:
        return Redirect(f"/submissions/{submission_id}{_list_query(page)}#comments")
    return await _render(page, submission_id, ReviewDialog(), 422, rejected)
