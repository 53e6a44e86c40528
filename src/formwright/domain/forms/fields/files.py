"""Fields whose answers are files."""

from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.core.file_uses import FileUse
from formwright.domain.forms.fields.answer_kinds import AnswerKind
from formwright.domain.forms.fields.base import CompoundField, Json, Size
from formwright.domain.forms.fields.display import DisplayContext, ReadTexts, format_count, read_file_names
from formwright.domain.forms.fields.properties import FileMetadata

_ID_SCHEMA: Json = {"type": "string", "pattern": "^fil_[0-7][0-9a-hjkmnp-tv-z]{25}$"}


class _UploadField(CompoundField, frozen=True, kw_only=True):
    """A field whose answer names files. Rules, cells and texts contain none."""

    accepts_default_rule: ClassVar[bool] = False
    accepts_calculation: ClassVar[bool] = False
    is_remembered: ClassVar[bool] = False


MaxFiles = Annotated[int, Meta(ge=1, le=20, description="The maximum number of files.")]


class _FileListField(_UploadField, frozen=True, kw_only=True):
    """A field whose answer is a list of files."""

    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILES
    max_files: MaxFiles = 1

    def typed_schema(self) -> Json:
        shape: Json = {"type": "array", "items": _ID_SCHEMA, "uniqueItems": True, "maxItems": self.max_files}
        return shape | ({"minItems": 1} if self.required else {})

    def max_answer_size(self) -> Size:
        return Size(self.max_files + 1, self.max_files * Size.of_text(30).bytes)

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return format_count(len(value), "file") if isinstance(value, list) else str(value)

    def text_reader(self) -> ReadTexts:
        return read_file_names


class Drawing(StrEnum):
    """What people draw on: the photos that they have added, or an empty sheet."""

    PHOTO = "photo"
    SHEET = "sheet"


class PhotoField(_FileListField, tag="photo", frozen=True, kw_only=True):
    """Photos from the camera or from files, or drawings. The answer is the list of their file ids."""

    is_listed: ClassVar[bool] = True
    file_use: ClassVar[FileUse | None] = FileUse.PHOTO
    drawing: (
        Annotated[
            Drawing,
            Meta(
                description="`photo`: people can draw on the photos on the page. `sheet`: they draw pictures instead of"
                " taking photos."
            ),
        ]
        | UnsetType
    ) = UNSET


class AudioField(_FileListField, tag="audio", frozen=True, kw_only=True):
    """Sound from the microphone or from files. The answer is the list of their file ids."""

    file_use: ClassVar[FileUse | None] = FileUse.AUDIO


class VideoField(_FileListField, tag="video", frozen=True, kw_only=True):
    """Videos from the camera or from files. The answer is the list of their file ids."""

    file_use: ClassVar[FileUse | None] = FileUse.VIDEO


class SignatureField(_UploadField, tag="signature", frozen=True, kw_only=True):
    """A signature that is drawn on the screen. The answer is the file id of a PNG image."""

    file_use: ClassVar[FileUse | None] = FileUse.SIGNATURE
    answer_kind: ClassVar[AnswerKind] = AnswerKind.FILE
    is_searched: ClassVar[bool] = False

    def typed_schema(self) -> Json:
        return _ID_SCHEMA

    def format_value(self, value: Any, context: DisplayContext) -> str:
        return "Signed" if isinstance(value, str) else str(value)


class FileField(_FileListField, tag="file", frozen=True, kw_only=True):
    """Files of any type. The answer is the list of their file ids."""

    file_use: ClassVar[FileUse | None] = FileUse.FILE
    metadata: (
        Annotated[FileMetadata, Meta(description="The file that the page attaches, for a hidden field.")] | UnsetType
    ) = UNSET


FilesField = PhotoField | AudioField | VideoField | FileField
"""The fields whose answer is a list of files."""
