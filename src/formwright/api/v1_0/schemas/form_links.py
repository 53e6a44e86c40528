"""Schemas of the public links of forms."""

from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import Moment, RequestBody, Resource, Timestamp, storable_ms
from formwright.domain.forms import public_link as domain
from formwright.domain.forms.public_link import MAX_ORIGINS, MAX_RESPONSES, MAX_URL, OnePer, ProofPolicy

_OPENS_AT = Meta(description="When the form begins to accept responses. Null: at once.")
_CLOSES_AT = Meta(description="When the form stops accepting responses; after `opensAt`. Null: never.")
_MAX_RESPONSES = Meta(
    description="The maximum number of responses through the public link and invites. Those received before the limit"
    " was set count; drafts and deleted ones do not. Null: no limit."
)
_ONE_PER = Meta(
    description="`DEVICE`: the public link accepts one response from each browser. Null: any number. An invite always"
    " accepts one."
)

_EMBED_ORIGINS = Meta(
    max_length=MAX_ORIGINS,
    description="The origins of the sites that may show the form in a frame, such as `https://www.example.org`: scheme"
    " and host in lower case, and the port if it is not the default. Empty: none.",
    examples=[["https://www.example.org"]],
)

_PROOF_OF_WORK = Meta(
    description="Whether browsers must solve a challenge before they submit a response through the public link, against"
    " robots. `AUTOMATIC`: while the link receives unusually many responses."
)

_REDIRECT = Meta(
    description="The page that browsers open after a response was submitted through the public link or an invite,"
    " instead of the thank-you message; an `https` or `http` URL. Null: none.",
    examples=["https://www.example.org/thank-you"],
)


class PublicLinkWrite(RequestBody):
    """The limits of a form's public link to set. What you omit is not limited."""

    opens_at: Annotated[Moment | None, _OPENS_AT] = None
    closes_at: Annotated[Moment | None, _CLOSES_AT] = None
    max_responses: Annotated[Annotated[int, Meta(ge=1, le=MAX_RESPONSES)] | None, _MAX_RESPONSES] = None
    one_per: Annotated[OnePer | None, _ONE_PER] = None
    embed_origins: Annotated[list[Annotated[str, Meta(max_length=255)]], _EMBED_ORIGINS] = []
    proof_of_work: Annotated[ProofPolicy, _PROOF_OF_WORK] = ProofPolicy.AUTOMATIC
    redirect_url: Annotated[Annotated[str, Meta(max_length=MAX_URL)] | None, _REDIRECT] = None

    def to_domain(self) -> domain.PublicLink:
        """Return the limits. Raises `Invalid` for a time that cannot be stored."""
        return domain.PublicLink(
            opens_at=storable_ms(self.opens_at, "publicLink/opensAt"),
            closes_at=storable_ms(self.closes_at, "publicLink/closesAt"),
            max_responses=self.max_responses,
            one_per=self.one_per,
            embed_origins=tuple(self.embed_origins),
            proof_of_work=self.proof_of_work,
            redirect_url=self.redirect_url,
        )


class PublicLink(Resource):
    """The limits of a form's public link."""

    opens_at: Annotated[Timestamp | None, _OPENS_AT]
    closes_at: Annotated[Timestamp | None, _CLOSES_AT]
    max_responses: Annotated[int | None, _MAX_RESPONSES]
    one_per: Annotated[OnePer | None, _ONE_PER]
    embed_origins: Annotated[list[str], _EMBED_ORIGINS]
    proof_of_work: Annotated[ProofPolicy, _PROOF_OF_WORK]
    redirect_url: Annotated[str | None, _REDIRECT]
