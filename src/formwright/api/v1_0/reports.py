"""Reports of submissions as PDF documents."""

from formwright.api.binary_bodies import PdfDownload
from formwright.api.context import ReadContext
from formwright.api.etags import find_match
from formwright.api.operations import OperationGroup
from formwright.core.auth.permissions import Permission
from formwright.core.pdf.compiler import PdfTooDemanding
from formwright.domain.reports import service as reports
from formwright.domain.reports.templates import ReportTemplateFailed
from formwright.domain.submissions.models import SubmissionNotFound

OPERATIONS = OperationGroup("Submissions", reads=Permission.SUBMISSIONS_READ)


@OPERATIONS.declare(
    "GET",
    ("getSubmissionReport", "/customers/{customerId}/submissions/{submissionId}/report.pdf"),
    raises=(SubmissionNotFound, ReportTemplateFailed, PdfTooDemanding),
)
async def get_submission_report(call: ReadContext, submission_id: str) -> PdfDownload:
    """Get the report of a submission.

    Returns a PDF document (A4) with the answers in the structure of the form, in the language of the form, with the
    first 100 photos and signatures, scaled to the page. The `ETag` changes with the revision of the submission and with
    the names that the report shows, so that a client can keep the document until then.
    """
    report = await reports.load(call.tx, call.actor, submission_id=submission_id)
    tag = f'"{report.tag}"'
    is_known = find_match(call.request.headers.get("if-none-match", ""), tag, weakly=True)
    # The response to a known tag is 304, without the document.
    content = b"" if is_known else await reports.render(report, call.ctx.files)
    return PdfDownload(content, report.file_name, tag)
