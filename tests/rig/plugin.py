"""One PostgreSQL server for a whole test run, also when several processes share it.

Under pytest-xdist the controller starts it and tells each worker where it is; otherwise the first test that asks
starts it. Whoever started it stops it when the run ends, and it ends by itself should that process be killed.
"""

import gc
import signal
from pathlib import Path

import pytest

from rig.machine import Missing
from rig.postgres import Cluster, PostgresError, Server

_cluster = pytest.StashKey[Cluster]()
_told = "formwright_postgres"


class Controller:
    """The part that only pytest-xdist's controller plays; without xdist its hook would be unknown."""

    def pytest_configure_node(self, node) -> None:  # type: ignore[no-untyped-def]
        """Hands the server over to a worker that is about to start, or the reason why there is none."""
        try:
            server = _started(node.config)
            node.workerinput[_told] = (str(server.programs), server.port)
        except (Missing, PostgresError) as error:
            node.workerinput[_told] = str(error)


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    # Whoever ends the run from outside ends it in order, as Ctrl-C does, so that nothing is left in /tmp.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if config.pluginmanager.hasplugin("xdist"):
        config.pluginmanager.register(Controller())


def pytest_collection_finish() -> None:
    """The tests live to the end: the collector of garbage need not look at them again and again."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config: pytest.Config) -> None:
    if cluster := config.stash.get(_cluster, None):
        cluster.close()


@pytest.fixture(scope="session")
def postgres_cluster(request: pytest.FixtureRequest) -> Server:
    """The server of this run; a test makes databases of its own on it."""
    told = getattr(request.config, "workerinput", {}).get(_told)
    if told is None:
        return _started(request.config)
    if isinstance(told, str):
        raise PostgresError(told)
    programs, port = told
    return Server(Path(programs), port)


def _started(config: pytest.Config) -> Cluster:
    """Starts the server when first asked; when that fails, a second try is not worth its time but says the same."""
    if _cluster not in config.stash:
        config.stash[_cluster] = Cluster().__enter__()
    return config.stash[_cluster]
