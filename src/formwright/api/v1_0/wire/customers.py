"""Customers."""

from formwright.api.v1_0.wire.basics import Resource, Timestamp
from formwright.api.v1_0.wire.ids import CustomerId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.customers import model


class Customer(Resource):
    """An account: what owns all the data."""

    id: CustomerId
    name: str
    locale: str
    time_zone: str
    created: Timestamp
    updated: Timestamp
    revision: int


def customer(record: model.Customer) -> Customer:
    """The record as the API shows it."""
    return Customer(
        id=record.id,
        name=record.name,
        locale=record.locale,
        time_zone=record.time_zone,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
