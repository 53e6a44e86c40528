"""The interface for metrics, independent of how they are exported."""


class Metrics:
    """Discards all metrics; `telemetry.metrics` overrides it.

    Every label (operation, outcome, status) has low cardinality and identifies no account.
    """

    def record_request(self, operation: str, status: int, seconds: float, database_s: float) -> None:
        """A request was answered; `database_s` of its time went to the database."""

    def record_transaction(self, kind: str, seconds: float) -> None:
        """A transaction, `reading` or `writing`, came to its end, the waiting for its turn and its commit with it."""

    def record_unavailable(self) -> None:
        """The database was unavailable."""

    def record_list(self, source: str) -> None:
        """A list was read: from a `replica`, from the `primary`, or begun on the one and `moved` to the other."""

    def record_delivery(self, outcome: str, seconds: float) -> None:
        """A delivery of a webhook was tried."""

    def record_mail(self, status: str) -> None:
        """A mail was tried."""

    def record_pull(self, outcome: str) -> None:
        """A datasource was pulled."""
