"""Request and response bodies in media types other than JSON."""

from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Literal, cast, get_args

import msgspec

from formwright.core.blobs import ReceivedBlob
from formwright.domain.files.filenames import content_disposition
from formwright.domain.files.media_archive import MAX_ARCHIVE
from formwright.domain.files.models import MAX_SIZE

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS = "application/vnd.ms-excel"


@dataclass(frozen=True, slots=True)
class Upload:
    """A request body that is a file. Subclasses define its media types."""

    media_types: ClassVar[tuple[str, ...]]

    content: bytes


class XlsxUpload(Upload):
    """A workbook. The content determines whether it is .xlsx or .xls, so both media types are accepted for either."""

    media_types = (XLSX, XLS)


@dataclass(frozen=True, slots=True)
class TableUpload:
    """A file of rows, as an alternative to JSON. It may be larger than other bodies, and is never loaded completely."""

    media_types: ClassVar[dict[str, Literal["csv", "xlsx"]]] = {CSV: "csv", XLS: "xlsx", XLSX: "xlsx"}

    received: ReceivedBlob
    kind: Literal["csv", "xlsx"]
    content_type: str = ""
    """The `Content-Type` header, which may contain the encoding of a CSV file."""

    @property
    def file(self) -> BinaryIO:
        """The content."""
        return cast(BinaryIO, self.received.file)


@dataclass(frozen=True, slots=True)
class FileUpload:
    """A file of any type, which is received completely but never loaded into memory. Its type is checked later."""

    media_types: ClassVar[tuple[str, ...]] = ("application/octet-stream",)
    """What the OpenAPI document shows. Any other media type is accepted, too."""
    max_size: ClassVar[int] = MAX_SIZE

    received: ReceivedBlob
    content_type: str


class MediaArchiveUpload(FileUpload):
    """A ZIP archive with the media of a form."""

    media_types = ("application/zip",)
    max_size = MAX_ARCHIVE


class TypedJson(msgspec.Struct):
    """A response body that is JSON with a media type of its own, which subclasses define."""

    media_type: ClassVar[str]
    headers: ClassVar[Mapping[str, str]] = {}
    """The descriptions of further headers of the response, by name."""


@dataclass(frozen=True, slots=True)
class Download:
    """A response body that is a file."""

    media_type: ClassVar[str]
    has_etag: ClassVar[bool] = False
    """Whether downloads of this type have an ETag."""

    content: bytes
    file_name: str
    etag: str = ""

    @property
    def headers(self) -> dict[str, str]:
        """The headers of the download. The file name is reduced to ASCII, because other characters need RFC 8187."""
        name = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in self.file_name)
        return {"content-disposition": f'attachment; filename="{name[:100] or "form"}.xlsx"'}


class XlsxDownload(Download):
    """A workbook."""

    media_type = XLSX


class PdfDownload(Download):
    """A PDF document."""

    media_type = "application/pdf"
    has_etag = True

    @property
    def headers(self) -> dict[str, str]:
        return {"content-disposition": content_disposition(self.file_name)}


@dataclass(frozen=True, slots=True)
class StreamedDownload:
    """A response body that is a file of unknown size, which is sent while it is created."""

    media_type: ClassVar[str]

    chunks: AsyncGenerator[bytes, None]
    file_name: str

    @property
    def headers(self) -> dict[str, str]:
        return {"content-disposition": content_disposition(self.file_name), "cache-control": "no-store"}


class ZipDownload(StreamedDownload):
    """A ZIP archive."""

    media_type = "application/zip"


_UPLOADS = Upload | TableUpload | FileUpload
_DOWNLOADS = Download | StreamedDownload


def is_file(type_: Any) -> bool:
    """Return whether the type of a body is a file."""
    return isinstance(type_, type) and issubclass(type_, _UPLOADS | _DOWNLOADS)


def is_typed_json(type_: Any) -> bool:
    """Return whether the type of a body is JSON with a media type of its own."""
    return isinstance(type_, type) and issubclass(type_, TypedJson)


def bodies(annotation: Any) -> tuple[Any, bool]:
    """Split the annotation of a body into its JSON type, and whether a file of rows is an alternative."""
    types = get_args(annotation)
    if TableUpload not in types:
        return annotation, False
    return next(type_ for type_ in types if type_ is not TableUpload), True


def media_types_of(type_: Any) -> tuple[str, ...]:
    """Return the media types of a body."""
    if is_typed_json(type_):
        return (str(type_.media_type),)
    if not is_file(type_):
        return ("application/json",)
    return tuple(type_.media_types) if issubclass(type_, _UPLOADS) else (str(type_.media_type),)


def media_type_of(type_: Any) -> str:
    """Return the preferred media type of a body."""
    return media_types_of(type_)[0]
