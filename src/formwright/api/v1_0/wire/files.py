"""Files in version 1.0."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.wire.basics import Resource, Timestamp
from formwright.api.v1_0.wire.ids import FileId, FormId, SubmissionId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.files import model


class File(Resource):
    """A photo, a signature or another file that answers a field."""

    id: FileId
    form_id: FormId
    submission_id: SubmissionId
    field: Annotated[str, Meta(description="The name of the field that it answers.")]
    name: Annotated[str, Meta(description="As the person's device called it; with an ending that its type has.")]
    type: Annotated[str, Meta(description="Its media type, found true of its content.", examples=["image/jpeg"])]
    size: Annotated[int, Meta(description="In bytes.")]
    sha256: Annotated[str, Meta(description="SHA-256 of its content, in hex.")]
    url: Annotated[str, Meta(description="Downloads it, without a key, until `urlExpiresAt`; answers ranges.")]
    url_expires_at: Timestamp
    created: Timestamp


def file(record: model.File, url: str, expires: str) -> File:
    """The record of an attached file as the API shows it, with a link that ends at `expires` (seconds since 1970)."""
    return File(
        id=record.id,
        form_id=record.form_id,
        submission_id=record.submission_id or "",
        field=record.field,
        name=record.name,
        type=record.type,
        size=record.size,
        sha256=record.hash,
        url=url,
        url_expires_at=rfc3339(int(expires) * 1000),
        created=rfc3339(record.created),
    )
