"""Whose data is meant, and how much of it there is."""

from collections.abc import Sequence
from dataclasses import dataclass

from formwright.core.errors import Conflict, NotFound

MAX_SUBMISSIONS = 100_000
"""More submissions than that are no one person's: somebody named an answer that many give."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A person: of the account, by an address, or by an answer of a form. Exactly one of them."""

    user_id: str = ""
    email: str = ""
    form_id: str = ""
    field: str = ""
    value: str = ""


@dataclass(frozen=True, slots=True)
class PersonalData:
    """What there is of a person, by ids; `addresses` are those to which mails went.

    `deleted` are submissions of which only the event log still tells.
    """

    subject: Subject
    submission_ids: Sequence[str]
    deleted_submission_ids: Sequence[str]
    form_ids: Sequence[str]
    invite_ids: Sequence[str]
    addresses: Sequence[str]
    files: int
    mails: int

    @property
    def user_id(self) -> str:
        """The person of the account who goes with it; empty where it is none."""
        return self.subject.user_id

    @property
    def is_empty(self) -> bool:
        """Whether there is no trace."""
        return not (self.submission_ids or self.deleted_submission_ids or self.invite_ids or self.mails or self.user_id)

    @property
    def ids(self) -> frozenset[str]:
        """Of all that goes."""
        return frozenset({*self.submission_ids, *self.deleted_submission_ids, *self.invite_ids, self.user_id} - {""})


class NothingFound(NotFound):
    """Nothing is known of this person."""

    code = "person.nothing_found"
    detail = "Nothing is known here of this person."


class TooManySubmissions(Conflict):
    """So many submissions are not one person's."""

    code = "person.too_many"
    detail = f"More than {MAX_SUBMISSIONS:,} submissions have this answer: that is not one person's data."


class SelfErasure(Conflict):
    """Somebody would erase herself."""

    code = "person.own_data"
    detail = "Nobody can erase herself: ask another person who manages people."
