"""The records and errors of finding and erasing personal data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from formwright.core.errors import Conflict, NotFound

MAX_SUBMISSIONS = 100_000
"""Maximum number of submissions. More are not of one person: the answer searched for is probably a common one."""


@dataclass(frozen=True, slots=True)
class Subject:
    """The person whose data is searched: a user, an email address, or an answer to a field of a form.

    Exactly one of `user_id`, `email` and `form_id` is set; `field` and `value` belong to `form_id`.
    """

    user_id: str = ""
    email: str = ""
    form_id: str = ""
    field: str = ""
    value: str = ""

    @property
    def query(self) -> str:
        """The query string of the subject, which `parse_subject` reads."""
        values = (self.user_id, self.email, self.form_id, self.field, self.value)
        return urlencode({name: value for name, value in zip(_QUERY_NAMES, values, strict=True) if value})


_QUERY_NAMES = ("user", "email", "form", "field", "value")


def parse_subject(params: Mapping[str, object]) -> Subject:
    """Return the subject of the fields of a form or the parameters of a query."""
    user, email, form, field, value = (str(params.get(name, "")).strip()[:1000] for name in _QUERY_NAMES)
    if user:
        return Subject(user_id=user)
    return Subject(form_id=form, field=field, value=value) if form and (field or value) else Subject(email=email)


@dataclass(frozen=True, slots=True)
class PersonalData:
    """The ids of everything that was found. `addresses` are the email addresses; `files` and `mails` are counts.

    Deleted submissions are those that only the event log still contains.
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
        """The id of the user to erase; empty if the subject is not a user."""
        return self.subject.user_id

    @property
    def is_empty(self) -> bool:
        """Whether nothing was found."""
        return not (self.submission_ids or self.deleted_submission_ids or self.invite_ids or self.mails or self.user_id)

    @property
    def ids(self) -> frozenset[str]:
        """The ids of all records to erase."""
        return frozenset({*self.submission_ids, *self.deleted_submission_ids, *self.invite_ids, self.user_id} - {""})


class NothingFound(NotFound):
    """The account has no data of this person."""

    code = "person.nothing_found"
    detail = "No data was found for this person."


class TooManySubmissions(Conflict):
    """The search matches more submissions than one person can have filled in."""

    code = "person.too_many"
    detail = f"More than {MAX_SUBMISSIONS:,} submissions match. That is not the data of a single person."


class SelfErasure(Conflict):
    """The actor is the user to erase."""

    code = "person.own_data"
    detail = "You cannot erase your own data. Ask another user who can manage users."
