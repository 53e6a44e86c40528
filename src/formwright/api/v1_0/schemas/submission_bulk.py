"""Schemas of changes to many submissions in one request."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.api.errors import Problem, problem_details
from formwright.api.v1_0.schemas.base import FormId, RequestBody, Resource, SubmissionId
from formwright.api.v1_0.schemas.submissions import (
    SubmissionCreate,
    SubmissionReviewStatus,
    SubmissionUpdate,
)
from formwright.asgi.validation import read_body
from formwright.core.errors import DomainError, Invalid, NotFound, ValidationFault, pointer
from formwright.domain.submissions import bulk
from formwright.domain.submissions.models import ExternalIdTaken, Submission, SubmissionStatus
from formwright.domain.submissions.review import SubmissionEdit


class SubmissionBulkCreate(SubmissionCreate, kw_only=True, tag_field="op", tag="create"):
    """Creates a submission, as `createSubmission` does."""

    form_id: FormId

    def to_change(self) -> bulk.Change:
        return bulk.Creation(self.form_id, self.to_import())


class SubmissionBulkUpdate(SubmissionUpdate, kw_only=True, tag_field="op", tag="update"):
    """Updates a submission, as `updateSubmission` does. Properties you omit stay unchanged."""

    id: SubmissionId

    def to_change(self) -> bulk.Change:
        return bulk.Edit(self.id, self.change())


class SubmissionBulkReview(RequestBody, kw_only=True, tag_field="op", tag="review"):
    """Approves or rejects a submission, or sets it back to `SUBMITTED`."""

    id: SubmissionId
    status: SubmissionReviewStatus
    note: (
        Annotated[
            str, Meta(max_length=2000, description="The reason. It is shown to the person who filled in the form.")
        ]
        | UnsetType
        | None
    ) = UNSET

    def to_change(self) -> bulk.Change:
        return bulk.Edit(self.id, SubmissionEdit(status=SubmissionStatus(self.status), note=self.note))


class SubmissionBulkDelete(RequestBody, kw_only=True, tag_field="op", tag="delete"):
    """Deletes a submission, as `deleteSubmission` does."""

    id: SubmissionId

    def to_change(self) -> bulk.Change:
        return bulk.Deletion(self.id)


SubmissionBulkChange = SubmissionBulkCreate | SubmissionBulkUpdate | SubmissionBulkReview | SubmissionBulkDelete


class SubmissionBulkRequest(RequestBody):
    """Changes of submissions, which are applied in this order."""

    items: Annotated[
        list[SubmissionBulkChange],
        Meta(min_length=1, max_length=bulk.MAX_CHANGES, description="The changes, in their order."),
    ]
    atomic: Annotated[
        bool, Meta(description="Whether to apply all changes or none. Otherwise each is applied or rejected by itself.")
    ] = False


class RawSubmissionBulkRequest(RequestBody):
    """The request with items that are still JSON, so that an invalid item does not reject the others."""

    documented_as: ClassVar[Any] = SubmissionBulkRequest
    checks_items_alone: ClassVar[bool] = True
    """Numbers in items are checked with the item (`asgi/validation.py`)."""

    items: Annotated[list[msgspec.Raw], Meta(min_length=1, max_length=bulk.MAX_CHANGES)]
    atomic: bool = False

    def read_changes(self) -> list[bulk.Change | DomainError]:
        """Return each item's change, or the error in the item."""
        return [_read_change(item) for item in self.items]


def _read_change(item: msgspec.Raw) -> bulk.Change | DomainError:
    try:
        change: bulk.Change = read_body(bytes(item), SubmissionBulkChange).to_change()
    except DomainError as error:
        return error
    return change


class SubmissionBulkItem(Resource):
    """The result of one item of the request."""

    status: Annotated[
        int, Meta(description="The status with which the single operation responds: 200, 201, 204, or an error.")
    ]
    id: Annotated[SubmissionId | None, Meta(description="The id of the submission; null if the item was rejected.")]
    revision: Annotated[
        int | None, Meta(description="The revision of the submission; null if it was deleted or the item rejected.")
    ]
    problem: Annotated[
        Problem | None,
        Meta(description="Why the item was rejected. Pointers of its `errors` begin at the item. Null if it was not."),
    ]


class SubmissionBulkResult(Resource):
    """The results of the items of the request."""

    items: Annotated[list[SubmissionBulkItem], Meta(description="One for each item of the request, in its order.")]
    failed: Annotated[int, Meta(description="How many items were rejected.")]


def result(
    changes: Sequence[bulk.Change | DomainError], outcomes: Sequence[bulk.Outcome], request_id: str
) -> SubmissionBulkResult:
    pairs = zip(changes, outcomes, strict=True)
    failed = sum(isinstance(outcome, DomainError) for outcome in outcomes)
    return SubmissionBulkResult(items=[_item(*pair, request_id) for pair in pairs], failed=failed)


def _item(change: bulk.Change | DomainError, outcome: bulk.Outcome, request_id: str) -> SubmissionBulkItem:
    if isinstance(outcome, DomainError):
        details = problem_details(outcome, request_id)
        return SubmissionBulkItem(status=details.status, id=None, revision=None, problem=details)
    if isinstance(outcome, Submission):
        status = 201 if isinstance(change, bulk.Creation) else 200
        return SubmissionBulkItem(status=status, id=outcome.id, revision=outcome.revision, problem=None)
    deleted_id = change.submission_id if isinstance(change, bulk.Deletion) else None
    return SubmissionBulkItem(status=204, id=deleted_id, revision=None, problem=None)


def find_errors(
    changes: Sequence[bulk.Change | DomainError], outcomes: Sequence[bulk.Outcome]
) -> list[ValidationFault]:
    """Return the errors of all rejected items, with pointers from the beginning of the request."""
    return [
        replace(fault, pointer=pointer("items", index) + fault.pointer)
        for index, (change, outcome) in enumerate(zip(changes, outcomes, strict=True))
        if isinstance(outcome, DomainError)
        for fault in _item_errors(change, outcome)
    ]


def _item_errors(change: bulk.Change | DomainError, error: DomainError) -> Sequence[ValidationFault]:
    if isinstance(error, Invalid):
        return error.faults
    place = "/externalId" if isinstance(error, ExternalIdTaken) else ""
    if isinstance(error, NotFound):
        place = "/formId" if isinstance(change, bulk.Creation) else "/id"
    return [ValidationFault(place, error.code, str(error))]
