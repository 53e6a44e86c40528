"""Templates of reports that a form has instead of the built-in one."""

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass

from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Conflict, Invalid, require
from formwright.core.events import AuditNote
from formwright.core.pdf.compiler import PdfFailed, compile_pdf
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormNotFound
from formwright.domain.reports import store
from formwright.domain.reports.fonts_folder import FONT_FOLDERS

MAX_LENGTH = 100_000


class ReportTemplateFailed(Conflict):
    """The form's own template does not work for this submission."""

    code = "report.template_failed"
    detail = "The form’s PDF template failed."


@dataclass(frozen=True, slots=True)
class ReportTemplate:
    """The template of a form in the language of Typst; empty for the built-in one."""

    text: str = ""

    @property
    def tag(self) -> str:
        """A text that differs for different templates."""
        return hashlib.sha256(self.text.encode()).hexdigest() if self.text else ""


BUILT_IN = ReportTemplate()


async def find(tx: ReadTransaction, scope: Scope, form_id: str) -> ReportTemplate:
    """Return the template of a form in this scope."""
    return ReportTemplate(await store.find_template(tx, scope, form_id) or "")


async def get_editable_form(tx: ReadTransaction, actor: Actor, form_id: str) -> Form:
    """Return a form whose template the actor may change; raises `FormNotFound`."""
    return require(await forms.find(tx, allow(actor, Permission.FORMS_EDIT), form_id), FormNotFound)


async def save(tx: WriteTransaction, actor: Actor, text: str, *, form_id: str) -> None:
    """Save the template of a form; an empty one restores the built-in template. Raises `Invalid` if it is too long."""
    scope, _ = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    form = await get_editable_form(tx, actor, form_id)
    if len(text) > MAX_LENGTH:
        raise Invalid.at("/template", "value.too_long", f"Enter at most {MAX_LENGTH:,} characters.")
    if text == (await find(tx, scope, form_id)).text:
        return
    await store.replace_template(tx, scope, form_id, text)
    tx.audit(AuditNote(scope.customer_id, "form.updated", form.id, form.name, ("reportTemplate",)))


async def render(template: ReportTemplate, data: Mapping[str, object], images: Mapping[str, bytes]) -> bytes:
    """Return the PDF. Raises `ReportTemplateFailed` with the line of the error, and `PdfTooDemanding`."""
    try:
        return await asyncio.to_thread(compile_pdf, template.text, data, images, FONT_FOLDERS)
    except PdfFailed as error:
        where = f"Line {error.line}: " if error.line else ""
        raise ReportTemplateFailed(f"The form’s PDF template failed. {where}{error.reason}.") from None
