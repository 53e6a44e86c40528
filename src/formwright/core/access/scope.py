"""What an actor can reach: the condition that a list and a single item share."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Reach:
    """Parts of an account: single forms, and folders with the forms in them. Those below a folder are named too."""

    form_ids: frozenset[str] = frozenset()
    folder_ids: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scope:
    """Rows of one account. Every finder takes one, so that nothing outside is ever found.

    `reach` says which forms, with all that belongs to them; None: all of the account's.
    """

    customer_id: str
    reach: Reach | None = None

    def has_folder(self, folder_id: str | None) -> bool:
        """Whether what lies in this folder is within. None is the root, which is in no part of an account."""
        return self.reach is None or folder_id in self.reach.folder_ids
