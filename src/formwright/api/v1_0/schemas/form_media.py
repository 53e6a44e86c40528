"""Schemas of the media of forms."""

from typing import Annotated

import msgspec
from msgspec import Meta

from formwright.api.v1_0.schemas.base import FileId, Resource, Timestamp
from formwright.domain.files import models


class FormMediaQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The query parameters of an upload."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=200,
            description="The name of the file, by which fields and options refer to it. Folders are removed, and an"
            " extension is added that matches its type.",
            examples=["map.png"],
        ),
    ]
    dry_run: Annotated[
        bool, Meta(description="Validate the request and return the usual response, without changing anything.")
    ] = False


class FormMediaImportQuery(msgspec.Struct, rename="camel", kw_only=True):
    """The query parameters of the import of an archive."""

    dry_run: Annotated[
        bool, Meta(description="Validate the request and return the usual response, without changing anything.")
    ] = False


class FormMedia(Resource):
    """An image, a sound or a video of a form."""

    id: FileId
    name: Annotated[str, Meta(description="The name by which fields and options refer to it.", examples=["map.png"])]
    type: Annotated[str, Meta(description="The media type, verified against the content.", examples=["image/png"])]
    size: Annotated[int, Meta(description="The size in bytes.")]
    sha256: Annotated[str, Meta(description="The SHA-256 of the content, in hexadecimal.")]
    url: Annotated[
        str, Meta(description="A download link, which needs no API key and works as long as the file exists.")
    ]
    created: Annotated[Timestamp, Meta(description="When the file was added.")]


class FormMediaImport(Resource):
    """The files that an import has added to the media of a form."""

    added: Annotated[list[FormMedia], Meta(description="The files in the order of their names.")]


def form_media(file: models.File, url: str) -> FormMedia:
    """Return a file with its link."""
    return FormMedia.of(file, sha256=file.hash, url=url)
