"""Shapes of Submissions.

Made by `make openapi` from docs/openapi.json: change nothing here.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class Location(TypedDict):
    """A place on earth (WGS 84, degrees)."""

    latitude: float
    longitude: float
    accuracy: NotRequired[float | None]


class LookupSnapshot(TypedDict):
    """A row that an answer names, as it was for the person who chose it."""

    pointer: str
    datasourceId: str
    version: int | None
    key: str
    data: dict[str, str | int | float | bool | None] | None


class Submission(TypedDict):
    """A filled form, with the answers to the version it was made with."""

    id: str
    customerId: str
    formId: str
    versionId: str
    status: SubmissionStatus
    externalId: str | None
    userId: str | None
    taskId: str | None
    inviteId: str | None
    location: Location | None
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
    """A filled form that a system hands in."""

    data: dict[str, Any]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str | None]
    userId: NotRequired[str | None]
    location: NotRequired[Location | None]


class SubmissionFile(TypedDict):
    """A photo, a signature or another file that answers a field."""

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
"""What a submission that was sent can be."""


class SubmissionRevision(TypedDict):
    """What a submission was from one change to the next."""

    submissionId: str
    revision: int
    versionId: str
    status: SubmissionStatus
    data: dict[str, Any]
    externalId: str | None
    userId: str | None
    location: Location | None
    submittedAt: str | None
    note: str | None
    updatedBy: str | None
    updated: str


SubmissionStatus: TypeAlias = Literal["APPROVED", "REJECTED", "STARTED", "SUBMITTED"]
"""The status of a submission."""


class SubmissionUpdate(TypedDict):
    """What is to change of a submission that was sent."""

    data: NotRequired[dict[str, Any]]
    status: NotRequired[SubmissionReviewStatus]
    externalId: NotRequired[str | None]
    submittedAt: NotRequired[str]
    userId: NotRequired[str | None]
    location: NotRequired[Location | None]
    note: NotRequired[str | None]
