"""Emails about the runs of an export. They link to its page, which asks people to sign in."""

from formwright.core.auth import actor as actors
from formwright.core.crypto import SecretBox
from formwright.core.db.interface import WriteTransaction
from formwright.domain.customers import service as customers
from formwright.domain.exports.models import RETENTION_DAYS, Export, ExportRun, ExportState
from formwright.domain.mail import service as mail
from formwright.domain.mail.models import NewMail
from formwright.domain.mail.templates import EmailContent, choose_language
from formwright.domain.users import service as users
from formwright.domain.users.models import UserStatus

PURPOSE = "export"
_COMPLETED = {
    "en": (
        "Export ready: {name}",
        "The export “{name}” is ready. Submissions: {rows}.",
        f"You can download it for {RETENTION_DAYS} days.",
    ),
    "de": (
        "Export fertig: {name}",
        "Der Export „{name}“ ist fertig. Einsendungen: {rows}.",
        f"Sie können ihn {RETENTION_DAYS} Tage lang herunterladen.",
    ),
}
_FAILED = {
    "en": ("Export failed: {name}", "The export “{name}” failed.", "{detail}"),
    "de": ("Export fehlgeschlagen: {name}", "Der Export „{name}“ ist fehlgeschlagen.", "{detail}"),
}
_OPEN = {"en": "Open the export", "de": "Export öffnen"}


async def notify_recipients(
    tx: WriteTransaction, secret_box: SecretBox, base_url: str, export: Export, run: ExportRun
) -> None:
    """Queue an email to each recipient who can still sign in, in the transaction that ends the run."""
    if not export.settings.recipients:
        return
    system = actors.system(export.customer_id)
    account = await customers.get(tx, system)
    sender = mail.MailSender.of(account, secret_box)
    for user in (await users.find_many(tx, system, export.settings.recipients)).values():
        if user.status is UserStatus.ACTIVE:
            language = choose_language(user.language, account.locale)
            content = _compose(export, run, base_url, language)
            await mail.enqueue(tx, sender, NewMail(PURPOSE, export.id, user.email, user.name, language, content))


def _compose(export: Export, run: ExportRun, base_url: str, language: str) -> EmailContent:
    texts = (_COMPLETED if run.state is ExportState.COMPLETED else _FAILED)[language]
    name = " ".join(export.name.split())
    subject, *lines = [text.format(name=name, rows=run.rows, detail=run.detail) for text in texts]
    # Without a public address there is nothing to link to.
    return EmailContent(subject, lines, (_OPEN[language], f"{base_url}/exports/{export.id}") if base_url else None)
