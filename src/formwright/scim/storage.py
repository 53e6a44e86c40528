"""Where the SCIM library reads and writes the users and groups of an account, in the transaction of a request."""

from dataclasses import dataclass
from typing import Any, Protocol, cast

from scim2_models import (
    Resource,
    ResourceType,
    ResponseParameters,
    ScimFilter,
    SearchRequest,
    TooManyException,
)
from scim2_server.storage import AsyncScimStorage, SearchPage

from formwright.core.offload import offload
from formwright.scim.filters import Lookup, count_comparisons, read_lookup
from formwright.scim.groups import Groups
from formwright.scim.users import Users

MAX_COMPARED = 20_000
"""The number of comparisons that one search makes at most: one of each resource that the database can't look up."""
_STEP = 500


class Resources(Protocol):
    """The resources of one type. The methods raise the errors of the domain."""

    @property
    def lookups(self) -> frozenset[str]: ...
    async def get(self, resource_id: str, /) -> Any: ...
    async def create(self, resource: Any, /) -> Any: ...
    async def update(self, resource: Any, /) -> Any: ...
    async def delete(self, resource_id: str, /) -> None: ...
    async def count(self, lookup: Lookup, /) -> int: ...
    async def page(self, lookup: Lookup, offset: int, limit: int, /) -> list[Any]: ...


@dataclass(frozen=True, slots=True)
class Storage(AsyncScimStorage):
    """The users and groups of an account.

    For changes, their transaction can write, and has held the account lock since before the library reads the resource.
    So nobody changes it in between, and the expected versions need no second check.
    """

    users: Users
    groups: Groups

    async def get(
        self,
        resource_type: ResourceType,
        resource_id: str,
        *,
        response_parameters: ResponseParameters[Any] | None = None,
    ) -> Resource[Any]:
        """Return a resource."""
        return cast(Resource[Any], await self._resources(resource_type).get(resource_id))

    async def create(self, resource_type: ResourceType, resource: Resource[Any]) -> Resource[Any]:
        """Create a resource."""
        return cast(Resource[Any], await self._resources(resource_type).create(resource))

    async def update(
        self, resource_type: ResourceType, resource: Resource[Any], *, expected_version: str | None = None
    ) -> Resource[Any]:
        """Change a resource to the given state."""
        return cast(Resource[Any], await self._resources(resource_type).update(resource))

    async def delete(
        self, resource_type: ResourceType, resource_id: str, *, expected_version: str | None = None
    ) -> None:
        """Delete a resource."""
        await self._resources(resource_type).delete(resource_id)

    async def search(
        self, resource_types: list[ResourceType], search_request: SearchRequest[Any], *, position: Any = None
    ) -> SearchPage:
        """Return a page of the resources that match the filter, the oldest first."""
        offset, limit = search_request.start_index_0 or 0, search_request.count or 0
        total, found = 0, list[Resource[Any]]()
        for resource_type in resource_types:
            page = await self._search(resource_type, search_request.filter, max(0, offset - total), limit - len(found))
            total += page.total or 0
            found += page.resources
        return SearchPage(total, found)

    async def _search(
        self, resource_type: ResourceType, scim_filter: ScimFilter[Any] | None, offset: int, limit: int
    ) -> SearchPage:
        """Return a page of the resources of one type."""
        resources = self._resources(resource_type)
        lookup = read_lookup(scim_filter, resources.lookups)
        total = await resources.count(lookup)
        if lookup.is_complete or scim_filter is None:
            return SearchPage(total, await resources.page(lookup, offset, limit) if limit and offset < total else [])
        if total * count_comparisons(scim_filter) > MAX_COMPARED:
            detail = "This filter compares too much. Filter by id, userName, externalId or emails with eq."
            raise TooManyException(detail=detail)
        found: list[Resource[Any]] = []
        for start in range(0, total, _STEP):
            found += await offload(_match_all, scim_filter, await resources.page(lookup, start, _STEP))
        return SearchPage(len(found), found[offset : offset + limit])

    def _resources(self, resource_type: ResourceType) -> Resources:
        return self.users if resource_type.name == "User" else self.groups


def _match_all(scim_filter: ScimFilter[Any], resources: list[Any]) -> list[Resource[Any]]:
    """Return the resources that match. An attribute that their type does not have matches nothing."""
    if not resources:
        return []
    bound = cast(type[ScimFilter[Any]], ScimFilter.__class_getitem__(type(resources[0])))(str(scim_filter))
    return [resource for resource in resources if bound.match(resource)]
