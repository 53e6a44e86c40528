"""The query parameters that lists have in common."""

from typing import Annotated

from msgspec import Meta

from formwright.api.pagination import PageQuery
from formwright.api.v1_0.schemas.base import Moment, optional_ms
from formwright.core.pagination import ListOrder, TimeFilter


class CreatedQuery(PageQuery, kw_only=True):
    """The query parameters of lists that can be filtered by the time of creation. The period is half-open."""

    created_from: Annotated[Moment | None, Meta(description="Only items created at or after this time.")] = None
    created_to: Annotated[Moment | None, Meta(description="Only items created before this time.")] = None


class ChangesQuery(CreatedQuery, kw_only=True):
    """The query parameters of lists that can be read incrementally. Periods are half-open: from <= t < to."""

    updated_from: Annotated[Moment | None, Meta(description="Only items last changed at or after this time.")] = None
    updated_to: Annotated[Moment | None, Meta(description="Only items last changed before this time.")] = None
    order: Annotated[
        ListOrder,
        Meta(
            description="`created` orders by the time of creation, `updated` by the last change; a leading `-` reverses"
            " the order. With `updated`, a reader that continues from its last cursor misses no change. Deletions are"
            " reported by the event log only."
        ),
    ] = ListOrder.CREATED

    def times(self) -> TimeFilter:
        """Return the order and the periods."""
        return TimeFilter(
            created_from=optional_ms(self.created_from),
            created_to=optional_ms(self.created_to),
            updated_from=optional_ms(self.updated_from),
            updated_to=optional_ms(self.updated_to),
            order=self.order,
        )
