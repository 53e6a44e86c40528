"""Schemas of the branding of an account."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import RequestBody, Resource
from formwright.domain.customers import branding as domain
from formwright.domain.customers.models import Customer

_ACCENT_COLOR = Meta(
    description="The accent color of fill pages, emails and PDF reports. They use shades of it on which text is"
    " readable. Null: the default.",
    examples=["#2355c8"],
)
_SENDER_NAME = Meta(
    description="The name of the sender of emails, without `@`, quotation marks and angle brackets. Null: that of the"
    " installation.",
    examples=["Harbour Office"],
)


class BrandingWrite(RequestBody):
    """The branding of an account to set. What you omit gets its default."""

    accent_color: Annotated[Annotated[str, Meta(pattern="^#[0-9A-Fa-f]{6}$")] | None, _ACCENT_COLOR] = None
    sender_name: Annotated[Annotated[str, Meta(max_length=domain.MAX_SENDER_NAME)] | None, _SENDER_NAME] = None

    def to_domain(self) -> domain.Branding:
        return domain.Branding((self.accent_color or "").lower(), self.sender_name or "")


class Branding(Resource):
    """The branding of an account."""

    accent_color: Annotated[str | None, _ACCENT_COLOR]
    sender_name: Annotated[str | None, _SENDER_NAME]
    logo_path: Annotated[
        str | None,
        Meta(
            description="The path of the logo, which everyone may load; it changes with the logo. Null: no logo.",
            examples=["/fill/branding/cus_01m7z1eav2epjvy5wy1yjsm2pf/5d41402abc4b2a76b9719d911017c592.png"],
        ),
    ]


def branding(record: Customer) -> Branding:
    return Branding(
        accent_color=record.accent_color or None,
        sender_name=record.sender_name or None,
        logo_path=record.logo_path or None,
    )
