"""Bodies and answers that are no JSON: a file in, a file out."""

from dataclasses import dataclass
from typing import Any, BinaryIO, ClassVar, Literal, get_args

CSV = "text/csv"
XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
XLS = "application/vnd.ms-excel"


@dataclass(frozen=True, slots=True)
class Upload:
    """A body that is taken as it is. A subclass names the media types that it may have."""

    media_types: ClassVar[tuple[str, ...]]

    content: bytes


@dataclass(frozen=True, slots=True)
class XlsxUpload(Upload):
    """A workbook. Its content says whether it is an .xlsx or an .xls: either media type may be sent with both."""

    media_types = (XLSX, XLS)


@dataclass(frozen=True, slots=True)
class TableUpload:
    """Rows as a file, beside or instead of JSON: larger than other bodies, and never in memory as a whole."""

    media_types: ClassVar[dict[str, Literal["csv", "xlsx"]]] = {CSV: "csv", XLS: "xlsx", XLSX: "xlsx"}

    file: BinaryIO
    kind: Literal["csv", "xlsx"]
    content_type: str = ""
    """As it was sent: it may name the encoding of a CSV."""


@dataclass(frozen=True, slots=True)
class Download:
    """An answer that is a file, saved under `file_name`."""

    media_type: ClassVar[str]

    content: bytes
    file_name: str

    @property
    def headers(self) -> dict[str, str]:
        """How a browser is to keep it; the name is ASCII, or it would need RFC 8187."""
        plain = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in self.file_name)
        return {"content-disposition": f'attachment; filename="{plain[:100] or "form"}.xlsx"'}


@dataclass(frozen=True, slots=True)
class XlsxDownload(Download):
    """A spreadsheet."""

    media_type = XLSX


def is_file(shape: Any) -> bool:
    """Whether a declared body or answer is a file."""
    return isinstance(shape, type) and issubclass(shape, Upload | Download)


def bodies(shape: Any) -> tuple[Any, bool]:
    """Of the annotation of a body: its shape, and whether a table may come instead."""
    kinds = get_args(shape)
    if TableUpload not in kinds:
        return shape, False
    return next(kind for kind in kinds if kind is not TableUpload), True


def media_types_of(shape: Any) -> tuple[str, ...]:
    """The media types that a declared body or answer may have."""
    if not is_file(shape):
        return ("application/json",)
    return tuple(shape.media_types) if issubclass(shape, Upload) else (str(shape.media_type),)


def media_type_of(shape: Any) -> str:
    """The first of these media types: the one to send, or the one of an answer."""
    return media_types_of(shape)[0]
