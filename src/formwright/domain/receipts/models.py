"""The recipients of a form's receipts, the limits, and the outcome of each receipt."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from formwright.core.crypto import SecretBox
from formwright.domain.forms.fields import AnyField, flatten_sections

EVERY_MS = 60_000
DAY_MS = 24 * 3600 * 1000
PER_ADDRESS = 5
"""Receipts of an account to one address in 24 hours."""
PER_FORM = 1000
"""Receipts of a form in 24 hours."""
FIELD_ERROR = "Choose a field of the form of type email or text that is not part of a repeat."


class ReceiptRecipient(StrEnum):
    """`RESPONDENT`: the invited person, or the user who responded. `FIELD`: the address that a field asks for."""

    RESPONDENT = "RESPONDENT"
    FIELD = "FIELD"


@dataclass(frozen=True, slots=True)
class ReceiptMailer:
    """What sending receipts needs: the encryption of queued emails, and the public URL for links; empty if unknown."""

    seal: SecretBox
    base_url: str


class ReceiptOutcome(StrEnum):
    """`QUEUED`: there is an email. `NO_ADDRESS`: there was no valid address. `LIMITED`: a limit was reached."""

    QUEUED = "QUEUED"
    NO_ADDRESS = "NO_ADDRESS"
    LIMITED = "LIMITED"


@dataclass(frozen=True, slots=True)
class ReceiptSettings:
    """To whom the receipts of a form are sent; to nobody if `recipient` is None. `field` is only set for `FIELD`.

    Submissions that arrived after `since` have not been looked at, and that is next done at `due` (milliseconds).
    """

    customer_id: str
    form_id: str
    recipient: ReceiptRecipient | None = None
    field: str = ""
    since: int = 0
    due: int = 0


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome for a submission. `address` is a hash, by which receipts to an address are counted."""

    customer_id: str
    submission_id: str
    form_id: str
    outcome: ReceiptOutcome
    address: str
    created: int


def hash_address(address: str) -> str:
    """Return the hash of a mailbox. Tags, as in `ann+forms@example.org`, do not count as another mailbox."""
    local, _, domain = address.lower().rpartition("@")
    return sha256(f"{local.partition('+')[0]}@{domain}".encode()).hexdigest()


def list_address_fields(fields: Sequence[AnyField]) -> list[AnyField]:
    """Return the fields whose answer can be an email address, in reading order."""
    return [field for field in flatten_sections(fields) if field.can_be_address]
