"""Rounds: Formwright and the baseline in turn, so that disturbances of the machine affect both."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from statistics import median
from typing import Self

from bench.load import ExpectedResponse, LoadResult, run_load
from bench.servers import Server, cpu_ms_by_process

_WARM_S = 0.5


@dataclass(slots=True)
class RoundResults:
    """The results of one side in all rounds.

    Responses per second, and the processor time per response in µs, of the server and of PostgreSQL.
    """

    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    database_costs: list[float] = field(default_factory=list)
    responses: int = 0
    wrong: int = 0

    @property
    def rate(self) -> float:
        """The responses per second of the median round."""
        return median(self.rates)

    @property
    def cost(self) -> float:
        """The processor time per response of the median round, in µs."""
        return median(self.costs)

    @property
    def database_cost(self) -> float:
        """The processor time in PostgreSQL per response of the median round, in µs."""
        return median(self.database_costs)

    def add(self, tally: LoadResult, cpu: float, database_cpu: float) -> None:
        """Add a round."""
        self.rates.append(tally.responses / tally.seconds)
        self.costs.append(cpu / tally.responses * 1e6)
        self.database_costs.append(database_cpu / tally.responses * 1e6)
        self.responses += tally.responses
        self.wrong += tally.wrong


@dataclass(frozen=True, slots=True)
class Workload:
    """Requests that this many clients send to both servers. Each response has `rows` rows."""

    name: str
    goal: float | None
    clients: int
    ours: Sequence[ExpectedResponse]
    baseline: Sequence[ExpectedResponse]
    rows: int = 1

    def with_processes(self, processes: int) -> Self:
        """Return the same workload, named as that of several server processes."""
        return replace(self, name=f"{self.name}, {processes} processes")


@dataclass(frozen=True, slots=True)
class Comparison:
    """The results of both servers for the same workload."""

    database: str
    workload: Workload
    ours: RoundResults
    baseline: RoundResults

    @property
    def cpu_ratio(self) -> float:
        """The ratio to the baseline by processor time."""
        return self.baseline.cost / self.ours.cost

    @property
    def rate_ratio(self) -> float:
        """The ratio to the baseline by responses per second."""
        return self.ours.rate / self.baseline.rate


class LoadGenerator:
    """The process of the load generator. `database_pids` are those of PostgreSQL's servers, if it is used."""

    def __init__(self, rounds: int, seconds: float, database_pids: Sequence[int]) -> None:
        self._rounds, self._seconds, self._database = rounds, seconds, database_pids
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def compare(self, database: str, workload: Workload, ours: Server, baseline: Server) -> Comparison:
        """Run all rounds of a workload."""
        result = Comparison(database, workload, RoundResults(), RoundResults())
        sides = ((ours, workload.ours, result.ours), (baseline, workload.baseline, result.baseline))
        for server, requests, _ in sides:
            self._drive(server, requests, workload.clients, _WARM_S)
        for _ in range(self._rounds):
            for server, requests, results in sides:
                self._round(server, requests, workload.clients, results)
        return result

    def measure_ceiling(self, server: Server, requests: Sequence[ExpectedResponse], clients: int) -> RoundResults:
        """Measure the load generator itself against a server with a constant response."""
        results = RoundResults()
        for _ in range(self._rounds):
            self._round(server, requests, clients, results)
        return results

    def _round(self, server: Server, requests: Sequence[ExpectedResponse], clients: int, results: RoundResults) -> None:
        before, database_before = server.cpu(), sum(cpu_ms_by_process(self._database).values())
        tally = self._drive(server, requests, clients, self._seconds)
        database = sum(cpu_ms_by_process(self._database).values()) - database_before
        results.add(tally, server.cpu() - before, max(0.0, database / 1000))

    def _drive(self, server: Server, requests: Sequence[ExpectedResponse], clients: int, seconds: float) -> LoadResult:
        return self._pool.submit(run_load, server.port, list(requests), clients, seconds).result()
