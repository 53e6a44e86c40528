"""Submissions without a database, in any number: for what writes them to files."""

from formwright.domain.forms.definition import AnyField, IntegerField, RepeatField, TextField
from formwright.domain.submissions.model import Submission, SubmissionStatus
from formwright.web.pages.submissions.answers import Manner
from formwright.web.pages.submissions.export.table import Piece, Sheet, Table


def table() -> Table:
    """Of a form with a repeat."""
    inside: list[AnyField] = [TextField(name="what", label="What")]
    repeat = RepeatField(name="defects", label="Defects", fields=inside)
    fields: list[AnyField] = [TextField(name="site", label="Site"), IntegerField(name="people", label="People"), repeat]
    return Table(Sheet(fields), [Sheet(inside, repeat)], Manner("en", "UTC"))


def piece(number: int, count: int) -> Piece:
    """`count` further submissions of it."""
    return [(_submission(number * count + one), "Ada") for one in range(count)]


def _submission(number: int) -> Submission:
    data = f'{{"site":"Harbour {number}","people":{number},"defects":[{{"what":"Hook {number}"}}]}}'
    about = (None, None, None, None, None, None)
    status, at = SubmissionStatus.SUBMITTED, 1_800_000_000_000 + number
    return Submission(f"sub_{number:026}", "cus_1", "frm_1", "ver_1", status, data, *about, at, at, at, at, 1)
