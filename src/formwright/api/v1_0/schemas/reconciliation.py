"""Schemas of reconciliation: comparing submissions with a copy in another system."""

from typing import Annotated

from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import FormId, Moment, RequestBody, Resource, SubmissionId, optional_ms
from formwright.core.clock import rfc3339
from formwright.domain.submissions import reconciliation as model

_FORMS = Meta(max_length=500, description="Compare only submissions of these forms. Empty: of all forms.")
_FROM = Meta(description="Only submissions submitted at or after this time (or started, if they are not submitted).")
_TO = Meta(description="Only submissions submitted before this time (or started, if they are not submitted).")


class ClientSubmissionState(RequestBody):
    """A submission in your copy."""

    id: SubmissionId
    revision: Annotated[int, Meta(ge=1, le=2**53, description="The revision in your copy.")]


class ReconciliationRequest(RequestBody):
    """The submissions in your copy, and which of the server's submissions to compare them with."""

    submissions: Annotated[
        list[ClientSubmissionState], Meta(max_length=model.MAX_PAIRS, description="The submissions in your copy.")
    ]
    form_ids: Annotated[list[FormId], _FORMS] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def to_scope(self) -> model.SubmissionRange:
        return model.SubmissionRange(self.form_ids, optional_ms(self.submitted_from), optional_ms(self.submitted_to))

    def revisions_by_id(self) -> dict[str, int]:
        return {state.id: state.revision for state in self.submissions}


class SubmissionState(Resource):
    """A submission on the server."""

    id: SubmissionId
    revision: Annotated[int, Meta(description="The current revision on the server.")]


class ReconciliationDifference(Resource):
    """The differences between the server and your copy. If all three lists are empty, there are none."""

    missing: Annotated[list[SubmissionState], Meta(description="Submissions that are missing from your copy.")]
    stale: Annotated[list[SubmissionState], Meta(description="Submissions with another revision on the server.")]
    deleted: Annotated[list[SubmissionId], Meta(description="Submissions that no longer exist on the server.")]


class ReconciliationDayQuery(PageQuery):
    """Filters of the checksums by day."""

    form_id: Annotated[list[FormId], Meta(description="Only submissions of this form. May be repeated.")] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def to_scope(self) -> model.SubmissionRange:
        """Return the submissions to count: those after the previous page."""
        window = self.window()
        since, begins = optional_ms(self.submitted_from), window.after.number if window.after else None
        known = [moment for moment in (since, begins) if moment is not None]
        return model.SubmissionRange(self.form_id, max(known, default=None), optional_ms(self.submitted_to))


class ReconciliationDay(Resource):
    """The submissions of a form on one day."""

    form_id: FormId
    day: Annotated[
        str,
        Meta(
            description="The UTC day on which they were submitted (or started, if they are not submitted).",
            examples=["2026-03-29"],
            extra_json_schema={"format": "date"},
        ),
    ]
    count: Annotated[int, Meta(description="The number of submissions.")]
    checksum: Annotated[
        str,
        Meta(
            description="The SHA-256, in hexadecimal, of the lines `id:revision`, sorted by id, each ending in a line"
            " feed."
        ),
    ]


def difference(record: model.Differences) -> ReconciliationDifference:
    return ReconciliationDifference(
        missing=[SubmissionState(id=id_, revision=revision) for id_, revision in record.missing.items()],
        stale=[SubmissionState(id=id_, revision=revision) for id_, revision in record.stale.items()],
        deleted=list(record.deleted),
    )


def day(record: model.DayChecksum) -> ReconciliationDay:
    return ReconciliationDay.of(record, day=rfc3339(record.start)[:10])
