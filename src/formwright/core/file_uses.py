"""What files are for."""

from enum import StrEnum


class FileUse(StrEnum):
    """The kind of field that a file is for, which determines the accepted media types."""

    PHOTO = "photo"
    SIGNATURE = "signature"
    AUDIO = "audio"
    VIDEO = "video"
    FILE = "file"
    MEDIA = "media"
