"""Schemas of files."""

from dataclasses import replace
from typing import Annotated, ClassVar, NamedTuple

import msgspec
from msgspec import Meta

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

    drifting: ClassVar[tuple[str, ...]] = ("url", "thumbnail_url", "url_expires_at")

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
    thumbnail_url: Annotated[
        str | None,
        Meta(
            description="A link to a small version of a photo or signature, 320 pixels on its longer side; null for"
            " other files. It expires with the download link. If the image is damaged, the link responds with 404."
        ),
    ]
    url_expires_at: Annotated[Timestamp, Meta(description="When both links expire.")]
    created: Annotated[Timestamp, Meta(description="When the file was uploaded.")]


class SubmissionFile(UploadedFile):
    """A photo, a signature or another file of a submission."""

    submission_id: SubmissionId


class FileLinks(NamedTuple):
    """The links to a file and to its thumbnail, and when both expire (ms)."""

    url: str
    thumbnail_url: str | None
    expires: int


def file(record: models.File, links: FileLinks) -> UploadedFile:
    """Return a file with its links."""
    return UploadedFile.of(
        record,
        sha256=record.hash,
        url=links.url,
        thumbnail_url=links.thumbnail_url,
        url_expires_at=rfc3339(links.expires),
    )


def submission_file(record: models.File, links: FileLinks) -> SubmissionFile:
    """Return a file of a submission, as `file` does."""
    return SubmissionFile.of(file(record, links))


class SubmissionFilesQuery(SubmissionFilters, kw_only=True):
    """Filters of the submissions whose files are downloaded. Periods are half-open: from <= t < to."""

    form_id: Annotated[list[FormId], Meta(description="Only submissions of this form. May be repeated.")] = []
    order: Annotated[SortOrder, Meta(description="The order of the submissions in the archive.")] = SortOrder.SUBMITTED

    def to_filter(self) -> SubmissionFilter:
        return replace(super().to_filter(), form_ids=self.form_id, order=self.order)
