"""The PDF template of a form: editing it, with a preview and errors by line."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from formwright.core.auth.actor import Scope
from formwright.core.auth.permissions import Permission
from formwright.core.errors import Invalid
from formwright.core.pagination import Window
from formwright.core.pdf.compiler import PdfTooDemanding
from formwright.domain.files.filenames import content_disposition
from formwright.domain.forms.models import Form
from formwright.domain.reports import service as reports
from formwright.domain.reports import templates
from formwright.domain.reports.document import Report
from formwright.domain.reports.templates import MAX_LENGTH, ReportTemplate, ReportTemplateFailed
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import SubmissionFilter, SubmissionStatus
from formwright.web.http import Redirect, Response, get, post
from formwright.web.page import Page
from formwright.web.templating import PAGE_HEADERS
from formwright.web.views.form_head import FormHead, load_form_head
from formwright.web.views.form_input import fault_texts

PATH = "/forms/{form_id:str}/report-template"
_SUBMITTED = [status for status in SubmissionStatus if status is not SubmissionStatus.STARTED]
_NO_SAMPLE = "There is no submission to try the template on. Submit the form first."


@dataclass(frozen=True, slots=True)
class ReportTemplatePage:
    """The template of a form as text, or the built-in one to start from, and its errors."""

    head: FormHead
    text: str
    is_own: bool
    faults: Mapping[str, str]
    max_length: int
    notice: str


@get(PATH)
async def report_template_page(page: Page, form_id: str) -> Response:
    """The template of the form's PDF reports."""
    return await _render(page, form_id)


async def _render(page: Page, form_id: str, typed: str | None = None, fault: str = "") -> Response:
    form = await templates.get_editable_form(page.tx, page.actor, form_id)
    saved = (await templates.find(page.tx, Scope(page.visitor.customer.id), form_id)).text
    head = await load_form_head(page.tx, page.visitor, form)
    view_model = ReportTemplatePage(
        head=head,
        text=typed if typed is not None else saved or reports.BUILT_IN_TEMPLATE,
        is_own=bool(saved),
        faults=fault_texts({"template": fault} if fault else None),
        max_length=MAX_LENGTH,
        notice={"saved": "Saved.", "restored": "The built-in template is used."}.get(page.query.get("done", ""), ""),
    )
    status = 422 if fault else 200
    return page.render("forms/report_template.html", view_model, section="Forms", status=status)


@post(PATH)
async def change_report_template(page: Page, form_id: str) -> Response:
    """Save a template if it works for the newest submission, send a preview, or restore the built-in template."""
    sent = await page.form()
    text = str(sent.get("template", "")).replace("\r\n", "\n").replace("\0", "")
    action = str(sent.get("action", ""))
    form = await templates.get_editable_form(page.tx, page.actor, form_id)
    if action == "restore" or not text.strip():
        async with page.writing() as tx:
            await templates.save(tx, page.actor, "", form_id=form_id)
        return Redirect(f"/forms/{form_id}/report-template?done=restored")
    try:
        if len(text) > MAX_LENGTH:
            raise Invalid.at("/template", "value.too_long", f"Enter at most {MAX_LENGTH:,} characters.")
        content = await _try_template(page, form, text)
        if content is None and action == "preview":
            raise Invalid.at("/template", "value.required", _NO_SAMPLE)
    except (ReportTemplateFailed, PdfTooDemanding, Invalid) as error:
        detail = error.faults[0].detail if isinstance(error, Invalid) else str(error)
        return await _render(page, form_id, text[:MAX_LENGTH], detail)
    if action == "preview":
        headers = PAGE_HEADERS | {"content-disposition": content_disposition("preview.pdf")}
        return Response(content, status_code=200, media_type="application/pdf", headers=headers)
    async with page.writing() as tx:
        await templates.save(tx, page.actor, text, form_id=form_id)
    return Redirect(f"/forms/{form_id}/report-template?done=saved")


async def _try_template(page: Page, form: Form, text: str) -> bytes | None:
    """Return the report of the form's newest submission with this template; None if there is none to try it on."""
    report = await _load_sample(page, form) if page.visitor.may(Permission.SUBMISSIONS_READ, form) else None
    if report is None:
        return None
    return await reports.render(replace(report, template=ReportTemplate(text)), page.ctx.files)


async def _load_sample(page: Page, form: Form) -> Report | None:
    newest = SubmissionFilter(form_ids=[form.id], statuses=_SUBMITTED)
    found = await submissions.page(page.tx, page.actor, newest, Window(1))
    if not found.items:
        return None
    return await reports.load(page.tx, page.actor, submission_id=found.items[0].id)
