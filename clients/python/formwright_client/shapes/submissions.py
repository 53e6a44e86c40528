"""Shapes of Submissions.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class GeoLocation(TypedDict):
    """A position on Earth (WGS 84)."""

    latitude: float
    longitude: float
    accuracy: NotRequired[float | None]


class LookupSnapshot(TypedDict):
    """A row that the answer of a lookup refers to, in its state when it was chosen."""

    pointer: str
    datasourceId: str
    version: int | None
    key: str
    data: dict[str, str | int | float | bool | None] | None


class Submission(TypedDict):
    """A filled-in form."""

    id: str
    customerId: str
    formId: str
    versionId: str
    status: SubmissionStatus
    externalId: str | None
    userId: str | None
    taskId: str | None
    inviteId: str | None
    location: GeoLocation | None
    lookups: list[LookupSnapshot]
    startedAt: str
    submittedAt: str | None
    created: str
    updated: str
    revision: int
    note: str | None
    updatedBy: str | None
    data: dict[str, Any]


class SubmissionCreate(TypedDict):
    """A new submission."""

    data: dict[str, Any]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str | None]
    userId: NotRequired[str | None]
    location: NotRequired[GeoLocation | None]


class SubmissionFile(TypedDict):
    """A photo, a signature or another file of a submission."""

    id: str
    formId: str
    submissionId: str
    field: str
    name: str
    type: str
    size: int
    sha256: str
    url: str
    urlExpiresAt: str
    created: str


SubmissionReviewStatus: TypeAlias = Literal["APPROVED", "REJECTED", "SUBMITTED"]
"""The statuses that a reviewer can set."""


class SubmissionRevision(TypedDict):
    """The state of a submission after one of its changes."""

    submissionId: str
    revision: int
    versionId: str
    status: SubmissionStatus
    data: dict[str, Any]
    externalId: str | None
    userId: str | None
    location: GeoLocation | None
    submittedAt: str | None
    note: str | None
    updatedBy: str | None
    updated: str


SubmissionStatus: TypeAlias = Literal["APPROVED", "REJECTED", "STARTED", "SUBMITTED"]
"""The status of a submission."""


class SubmissionUpdate(TypedDict):
    """The properties of a submission to change."""

    data: NotRequired[dict[str, Any]]
    status: NotRequired[SubmissionReviewStatus]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str]
    userId: NotRequired[str | None]
    location: NotRequired[GeoLocation | None]
    note: NotRequired[str | None]
