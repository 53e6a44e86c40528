"""Media beside questions and options. They name files that are attached to the form (`domain/files/form_media.py`)."""

from collections.abc import Iterator
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from formwright.domain.forms.fields.labels import TRANSLATED, Label, label_texts

FileName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=200,
        pattern=r"^[^/\\\x00-\x1f\x7f]*$(?!\n)",
        description="The name of a file that is attached to the form.",
        examples=["map.png"],
    ),
]
FileNames = Annotated[
    FileName | Annotated[dict[str, FileName], Meta(min_length=1)],
    Meta(description='A file name, or a file name for each language: `{"en": "map.png", "de": "karte.png"}`.'),
]


class Media(msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True):
    """An image, a sound and a video beside a question or an option."""

    image: FileNames | UnsetType = UNSET
    big_image: FileNames | UnsetType = UNSET
    audio: FileNames | UnsetType = UNSET
    video: FileNames | UnsetType = UNSET
    alt: (
        Annotated[
            Label,
            Meta(description=f"What the media are about, for people who do not see or hear them. {TRANSLATED}"),
        ]
        | UnsetType
    ) = UNSET


FILE_PROPERTIES = ("image", "big_image", "audio", "video")


def file_names(media: Media | UnsetType) -> Iterator[str]:
    """Yield the names of all files, in all languages."""
    if media is UNSET:
        return
    for name in FILE_PROPERTIES:
        if (names := getattr(media, name)) is not UNSET:
            yield from label_texts(names)
