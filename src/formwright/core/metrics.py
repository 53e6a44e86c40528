"""The interface for metrics, independent of how they are exported."""


class Metrics:
    """Discards all metrics; `telemetry.metrics` overrides it.

    Every label (operation, outcome, status) has low cardinality and identifies no account.
    """

    def record_request(self, operation: str, status: int, seconds: float, database_s: float) -> None:
        """Record a response; `database_s` is the part of its duration spent on the database."""

    def record_transaction(self, kind: str, seconds: float) -> None:
        """Record a transaction of kind `reading` or `writing`, including its waiting time and commit."""

    def record_unavailable(self) -> None:
        """Record that the database was unavailable."""

    def record_list(self, source: str) -> None:
        """Record a list request, read from a `replica`, from the `primary`, or `moved` from one to the other."""

    def record_delivery(self, outcome: str, seconds: float) -> None:
        """Record an attempt to deliver a webhook."""

    def record_mail(self, status: str) -> None:
        """Record an attempt to send an email."""

    def record_pull(self, outcome: str) -> None:
        """Record a pull of a data source."""
