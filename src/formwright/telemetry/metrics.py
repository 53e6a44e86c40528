"""The metrics of a process, shared by all processes of the same command.

Each process stores its metrics in its own files in a shared folder. So every process can report those of all, and the
counts of processes that died are not lost.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prometheus_client import Counter, Histogram, values
from prometheus_client.multiprocess import MultiProcessCollector

from formwright.core.metrics import Metrics
from formwright.settings import Settings

_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
_REQUESTS_S = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
_TRANSACTIONS_S = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 20)
_DELIVERIES_S = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15)


@contextmanager
def shared_folder(settings: Settings) -> Iterator[None]:
    """Create a folder in which processes started within the block share their metrics, and remove it afterwards."""
    if not settings.metrics_port:
        yield
        return
    with tempfile.TemporaryDirectory(prefix="formwright-metrics-") as folder:
        os.environ[_FOLDER] = folder
        try:
            yield
        finally:
            del os.environ[_FOLDER]


class PrometheusMetrics(Metrics):
    """Metrics for Prometheus. Create one per process. Outside of `shared_folder`, it only covers this process."""

    def __init__(self) -> None:
        self.folder = Path(os.environ.get(_FOLDER) or tempfile.mkdtemp(prefix="formwright-metrics-"))
        os.environ[_FOLDER] = str(self.folder)
        # The library chooses its storage on import, which is before the settings are read.
        values.ValueClass = values.MultiProcessValue()  # type: ignore[no-untyped-call]
        _mark_alive(self.folder / f"{os.getpid()}.alive")
        self._requests = Counter("formwright_requests", "Requests served.", ["operation", "status"], registry=None)
        self._request_s = _histogram(
            "formwright_request_seconds", "The duration of requests.", ["operation"], _REQUESTS_S
        )
        self._database_s = Counter(
            "formwright_request_database_seconds",
            "The part of that time spent in the database.",
            ["operation"],
            registry=None,
        )
        self._transaction_s = _histogram(
            "formwright_transaction_seconds", "The duration of transactions.", ["kind"], _TRANSACTIONS_S
        )
        self._busy = Counter(
            "formwright_database_busy",
            "Transactions that failed because the database was busy or unavailable.",
            registry=None,
        )
        self._lists = Counter("formwright_lists", "Lists and exports read.", ["source"], registry=None)
        self._deliveries = Counter("formwright_deliveries", "Attempts of deliveries.", ["outcome"], registry=None)
        self._delivery_s = _histogram("formwright_delivery_seconds", "The duration of attempts.", [], _DELIVERIES_S)
        self._mails = Counter("formwright_mails", "Attempts to send emails.", ["status"], registry=None)
        self._pulls = Counter("formwright_pulls", "Pulls of data sources.", ["outcome"], registry=None)

    def record_request(self, operation: str, status: int, seconds: float, database_s: float) -> None:
        self._requests.labels(operation, status).inc()
        self._request_s.labels(operation).observe(seconds)
        self._database_s.labels(operation).inc(database_s)

    def record_transaction(self, kind: str, seconds: float) -> None:
        self._transaction_s.labels(kind).observe(seconds)

    def record_unavailable(self) -> None:
        self._busy.inc()

    def record_list(self, source: str) -> None:
        self._lists.labels(source).inc()

    def record_delivery(self, outcome: str, seconds: float) -> None:
        self._deliveries.labels(outcome).inc()
        self._delivery_s.observe(seconds)

    def record_mail(self, status: str) -> None:
        self._mails.labels(status).inc()

    def record_pull(self, outcome: str) -> None:
        self._pulls.labels(outcome).inc()

    def collector(self) -> MultiProcessCollector:
        """Return the collector for the metrics of all processes."""
        return MultiProcessCollector(None, path=str(self.folder))  # type: ignore[no-untyped-call]

    def processes(self) -> list[int]:
        """Return the ids of the running processes."""
        return sorted(int(file.stem) for file in self.folder.glob("*.alive") if _is_alive(file))


def _histogram(name: str, description: str, labels: list[str], buckets: tuple[float, ...]) -> Histogram:
    return Histogram(name, description, labels, registry=None, buckets=buckets)


def _mark_alive(file: Path) -> None:
    """Create a file that stays open and locked while the process lives, which `_is_alive` checks."""
    # Locked before it has its name: another process removes a file that nobody has locked.
    new = file.with_suffix(".new")
    fcntl.flock(os.open(new, os.O_RDWR | os.O_CREAT, 0o600), fcntl.LOCK_EX)
    new.rename(file)


def _is_alive(file: Path) -> bool:
    """Return whether the process of this file is running. Its lock on the file ends when it does."""
    with file.open("r") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    file.unlink(missing_ok=True)
    return False


def create_metrics(settings: Settings) -> PrometheusMetrics | None:
    """Return the metrics of this process, or None if metrics are off."""
    return PrometheusMetrics() if settings.metrics_port else None
