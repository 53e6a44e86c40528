"""Creates reports of submissions."""

import asyncio
from pathlib import Path

from formwright.core.auth.actor import Actor, allow
from formwright.core.auth.permissions import Permission
from formwright.core.blobs import BlobStore, BlobStoreUnavailable, ContentMissing
from formwright.core.db.interface import ReadTransaction
from formwright.core.pagination import MAX_LIMIT, Window
from formwright.core.pdf.compiler import compile_pdf
from formwright.domain.customers import service as customers
from formwright.domain.customers.branding import find_logo
from formwright.domain.files import service as files
from formwright.domain.files.models import File
from formwright.domain.forms import service as forms
from formwright.domain.reports import templates
from formwright.domain.reports.document import Report, build_document
from formwright.domain.reports.fonts_folder import FONT_FOLDERS
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionNotFound
from formwright.domain.users import service as users
from formwright.domain.users.models import UserNotFound

MAX_IMAGES = 100
_MAX_IMAGE_SIZE = 32 << 20
_FOLDER = Path(__file__).parent
BUILT_IN_TEMPLATE = (_FOLDER / "submission.typ").read_text(encoding="utf-8")


async def load(tx: ReadTransaction, actor: Actor, *, submission_id: str) -> Report:
    """Return what the report of a submission shows; raises `SubmissionNotFound`."""
    record = await submissions.get(tx, actor, submission_id=submission_id)
    scope = allow(actor, Permission.SUBMISSIONS_READ)
    form = await forms.find(tx, scope, record.form_id)
    version = await forms.find_final_version(tx, scope, record.form_id, record.version_id)
    if form is None or version is None:
        raise SubmissionNotFound()
    attached = await files.page_of_submission(tx, actor, Window(MAX_LIMIT), submission_id=record.id)
    customer = await customers.get(tx, actor)
    logo = await find_logo(tx, customer.id, customer.logo)
    template = await templates.find(tx, scope, form.id)
    author = await _author_name(tx, actor, record.user_id)
    return Report(record, form, version, customer, author, attached.items, logo, template)


async def render(report: Report, blobs: BlobStore) -> bytes:
    """Return the report as a PDF with its first `MAX_IMAGES` photos and signatures.

    Raises `PdfTooDemanding` and `ReportTemplateFailed`.

    An image whose content is lost or cannot be read is shown by its name only.
    """
    shown = [file for file in report.attached if file.is_image and file.size <= _MAX_IMAGE_SIZE][:MAX_IMAGES]
    images = {file.id: content for file in shown if (content := await _read(blobs, file)) is not None}
    if report.logo:
        images["logo"] = report.logo
    data = build_document(report)
    if report.template.text:
        return await templates.render(report.template, data, images)
    return await asyncio.to_thread(compile_pdf, BUILT_IN_TEMPLATE, data, images, FONT_FOLDERS)


async def _read(blobs: BlobStore, file: File) -> bytes | None:
    try:
        return b"".join([chunk async for chunk in await blobs.read(file.blob_key, 0, file.size)])
    except (ContentMissing, BlobStoreUnavailable):
        return None


async def _author_name(tx: ReadTransaction, actor: Actor, user_id: str | None) -> str:
    if user_id is None or Permission.PEOPLE_READ not in actor.permissions:
        return ""
    try:
        return (await users.get(tx, actor, user_id=user_id)).name
    except UserNotFound:
        return ""
