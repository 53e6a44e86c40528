"""What was read of accounts, for as long as nobody has changed them.

Every change of an account moves its order: its time, and the number of its last event. Whoever takes the order and
finds it where this process left it knows that all it had read of the account by then is still so.
"""

from collections.abc import Mapping, Sequence

from formwright.core.kernel.recent import Recent
from formwright.core.storage.database import Ask, Held, Row

Read = Mapping[Ask, Sequence[Row]]
"""What was asked of an account, with the rows that were found."""

_ACCOUNTS = 2000
_ASKS = 20
"""So much is kept of an account: of one that asks for more, nothing. A row may have some KiB."""


class Unmoved:
    """What a process read of the accounts that it changed last."""

    def __init__(self) -> None:
        self._kept = Recent[str, tuple[int, int, Read]](_ACCOUNTS)

    def of(self, held: Held) -> Read:
        """What is still so of the account whose order was just taken."""
        stamp, sequence, read = self._kept.get(held.customer_id) or (0, 0, {})
        return read if (stamp, sequence) == (held.stamp, held.sequence) else {}

    def keep(self, held: Held, read: Read) -> None:
        """This was read while the order was held, and is so at the commit that left it here."""
        if len(read) <= _ASKS:
            self._kept.keep(held.customer_id, (held.stamp, held.sequence, read))
        else:
            self._kept.drop(held.customer_id)
