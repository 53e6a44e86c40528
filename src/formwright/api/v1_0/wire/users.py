"""Users."""

from formwright.api.v1_0.wire.basics import Resource, Timestamp
from formwright.api.v1_0.wire.ids import CustomerId, UserId
from formwright.core.kernel.clock import rfc3339
from formwright.domain.people.model import User as Record
from formwright.domain.people.model import UserStatus


class User(Resource):
    """A person of the account."""

    id: UserId
    customer_id: CustomerId
    email: str
    name: str
    language: str
    status: UserStatus
    created: Timestamp
    updated: Timestamp
    revision: int


def user(record: Record) -> User:
    """The record as the API shows it."""
    return User(
        id=record.id,
        customer_id=record.customer_id,
        email=record.email,
        name=record.name,
        language=record.language,
        status=record.status,
        created=rfc3339(record.created),
        updated=rfc3339(record.updated),
        revision=record.revision,
    )
