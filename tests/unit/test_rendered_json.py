"""The stored JSON of a submission."""

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from formwright.api.v1_0.schemas.submissions import GeoLocation, LookupSnapshot
from formwright.api.v1_0.schemas.submissions import Submission as Declared
from formwright.core.clock import EARLIEST, LATEST, rfc3339
from formwright.domain.submissions import rendered_json
from formwright.domain.submissions.models import Submission, SubmissionStatus

_TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
_MAYBE = st.none() | _TEXT
_LETTERS = st.text("0123456789abcdefghjkmnpqrstvwxyz", min_size=25, max_size=25)
_TIME = st.integers(EARLIEST, LATEST)


def _id(prefix: str) -> st.SearchStrategy[str]:
    return _LETTERS.map(lambda letters: f"{prefix}_0{letters}")


_LOCATION = st.builds(GeoLocation, st.floats(-90, 90), st.floats(-180, 180), st.none() | st.floats(0, 1e6))
_ROW = st.builds(
    LookupSnapshot,
    pointer=_TEXT,
    datasource_id=_id("dat"),
    version=st.none() | st.integers(0, 2**53),
    key=_TEXT,
    data=st.none() | st.dictionaries(_TEXT, _TEXT, max_size=2),
)
_SUBMISSION = st.builds(
    Submission,
    id=_id("sub"),
    customer_id=_id("cus"),
    form_id=_id("frm"),
    version_id=_id("ver"),
    status=st.sampled_from(SubmissionStatus),
    data=st.dictionaries(_TEXT, _TEXT | st.integers(0, 9), max_size=3).map(lambda data: _json(data)),
    external_id=_MAYBE,
    user_id=st.none() | _id("usr"),
    task_id=st.none() | _id("tsk"),
    client_id=_MAYBE,
    location=st.none() | _LOCATION.map(lambda where: _json(where)),
    lookups=st.none() | st.lists(_ROW, min_size=1, max_size=2).map(lambda rows: _json(rows)),
    started=_TIME,
    submitted=st.none() | _TIME,
    created=_TIME,
    updated=_TIME,
    revision=st.integers(1, 2**31),
    note=_MAYBE,
    updated_by=_MAYBE,
    invite_id=st.none() | _id("ivt"),
    device_time=st.none() | st.just("2026-03-29T14:30:00+02:00"),
)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@given(_SUBMISSION)
def test_the_json_has_exactly_the_properties_of_the_schema(submission: Submission) -> None:
    content = rendered_json.render(submission)
    declared = msgspec.json.decode(content, type=Declared)
    assert msgspec.json.decode(msgspec.json.encode(declared)) == msgspec.json.decode(content)
    different = {
        "client_id",
        "data",
        "location",
        "lookups",
        "started",
        "submitted",
        "created",
        "updated",
        "device_time",
    }
    for name in set(Submission.__struct_fields__) - different:
        assert getattr(declared, name) == getattr(submission, name), name
    assert bytes(declared.data).decode() == submission.data
    assert (declared.started_at, declared.created) == (rfc3339(submission.started), rfc3339(submission.created))
    assert declared.submitted_at == (None if submission.submitted is None else rfc3339(submission.submitted))
    assert declared.updated == rfc3339(submission.updated)
    assert declared.device_time == (submission.device_time or msgspec.UNSET)


@given(_SUBMISSION)
def test_the_stored_column_and_the_answers_make_up_the_json(submission: Submission) -> None:
    text, _ = rendered_json.to_columns(submission)
    assert f"{text}{submission.data}}}".encode() == rendered_json.render(submission)
