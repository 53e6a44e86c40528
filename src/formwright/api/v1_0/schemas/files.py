"""Schemas of files."""

from dataclasses import replace
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from formwright.api.v1_0.schemas.base import FileId, FormId, Resource, SubmissionId, Timestamp
from formwright.api.v1_0.schemas.submissions import SubmissionFilters
from formwright.core.clock import rfc3339
from formwright.domain.files import models
from formwright.domain.submissions.models import SortOrder, SubmissionFilter


class FileUploadQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The query parameters of an upload."""

    field: Annotated[
        str,
        Meta(
            max_length=64,
            description="The name of the field of type `photo`, `signature` or `file` that the file is for, also one in"
            " a repeat.",
            examples=["photos"],
        ),
    ]
    name: Annotated[
        str,
        Meta(
            max_length=1000,
            description="The name of the file. Folders are removed, and an extension is added that matches its type.",
        ),
    ] = ""
    dry_run: Annotated[
        bool, Meta(description="Validate the request and return the usual response, without changing anything.")
    ] = False


class UploadedFile(Resource):
    """A photo, a signature or another file."""

    drifting: ClassVar[tuple[str, ...]] = ("url", "url_expires_at")

    id: FileId
    form_id: FormId
    submission_id: Annotated[
        SubmissionId | None, Meta(description="The submission that refers to the file; null until one does.")
    ]
    field: Annotated[str, Meta(description="The name of the field that the file answers.")]
    name: Annotated[
        str, Meta(description="The file name on the person's device, with an extension that matches its type.")
    ]
    type: Annotated[str, Meta(description="The media type, verified against the content.", examples=["image/jpeg"])]
    size: Annotated[int, Meta(description="The size in bytes.")]
    sha256: Annotated[str, Meta(description="The SHA-256 of the content, in hexadecimal.")]
    url: Annotated[str, Meta(description="A download link, which needs no API key and supports range requests.")]
    url_expires_at: Annotated[Timestamp, Meta(description="When the download link expires.")]
    created: Annotated[Timestamp, Meta(description="When the file was uploaded.")]


class SubmissionFile(UploadedFile):
    """A photo, a signature or another file of a submission."""

    submission_id: SubmissionId


def file(record: models.File, url: str, expires: str) -> UploadedFile:
    """Return a file, with a download link that expires at `expires` (seconds since 1970)."""
    return UploadedFile(
        id=record.id,
        form_id=record.form_id,
        submission_id=record.submission_id,
        field=record.field,
        name=record.name,
        type=record.type,
        size=record.size,
        sha256=record.hash,
        url=url,
        url_expires_at=rfc3339(int(expires) * 1000),
        created=rfc3339(record.created),
    )


def submission_file(record: models.File, url: str, expires: str) -> SubmissionFile:
    """Return a file of a submission, as `file` does."""
    return SubmissionFile(**asdict(file(record, url, expires)))


class SubmissionFilesQuery(SubmissionFilters, kw_only=True):
    """Filters of the submissions whose files are downloaded. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="Only submissions of this form. May be repeated.")] = []
    order: Annotated[SortOrder, Meta(description="The order of the submissions in the archive.")] = SortOrder.SUBMITTED

    def to_filter(self) -> SubmissionFilter:
        return replace(super().to_filter(), form_ids=self.form_id, order=self.order)
