"""Whether an invite can be made: every fault at once, each with its pointer."""

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
from formwright.domain.invites.models import LASTS_MS, REMIND_BEFORE_MS, NewInvite
from formwright.domain.users import service as people
from formwright.domain.users.models import UserNotFound, UserStatus, is_email, normalise_email

_LATER = "This is in the past. Name a time to come."


@dataclass(slots=True)
class Checked:
    """What the parts of a new invite become, and what is wrong with them."""

    form: Form | None = None
    email: str = ""
    name: str = ""
    language: str = ""
    data: Mapping[str, object] = field(default_factory=dict)
    expires: int = 0
    remind: int | None = None
    faults: list[ValidationFault] = field(default_factory=list)


async def check(tx: ReadTransaction, actor: Actor, scope: Scope, new: NewInvite, now: int) -> Checked:
    """Whom, to which form, with what and until when."""
    made = Checked(name=new.name.strip())
    if not made.name.isprintable():
        made.faults.append(ValidationFault("/name", "value.format", "A name is one line without control characters."))
    await _whom(tx, actor, new, made)
    await _form(tx, scope, new, made)
    _times(new, now, made)
    return made


async def _whom(tx: ReadTransaction, actor: Actor, new: NewInvite, made: Checked) -> None:
    if (new.email is None) == (new.user_id is None):
        made.faults.append(ValidationFault("", "invite.whom", "Name the person by exactly one of email and userId."))
    elif new.email is not None:
        made.email = normalise_email(new.email)
        if not (is_email(new.email) and is_address(made.email)):
            made.faults.append(ValidationFault("/email", "value.format", "Enter a valid email address."))
    else:
        await _user(tx, actor, new.user_id or "", made)


async def _user(tx: ReadTransaction, actor: Actor, user_id: str, made: Checked) -> None:
    try:
        user = await people.get(tx, actor, user_id=user_id)
    except UserNotFound as error:
        made.faults.append(ValidationFault("/userId", error.code, error.detail))
        return
    if user.status is UserStatus.DISABLED:
        made.faults.append(ValidationFault("/userId", "user.disabled", "This user is disabled and receives nothing."))
    made.email, made.language, made.name = user.email, user.language, made.name or user.name


async def _form(tx: ReadTransaction, scope: Scope, new: NewInvite, made: Checked) -> None:
    made.form = await forms.find(tx, scope, new.form_id)
    if made.form is None:
        made.faults.append(ValidationFault("/formId", FormNotFound.code, FormNotFound.detail))
        return
    # As who will fill it, so that it is checked just as what she would send.
    guest = actors.link(new.form_id, scope.customer_id)
    try:
        _, version = await forms.get_for_answering(tx, guest, form_id=new.form_id)
    except (FormNotPublished, FormArchived) as error:
        made.faults.append(_at_form(error))
        return
    made.data, found = await validate_prefill(tx, guest, version, new.data or {})
    made.faults += found


def _at_form(error: DomainError) -> ValidationFault:
    return ValidationFault("/formId", error.code, error.detail)


def _times(new: NewInvite, now: int, made: Checked) -> None:
    made.expires = now + LASTS_MS if new.expires is None else new.expires
    if made.expires <= now:
        made.faults.append(ValidationFault("/expiresAt", "value.past", _LATER))
    elif new.remind is UNSET:
        usual = made.expires - REMIND_BEFORE_MS
        made.remind = usual if usual >= now + REMIND_BEFORE_MS else None
    elif new.remind is not None and new.remind <= now:
        made.faults.append(ValidationFault("/remindAt", "value.past", _LATER))
    elif new.remind is not None and new.remind >= made.expires:
        made.faults.append(ValidationFault("/remindAt", "invite.remind", "This is not before `expiresAt`."))
    else:
        made.remind = new.remind
