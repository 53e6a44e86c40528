"""Downloads of the PDF reports of many submissions as a ZIP file, which a background job creates."""

import asyncio
import zipfile
from collections.abc import Sequence

from msgspec.structs import replace

from formwright.context import AppContext
from formwright.core.auth.actor import allow
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Unavailable
from formwright.core.pdf.compiler import PdfTooDemanding
from formwright.domain.files.filenames import clean_path_segment
from formwright.domain.reports import service as reports
from formwright.domain.reports.templates import ReportTemplateFailed
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionNotFound
from formwright.web.background_jobs import ExportStore, Job, get_job_runner, run_job
from formwright.web.http import Redirect, Response, get
from formwright.web.page import Page
from formwright.web.session import Visitor, get_export_store
from formwright.web.views.download_kinds import MAX_REPORTS, REPORT_ZIP
from formwright.web.views.submissions.list_query import build_filter, load_form_context, read_list_query, resolve_view


@get(f"/submissions/download.{REPORT_ZIP}", long=True)
async def download_reports(page: Page) -> Response:
    """Start to create the ZIP file with the reports of the filtered submissions, and open its page."""
    allow(page.actor, Permission.SUBMISSIONS_READ)
    page.ctx.check_space()
    sent = read_list_query(page)
    query = await resolve_view(page.tx, page.visitor, sent)
    form = (await load_form_context(page.tx, page.visitor, query.form)).form
    filter_, faults = await build_filter(page.tx, page.visitor, query)
    if faults or form is None:
        return Redirect(sent.url())
    found = await submissions.list_revisions(page.tx, page.actor, filter_, limit=MAX_REPORTS + 1)
    await page.end_reading()
    exports = get_export_store(page)
    export = await asyncio.to_thread(exports.create, page.visitor.user.id, form.id, REPORT_ZIP, form.name, sent.url(""))
    ids = [submission_id for submission_id, _ in found]
    work = run_job(exports, export, lambda job: _write_zip(page.ctx, page.visitor, exports, job, ids))
    await get_job_runner(page).start(work)
    return Redirect(f"/submissions/exports/{export.id}")


async def _write_zip(
    ctx: AppContext, visitor: Visitor, exports: ExportStore, job: Job, submission_ids: Sequence[str]
) -> None:
    """Write the reports one after the other, so that other people's reports do not wait for all of them."""
    if len(submission_ids) > MAX_REPORTS:
        raise Unavailable(f"There are more than {MAX_REPORTS:,} submissions. Filter the list.")
    failed: list[str] = []
    with await asyncio.to_thread(zipfile.ZipFile, exports.content_path(job.export), "w") as archive:
        for submission_id in submission_ids:
            try:
                async with ctx.db.reading() as tx:
                    report = await reports.load(tx, visitor.actor, submission_id=submission_id)
                content = await reports.render(report, ctx.files)
            except SubmissionNotFound:
                continue  # It was deleted just now.
            except (PdfTooDemanding, ReportTemplateFailed) as error:
                failed.append(f"{submission_id}: {error}")
                continue
            await asyncio.to_thread(archive.writestr, clean_path_segment(report.file_name), content)
            job.export = replace(job.export, rows=job.export.rows + 1)
        if failed:
            archive.writestr("failed.txt", "\n".join(failed) + "\n")


HANDLERS = [download_reports]
