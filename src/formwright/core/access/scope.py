"""What an actor can reach: the condition that a list and a single item share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of one account. Every finder takes one, so that nothing outside is ever found."""

    customer_id: str
