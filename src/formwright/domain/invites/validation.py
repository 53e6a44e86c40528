"""Validation of new invites. All errors are reported together, each with its JSON pointer."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from msgspec import UNSET

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, ValidationFault
from formwright.core.net.email_message import is_address
from formwright.domain.forms import service as forms
from formwright.domain.forms.models import Form, FormArchived, FormNotFound, FormNotPublished
from formwright.domain.forms.prefill import validate_prefill
from formwright.domain.invites.models import DEFAULT_REMINDER_MS, DEFAULT_VALIDITY_MS, NewInvite
from formwright.domain.users import service as people
from formwright.domain.users.models import UserNotFound, UserStatus, is_email, normalise_email

_IN_PAST = "This time is in the past."


@dataclass(slots=True)
class CheckedInvite:
    """The values of a new invite, with defaults applied, and the validation errors."""

    form: Form | None = None
    email: str = ""
    name: str = ""
    language: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    expires: int = 0
    remind: int | None = None
    faults: list[ValidationFault] = field(default_factory=list)


async def check_invite(tx: ReadTransaction, actor: Actor, scope: Scope, new: NewInvite, now: int) -> CheckedInvite:
    """Check recipient, form, pre-filled answers and times of a new invite."""
    checked = CheckedInvite(name=new.name.strip())
    if not checked.name.isprintable():
        checked.faults.append(
            ValidationFault("/name", "value.format", "A name must be one line without control characters.")
        )
    await _check_recipient(tx, actor, new, checked)
    await _check_form(tx, scope, new, checked)
    _check_times(new, now, checked)
    return checked


async def _check_recipient(tx: ReadTransaction, actor: Actor, new: NewInvite, checked: CheckedInvite) -> None:
    if (new.email is None) == (new.user_id is None):
        checked.faults.append(ValidationFault("", "invite.whom", "Set exactly one of email and userId."))
    elif new.email is not None:
        checked.email = normalise_email(new.email)
        if not (is_email(new.email) and is_address(checked.email)):
            checked.faults.append(ValidationFault("/email", "value.format", "Enter a valid email address."))
    else:
        await _check_user(tx, actor, new.user_id or "", checked)


async def _check_user(tx: ReadTransaction, actor: Actor, user_id: str, checked: CheckedInvite) -> None:
    try:
        user = await people.get(tx, actor, user_id=user_id)
    except UserNotFound as error:
        checked.faults.append(ValidationFault("/userId", error.code, error.detail))
        return
    if user.status is UserStatus.DISABLED:
        checked.faults.append(
            ValidationFault("/userId", "user.disabled", "This user is disabled and cannot be invited.")
        )
    checked.email, checked.language, checked.name = user.email, user.language, checked.name or user.name


async def _check_form(tx: ReadTransaction, scope: Scope, new: NewInvite, checked: CheckedInvite) -> None:
    checked.form = await forms.find(tx, scope, new.form_id)
    if checked.form is None:
        checked.faults.append(ValidationFault("/formId", FormNotFound.code, FormNotFound.detail))
        return
    # Checked as the invited person, so that the same rules apply as to their own answers.
    guest = actors.link(new.form_id, scope.customer_id)
    try:
        _, version = await forms.get_for_answering(tx, guest, form_id=new.form_id)
    except (FormNotPublished, FormArchived) as error:
        checked.faults.append(_to_fault(error))
        return
    checked.data, found = await validate_prefill(tx, guest, version, new.data or {})
    checked.faults += found


def _to_fault(error: DomainError) -> ValidationFault:
    return ValidationFault("/formId", error.code, error.detail)


def _check_times(new: NewInvite, now: int, checked: CheckedInvite) -> None:
    checked.expires = now + DEFAULT_VALIDITY_MS if new.expires is None else new.expires
    if checked.expires <= now:
        checked.faults.append(ValidationFault("/expiresAt", "value.past", _IN_PAST))
    elif new.remind is UNSET:
        remind = checked.expires - DEFAULT_REMINDER_MS
        checked.remind = remind if remind >= now + DEFAULT_REMINDER_MS else None
    elif new.remind is not None and new.remind <= now:
        checked.faults.append(ValidationFault("/remindAt", "value.past", _IN_PAST))
    elif new.remind is not None and new.remind >= checked.expires:
        checked.faults.append(ValidationFault("/remindAt", "invite.remind", "The reminder must be before `expiresAt`."))
    else:
        checked.remind = new.remind
