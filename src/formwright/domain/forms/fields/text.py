"""Fields whose answer is a text that people type or scan."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from formwright.core.errors import ValidationFault
from formwright.domain.forms.fields.base import MAX_KEY_LENGTH, Field, Json, find_range_errors, omit_unset
from formwright.domain.forms.fields.labels import Text
from formwright.domain.forms.fields.properties import DEFAULT, FieldMetadata

DEFAULT_MAX_LENGTH = 10_000
_MAX_EMAIL_LENGTH, _MAX_URL_LENGTH = 254, 2048


class TextField(Field, tag="text", frozen=True, kw_only=True):
    """A line of text."""

    can_be_address: ClassVar[bool] = True
    min_length: Annotated[int, Meta(ge=0, le=10_000, description="The minimum number of characters.")] | UnsetType = (
        UNSET
    )
    max_length: Annotated[int, Meta(ge=1, le=10_000, description="The maximum number of characters.")] | UnsetType = (
        UNSET
    )
    pattern: (
        Annotated[
            str,
            Meta(min_length=1, max_length=500, description="A regular expression that the answer must match anywhere."),
        ]
        | UnsetType
    ) = UNSET
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET
    metadata: (
        Annotated[FieldMetadata, Meta(description="What the page fills in, for a hidden field without a default.")]
        | UnsetType
    ) = UNSET

    @property
    def max_text_length(self) -> int:
        return DEFAULT_MAX_LENGTH if self.max_length is UNSET else self.max_length

    def typed_schema(self) -> Json:
        shape = omit_unset(type="string", minLength=self.min_length, maxLength=self.max_length, pattern=self.pattern)
        return shape | {"maxLength": self.max_text_length}

    def own_errors(self) -> Iterator[ValidationFault]:
        yield from find_range_errors(self.min_length, self.max_length, "minLength maxLength")


class TextareaField(Field, tag="textarea", frozen=True, kw_only=True):
    """Several lines of text."""

    is_listed: ClassVar[bool] = False
    max_length: Annotated[int, Meta(ge=1, le=100_000, description="The maximum number of characters.")] | UnsetType = (
        UNSET
    )
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    @property
    def max_text_length(self) -> int:
        return DEFAULT_MAX_LENGTH if self.max_length is UNSET else self.max_length

    def typed_schema(self) -> Json:
        return {"type": "string", "maxLength": self.max_text_length}


class EmailField(Field, tag="email", frozen=True, kw_only=True):
    """An email address."""

    can_be_address: ClassVar[bool] = True
    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    @property
    def max_text_length(self) -> int:
        return _MAX_EMAIL_LENGTH

    def typed_schema(self) -> Json:
        return {"type": "string", "format": "email", "maxLength": _MAX_EMAIL_LENGTH}

    def calculated_schema(self) -> Json:
        return {"type": "string", "maxLength": _MAX_EMAIL_LENGTH}


class PhoneField(Field, tag="phone", frozen=True, kw_only=True):
    """A telephone number."""

    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "pattern": r"^\+?[0-9 ()/.\-]{3,30}$"}

    def calculated_schema(self) -> Json:
        return {"type": "string", "maxLength": MAX_KEY_LENGTH}


class UrlField(Field, tag="url", frozen=True, kw_only=True):
    """A URL that begins with `http://` or `https://`."""

    default: Annotated[Annotated[str, Meta(min_length=1, max_length=_MAX_URL_LENGTH)], DEFAULT] | UnsetType = UNSET

    @property
    def max_text_length(self) -> int:
        return _MAX_URL_LENGTH

    def typed_schema(self) -> Json:
        return {"type": "string", "format": "uri", "pattern": "^https?://", "maxLength": _MAX_URL_LENGTH}

    def calculated_schema(self) -> Json:
        return {"type": "string", "maxLength": _MAX_URL_LENGTH}


class BarcodeField(Field, tag="barcode", frozen=True, kw_only=True):
    """The content of a barcode, scanned or typed."""

    default: Annotated[Text, DEFAULT] | UnsetType = UNSET

    def typed_schema(self) -> Json:
        return {"type": "string", "maxLength": MAX_KEY_LENGTH}
