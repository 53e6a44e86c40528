"""Validation of new invites. All errors are reported together, each with its JSON pointer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import UNSET

from formwright.core.auth import actor as actors
from formwright.core.auth.actor import Actor, Scope
from formwright.core.db.interface import ReadTransaction
from formwright.core.errors import DomainError, ValidationFault
from formwright.core.net.email_message import is_address
from formwright.domain.forms import service as forms
from formwright.domain.forms.links.prefill import validate_prefill
from formwright.domain.forms.models import Form, FormArchived, FormNotFound, FormNotPublished, Version
from formwright.domain.invites.models import DEFAULT_REMINDER_MS, DEFAULT_VALIDITY_MS, NewInvite
from formwright.domain.users import service as people
from formwright.domain.users.models import User, UserNotFound, UserStatus, is_email, normalise_email

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


@dataclass(frozen=True, slots=True)
class InviteReferences:
    """What the new invites of one call refer to: users by id, and forms by id with the version to answer.

    A form without such a version has the error instead.
    """

    users: Mapping[str, User]
    forms: Mapping[str, tuple[Form, Version | DomainError]]


async def load_references(
    tx: ReadTransaction, actor: Actor, scope: Scope, new_invites: Sequence[NewInvite]
) -> InviteReferences:
    """Read each form once, and all users together."""
    user_ids = {new.user_id for new in new_invites if new.email is None and new.user_id is not None}
    users = await people.find_many(tx, actor, user_ids) if user_ids else {}
    found = {form_id: await forms.find(tx, scope, form_id) for form_id in dict.fromkeys(n.form_id for n in new_invites)}
    versions = {form.id: (form, await _find_version(tx, form)) for form in found.values() if form}
    return InviteReferences(users, versions)


async def _find_version(tx: ReadTransaction, form: Form) -> Version | DomainError:
    try:
        return (await forms.get_for_answering(tx, _guest(form), form_id=form.id))[1]
    except (FormNotPublished, FormArchived) as error:
        return error


def _guest(form: Form) -> Actor:
    """Return the invited person, so that the same rules apply as to their own answers."""
    return actors.link(form.id, form.customer_id)


async def check_invite(tx: ReadTransaction, references: InviteReferences, new: NewInvite, now: int) -> CheckedInvite:
    """Check recipient, form, pre-filled answers and times of a new invite."""
    checked = CheckedInvite(name=new.name.strip())
    if not checked.name.isprintable():
        checked.faults.append(
            ValidationFault("/name", "value.format", "A name must be one line without control characters.")
        )
    _check_recipient(references.users, new, checked)
    await _check_form(tx, references.forms.get(new.form_id), new, checked)
    _check_times(new, now, checked)
    return checked


def _check_recipient(users: Mapping[str, User], new: NewInvite, checked: CheckedInvite) -> None:
    if (new.email is None) == (new.user_id is None):
        checked.faults.append(ValidationFault("", "invite.whom", "Set exactly one of email and userId."))
    elif new.email is not None:
        checked.email = normalise_email(new.email)
        if not (is_email(new.email) and is_address(checked.email)):
            checked.faults.append(ValidationFault("/email", "value.format", "Enter a valid email address."))
    else:
        _check_user(users.get(new.user_id or ""), checked)


def _check_user(user: User | None, checked: CheckedInvite) -> None:
    if user is None:
        checked.faults.append(ValidationFault("/userId", UserNotFound.code, UserNotFound.detail))
        return
    if user.status is UserStatus.DISABLED:
        checked.faults.append(
            ValidationFault("/userId", "user.disabled", "This user is disabled and cannot be invited.")
        )
    checked.email, checked.language, checked.name = user.email, user.language, checked.name or user.name


async def _check_form(
    tx: ReadTransaction, found: tuple[Form, Version | DomainError] | None, new: NewInvite, checked: CheckedInvite
) -> None:
    if found is None:
        checked.faults.append(ValidationFault("/formId", FormNotFound.code, FormNotFound.detail))
        return
    checked.form, version = found
    if isinstance(version, DomainError):
        checked.faults.append(ValidationFault("/formId", version.code, version.detail))
        return
    checked.data, faults = await validate_prefill(tx, _guest(checked.form), version, new.data or {})
    checked.faults += faults


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
