"""The photos of a form's submissions."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from formwright.core import pagination
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.db.interface import ReadTransaction
from formwright.core.file_uses import FileUse
from formwright.core.pagination import Window
from formwright.domain.files import service as files
from formwright.domain.files.models import File
from formwright.domain.forms.fields import walk_fields
from formwright.domain.forms.fields.labels import label_text
from formwright.domain.saved_views.list_query import ListQuery
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SearchNotReady, SearchTooBroad, Submission
from formwright.web.file_urls import sign_file_url, sign_thumbnail_url
from formwright.web.http import Response, get
from formwright.web.page import Page
from formwright.web.templating import DisplayTime, format_time
from formwright.web.views.form_head import FormHead
from formwright.web.views.forms.filtered_tab import FilteredTab, load_filtered_tab
from formwright.web.views.list_pages import format_position
from formwright.web.views.submissions.list_filter import SubmissionFilterForm
from formwright.web.views.submissions.list_query import row_url

PATH = "/forms/{form_id:str}/gallery"
_SUBMISSIONS_PER_PAGE = 30


@dataclass(frozen=True, slots=True)
class Photo:
    """A photo with its links, and the submission that it belongs to."""

    name: str
    label: str
    time: DisplayTime
    url: str
    thumbnail_url: str
    submission_url: str


@dataclass(frozen=True, slots=True)
class GalleryPage:
    """The view model of the gallery. The newest submissions come first, or the first ones of another order.

    `has_photo_fields` says whether people can add photos to the published version. URLs are empty without such a page,
    and `design_url` without the permission to change the form.
    """

    head: FormHead
    filter: SubmissionFilterForm
    photos: Sequence[Photo]
    has_photo_fields: bool
    list_url: str
    design_url: str
    first_url: str
    next_url: str


@get(PATH, long=True, listing=True)
async def gallery_page(page: Page, form_id: str) -> Response:
    """The photos of the submissions that match the filter."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    here = f"/forms/{form_id}/gallery"
    tab = await load_filtered_tab(page.tx, page, form_id, here)
    filter_ = replace(tab.filter, has_images=True)
    window = Window(_SUBMISSIONS_PER_PAGE, tab.query.after)
    found: pagination.Page[Submission] = pagination.Page([], None)
    form = tab.form
    try:
        found = await submissions.page(page.tx, page.actor, filter_, window)
    except (SearchNotReady, SearchTooBroad) as error:
        form = replace(form, faults={**form.faults, "q": error.detail})
    photos = await _load_photos(page.tx, page, tab, found.items)
    links = replace(tab.query, form="")
    view_model = GalleryPage(
        head=tab.head,
        filter=form,
        photos=photos,
        has_photo_fields=any(field.file_use is FileUse.PHOTO for field in walk_fields(tab.context.fields)),
        list_url=tab.query.url(),
        design_url=f"/forms/{form_id}/design" if page.visitor.may(Permission.FORMS_EDIT, tab.head.form) else "",
        first_url="" if tab.query.is_first_page else links.url(here),
        next_url=links.url(here, after=format_position(found.next)) if found.next else "",
    )
    return page.render("forms/gallery.html", view_model, section="Forms")


async def _load_photos(tx: ReadTransaction, page: Page, tab: FilteredTab, records: Sequence[Submission]) -> list[Photo]:
    """Return the photos of these submissions, in their order. Signatures are left out."""
    fields = {field.name: field for field in walk_fields(tab.context.fields)}
    language, time_zone = tab.context.display.language, tab.context.display.time_zone
    by_submission: dict[str, list[File]] = {}
    for file in await files.list_of_submissions(tx, page.actor, [record.id for record in records]):
        by_submission.setdefault(file.submission_id or "", []).append(file)

    def photo(record: Submission, file: File) -> Photo:
        name = file.field.rpartition(".")[2]
        return Photo(
            name=file.name,
            label=label_text(fields[name].label, (language,)) if name in fields else name,
            time=format_time(record.at, time_zone),
            url=sign_file_url(page.ctx, file.customer_id, file.id),
            thumbnail_url=sign_thumbnail_url(page.ctx, file.customer_id, file.id),
            submission_url=row_url(record, _without_page(tab.query)),
        )

    signatures = {name for name, field in fields.items() if field.file_use is FileUse.SIGNATURE}
    return [
        photo(record, file)
        for record in records
        for file in by_submission.get(record.id, [])
        if file.is_image and file.field.rpartition(".")[2] not in signatures
    ]


def _without_page(query: ListQuery) -> ListQuery:
    return replace(query, after=None, before=None)
