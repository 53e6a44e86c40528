"""Switching receipts on and off, and queueing those of new submissions."""

from dataclasses import dataclass, replace

import msgspec

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope, allow
from formwright.core.auth.permissions import Permission
from formwright.core.db import account_lock
from formwright.core.db.interface import ReadTransaction, WriteTransaction
from formwright.core.errors import Invalid, require
from formwright.core.events import AuditNote
from formwright.core.net.email_message import is_address
from formwright.domain.customers import service as customers
from formwright.domain.customers.models import Customer
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.models import Form, FormNotFound, FormStatus
from formwright.domain.invites import service as invites
from formwright.domain.mail import service as mail
from formwright.domain.receipts import store
from formwright.domain.receipts.emails import ChangeLink, compose
from formwright.domain.receipts.models import (
    DAY_MS,
    EVERY_MS,
    FIELD_ERROR,
    PER_ADDRESS,
    PER_FORM,
    Receipt,
    ReceiptMailer,
    ReceiptOutcome,
    ReceiptRecipient,
    ReceiptSettings,
    hash_address,
    list_address_fields,
)
from formwright.domain.submissions import return_links
from formwright.domain.submissions import service as submissions
from formwright.domain.submissions.models import LinkChannel, Submission
from formwright.domain.users import service as users

_FORMS = 20
_BATCH = 50

DUE = store.DUE


async def _get_form(tx: ReadTransaction, scope: Scope, form_id: str) -> Form:
    return require(await forms.find(tx, scope, form_id), FormNotFound)


async def get(tx: ReadTransaction, actor: Actor, *, form_id: str) -> ReceiptSettings:
    """Return who gets the receipts of a form. Raises `FormNotFound`."""
    scope = allow(actor, Permission.FORMS_READ)
    form = await _get_form(tx, scope, form_id)
    return await store.find_settings(tx, scope, form.id) or ReceiptSettings(form.customer_id, form.id)


async def list_fields(tx: ReadTransaction, actor: Actor, *, form_id: str) -> tuple[str, list[AnyField]]:
    """Return the newest version's language, and its fields whose answer can be the address of a receipt."""
    definition = (await versions.get_newest(tx, actor, form_id=form_id)).definition
    return definition.settings.language, list_address_fields(definition.fields)


async def count_limited(tx: ReadTransaction, settings: ReceiptSettings, now: int) -> int:
    """Return how many receipts of the form a limit has prevented in the last 24 hours, at most 1,000."""
    scope = Scope(settings.customer_id)
    return await store.count_of_form(tx, scope, settings.form_id, ReceiptOutcome.LIMITED, now - DAY_MS, 1000)


async def save(
    tx: WriteTransaction, actor: Actor, recipient: ReceiptRecipient | None, field: str, *, form_id: str
) -> ReceiptSettings:
    """Send receipts of the submissions that arrive from now on to this recipient; None: to nobody.

    Raises `FormNotFound`, or `Invalid` if the form has no such field.
    """
    scope, now = await account_lock.begin_change(tx, actor, Permission.FORMS_EDIT)
    form = await _get_form(tx, scope, form_id)
    field = field if recipient is ReceiptRecipient.FIELD else ""
    if recipient is ReceiptRecipient.FIELD:
        await _check_field(tx, actor, form, field)
    before = await store.find_settings(tx, scope, form.id) or ReceiptSettings(form.customer_id, form.id)
    if (before.recipient, before.field) == (recipient, field):
        return before
    settings = ReceiptSettings(form.customer_id, form.id, recipient, field, since=now, due=now + EVERY_MS)
    await store.replace_settings(tx, settings)
    tx.audit(AuditNote(form.customer_id, "form.updated", form.id, form.name, ("receipts",)))
    return settings


async def _check_field(tx: ReadTransaction, actor: Actor, form: Form, name: str) -> None:
    _, fields = await list_fields(tx, actor, form_id=form.id)
    if name not in {one.name for one in fields}:
        raise Invalid.at("/field", "receipt.field", FIELD_ERROR)


async def run_due(tx: WriteTransaction, customer_id: str, mailer: ReceiptMailer, now: int) -> int:
    """Queue the receipts of the account's forms that are due, and return how many forms were."""
    scope = Scope(customer_id)
    # Checked before taking the account lock, for which other changes would wait, and again with it.
    if not await store.list_due(tx, scope, now, 1):
        return 0
    # What has a smaller timestamp is committed, so no submission is left out.
    until = await account_lock.next_timestamp(tx, customer_id)
    account = await customers.get(tx, actors.system(customer_id))
    due = await store.list_due(tx, scope, now, _FORMS)
    for settings in due:
        form = await forms.find(tx, scope, settings.form_id)
        since, again = until, now + EVERY_MS
        if form:
            found = await store.list_new(tx, settings, until, _BATCH)
            await _Round(tx, account, form, settings, mailer, now).queue([one for one, _ in found])
            if len(found) == _BATCH:
                # Others may have the time of the last one. Those of this batch have a receipt now.
                since, again = found[-1][1] - 1, now
        await store.replace_settings(tx, replace(settings, since=since, due=again))
    return len(due)


@dataclass(frozen=True, slots=True)
class _Round:
    """A check of a form for new submissions."""

    tx: WriteTransaction
    account: Customer
    form: Form
    settings: ReceiptSettings
    mailer: ReceiptMailer
    now: int

    async def queue(self, submission_ids: list[str]) -> None:
        """Queue the receipts of these submissions, as far as there are addresses and the limits allow it."""
        for submission_id in submission_ids:
            record = await submissions.find(self.tx, self._scope, submission_id)
            address, name = await self._find_address(record) if record else ("", "")
            outcome = await self._check(address)
            if record and outcome is ReceiptOutcome.QUEUED:
                sender = mail.MailSender.of(self.account, self.mailer.seal)
                version = await forms.find_final_version(self.tx, self._scope, record.form_id, record.version_id)
                language = version.definition.settings.language if version else ""
                link = await self._create_link(record)
                new = compose(self.form, self.account, self.settings, language, record.id, (address, name), link)
                await mail.enqueue(self.tx, sender, new)
            hashed = hash_address(address) if outcome is not ReceiptOutcome.NO_ADDRESS else ""
            receipt = Receipt(self.account.id, submission_id, self.form.id, outcome, hashed, self.now)
            await store.insert(self.tx, [receipt])

    @property
    def _scope(self) -> Scope:
        return Scope(self.account.id)

    async def _create_link(self, record: Submission) -> ChangeLink | None:
        """Create the link with which the sender changes the submission; None if they can't, or no URL is known."""
        published = self.form.published_version_id
        version = await forms.find_final_version(self.tx, self._scope, self.form.id, published) if published else None
        if version is None or not self.mailer.base_url or self.form.status is FormStatus.ARCHIVED:
            return None
        settings = version.definition.settings
        link = await return_links.create_for_submitted(self.tx, record, settings, LinkChannel.EMAIL)
        return ChangeLink(f"{self.mailer.base_url}/fill/{link.token}", link.ends) if link else None

    async def _find_address(self, record: Submission) -> tuple[str, str]:
        """Return the address and the name of the recipient; empty if there is none."""
        if self.settings.recipient is ReceiptRecipient.FIELD:
            answer = msgspec.json.decode(record.data).get(self.settings.field)
            return (answer.strip() if isinstance(answer, str) else ""), ""
        system = actors.system(self.account.id)
        invited = await invites.find_many(self.tx, system, [record.invite_id]) if record.invite_id else []
        if invited:
            return invited[0].email, invited[0].name
        found = await users.find_many(self.tx, system, [record.user_id] if record.user_id else [])
        user = found.get(record.user_id or "")
        return (user.email, user.name) if user else ("", "")

    async def _check(self, address: str) -> ReceiptOutcome:
        if not is_address(address):
            return ReceiptOutcome.NO_ADDRESS
        after, scope = self.now - DAY_MS, self._scope
        sent = await store.count_to_address(self.tx, scope, hash_address(address), after, PER_ADDRESS)
        if sent >= PER_ADDRESS:
            return ReceiptOutcome.LIMITED
        queued = ReceiptOutcome.QUEUED
        of_form = await store.count_of_form(self.tx, scope, self.form.id, queued, after, PER_FORM)
        return ReceiptOutcome.LIMITED if of_form >= PER_FORM else queued
