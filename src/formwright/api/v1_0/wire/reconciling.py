"""Shapes with which two sides compare what they hold."""

from typing import Annotated

from msgspec import Meta

from formwright.api.paging import PageQuery
from formwright.api.v1_0.wire.basics import Moment, Request, Resource, optional_ms
from formwright.api.v1_0.wire.ids import FormId, SubmissionId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.submissions import reconciling as model

_FORMS = Meta(max_length=500, description="Only submissions of these forms. None: all.")
_FROM = Meta(description="Submitted then or later; begun, while it is not submitted.")
_TO = Meta(description="Submitted before then.")


class Pair(Request):
    """A submission as the other side holds it."""

    id: SubmissionId
    revision: Annotated[int, Meta(ge=1, le=2**53)]


class Reconciliation(Request):
    """What the other side holds of a part of the submissions."""

    submissions: Annotated[list[Pair], Meta(max_length=model.MAX_PAIRS)]
    form_ids: Annotated[list[FormId], _FORMS] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def part(self) -> model.Part:
        """Which submissions are compared."""
        return model.Part(self.form_ids, optional_ms(self.submitted_from), optional_ms(self.submitted_to))

    def held(self) -> dict[str, int]:
        """The revisions by id."""
        return {one.id: one.revision for one in self.submissions}


class HeldHere(Resource):
    """A submission as it is here."""

    id: SubmissionId
    revision: int


class Difference(Resource):
    """What differs. Nothing in all three: both sides hold the same."""

    missing: Annotated[list[HeldHere], Meta(description="Here, in that part, and not on the other side.")]
    stale: Annotated[list[HeldHere], Meta(description="On both sides, here in another revision.")]
    deleted: Annotated[list[SubmissionId], Meta(description="Not here any more.")]


class DayQuery(PageQuery):
    """Which days are meant."""

    form_id: Annotated[list[FormId], Meta(description="May be repeated.")] = []
    submitted_from: Annotated[Moment, _FROM] | None = None
    submitted_to: Annotated[Moment, _TO] | None = None

    def part(self) -> model.Part:
        """Which submissions are counted: those behind the page before this one."""
        window = self.window()
        since, begins = optional_ms(self.submitted_from), window.after.number if window.after else None
        known = [moment for moment in (since, begins) if moment is not None]
        return model.Part(self.form_id, max(known, default=None), optional_ms(self.submitted_to))


class Day(Resource):
    """What a form has of a day."""

    form_id: FormId
    day: Annotated[
        str,
        Meta(
            description="The UTC day on which they were submitted, or begun.",
            examples=["2026-03-29"],
            extra_json_schema={"format": "date"},
        ),
    ]
    count: int
    checksum: Annotated[
        str,
        Meta(description="SHA-256 (hexadecimal) of `id:revision` and a line feed for each, in the order of the ids."),
    ]


def difference(record: model.Difference) -> Difference:
    """The record as the API shows it."""
    return Difference(
        missing=[HeldHere(id=one, revision=revision) for one, revision in record.missing.items()],
        stale=[HeldHere(id=one, revision=revision) for one, revision in record.stale.items()],
        deleted=list(record.deleted),
    )


def day(record: model.Day) -> Day:
    """The record as the API shows it."""
    return Day(form_id=record.form_id, day=rfc3339(record.begins)[:10], count=record.count, checksum=record.checksum)
