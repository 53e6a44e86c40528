"""Schemas of the account and of the API key that reads it."""

from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from formwright.api.v1_0.schemas.base import (
    Created,
    CustomerId,
    KeyId,
    Resource,
    Revision,
    Timestamp,
    Updated,
    optional_time,
)
from formwright.api.v1_0.schemas.users import RESOURCES, GrantResource
from formwright.core.auth.permissions import Permission
from formwright.domain.api_keys.models import Key
from formwright.domain.customers.models import Customer as CustomerRecord


class KeyAccess(StrEnum):
    """What an API key may do in general."""

    FULL = "FULL"
    READ_ONLY = "READ_ONLY"
    LIMITED = "LIMITED"


class CallingKey(Resource):
    """The API key of the request, and what it may do."""

    id: KeyId
    name: Annotated[str, Meta(description="The name of the key.")]
    access: Annotated[
        KeyAccess,
        Meta(
            description="`FULL`: everything. `READ_ONLY`: read everything. `LIMITED`: what `permissions` and"
            " `resources` say. A `FULL` or `READ_ONLY` key also gets permissions that later versions add."
        ),
    ]
    permissions: Annotated[list[Permission], Meta(description="The permissions of the key, sorted.")]
    resources: Annotated[
        list[GrantResource],
        Meta(
            description="What the permissions apply to: the account, or folders and forms. `people:read` and"
            " `datasources:read` always apply to the whole account. A folder includes its subfolders."
        ),
    ]
    rate_limit: Annotated[
        int | None, Meta(description="How many requests per minute the key may send. null: no limit.")
    ]
    expires_at: Annotated[Timestamp | None, Meta(description="When the key expires. null: never.")]


class Customer(Resource):
    """An account."""

    id: CustomerId
    name: Annotated[str, Meta(description="The name of the account.")]
    locale: Annotated[str, Meta(description="The language of the account (BCP 47).", examples=["en"])]
    time_zone: Annotated[str, Meta(description="The IANA time zone of the account.", examples=["Europe/Berlin"])]
    key: Annotated[CallingKey, Meta(description="The API key of this request, and what it may do.")]
    created: Created
    updated: Updated
    revision: Revision


def customer(record: CustomerRecord, key: Key, rate_limit: int) -> Customer:
    """Return the account; `rate_limit` is that of the key in requests per minute, or 0."""
    return Customer.of(record, key=_calling_key(key, rate_limit))


def _calling_key(key: Key, rate_limit: int) -> CallingKey:
    granted = key.granted
    return CallingKey(
        id=key.id,
        name=key.name,
        access=KeyAccess.LIMITED if key.limits else KeyAccess.READ_ONLY if key.read_only else KeyAccess.FULL,
        permissions=sorted({Permission.CUSTOMER_READ}.union(*(one.permissions for one in granted))),
        resources=[RESOURCES[one.resource_type](one.resource_id) for one in granted],
        rate_limit=rate_limit or None,
        expires_at=optional_time(key.expires),
    )
