"""The types of the properties of fields."""

from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta

FieldName = Annotated[
    str,
    Meta(
        # In Python, `$` alone would also match before a final line feed.
        pattern=r"^[A-Za-z][A-Za-z0-9_]{0,63}$(?!\n)",
        description="The key of the answer: a letter, then letters, digits and `_`, at most 64 characters.",
    ),
]
Unit = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=20,
        pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)",
        description="The unit or currency, such as “m²” or “€”, next to the number. The answer is the number only.",
    ),
]
DatasourceId = Annotated[
    str, Meta(pattern=r"^dat_[0-7][0-9a-hjkmnp-tv-z]{25}$", description="The id of a data source.")
]
BlockId = Annotated[
    str,
    Meta(
        pattern=r"^blk_[0-7][0-9a-hjkmnp-tv-z]{25}$",
        description="The id of a question block. It may have been deleted.",
    ),
]
MAX_RULE_LENGTH = 20_000
Column = Annotated[str, Meta(min_length=1, max_length=200)]
Rule = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=MAX_RULE_LENGTH,
        description="A CEL expression that uses the other answers by name. `answered.<name>` is true if there is one.",
        examples=["people > 10 && answered.contact"],
    ),
]
KeptCells = Annotated[
    dict[Annotated[str, Meta(min_length=1, max_length=100)], Annotated[str, Meta(min_length=1, max_length=2000)]],
    Meta(max_length=20),
]
"""Cells of a workbook by the names of their columns."""


DEFAULT = Meta(description="The initial answer.")


class BlockReference(
    msgspec.Struct, forbid_unknown_fields=True, rename="camel", omit_defaults=True, frozen=True, kw_only=True
):
    """The field of a question block that a field is a copy of. It has no effect on answers."""

    id: BlockId
    version: Annotated[int, Meta(ge=1, le=2**53, description="The version of the block.")]
    field: Annotated[FieldName, Meta(description="The name of the field in the block.")]
    copy: Annotated[
        int, Meta(ge=1, le=500, description="Tells several copies of the same block in a form from each other.")
    ] = 1


class FieldMetadata(StrEnum):
    """What the page fills in about the person and the device. `DEVICE_ID`: a random id that the browser keeps.
    `USER_NAME` and `EMAIL`: the person who was invited or assigned a task. The others are what XLSForm also knows:
    browsers do not reveal them, so they stay empty.
    """

    DEVICE_ID = "deviceId"
    USER_NAME = "userName"
    EMAIL = "email"
    PHONE_NUMBER = "phoneNumber"
    SIM_SERIAL = "simSerial"
    SUBSCRIBER_ID = "subscriberId"


class FileMetadata(StrEnum):
    """Which file the page attaches by itself. `AUDIT`: `audit.csv`, with the time that each question took."""

    AUDIT = "audit"


class LocationMetadata(StrEnum):
    """Which position the page fills in by itself. `START_LOCATION`: that of the device when the form is opened."""

    START_LOCATION = "startLocation"


Metadata = FieldMetadata | FileMetadata | LocationMetadata
