"""Rounds: Formwright and the baseline in turn, so that disturbances of the machine affect both."""

from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from multiprocessing import get_context
from statistics import median
from typing import Self

from bench.load import Ask, Tally, drive
from bench.servers import Server, worked

_WARM_S = 0.5


@dataclass(slots=True)
class Figures:
    """The results of one side in all rounds.

    Responses per second, and the processor time per response in µs, of the server and of PostgreSQL.
    """

    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    database_costs: list[float] = field(default_factory=list)
    answers: int = 0
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

    def add(self, tally: Tally, cpu: float, database_cpu: float) -> None:
        """Add a round."""
        self.rates.append(tally.answers / tally.seconds)
        self.costs.append(cpu / tally.answers * 1e6)
        self.database_costs.append(database_cpu / tally.answers * 1e6)
        self.answers += tally.answers
        self.wrong += tally.wrong


@dataclass(frozen=True, slots=True)
class Work:
    """Requests sent to both by this many clients; each response has `rows` rows."""

    name: str
    goal: float | None
    clients: int
    ours: Sequence[Ask]
    bare: Sequence[Ask]
    rows: int = 1

    def of(self, processes: int) -> Self:
        """Return the same work, named as that of several processes."""
        return replace(self, name=f"{self.name}, {processes} processes")


@dataclass(frozen=True, slots=True)
class Result:
    """The results of both for the same work."""

    database: str
    work: Work
    ours: Figures
    bare: Figures

    @property
    def by_cost(self) -> float:
        """The ratio to the baseline by processor time."""
        return self.bare.cost / self.ours.cost

    @property
    def by_rate(self) -> float:
        """The ratio to the baseline by responses per second."""
        return self.ours.rate / self.bare.rate


class Clients:
    """The process of the load generator. `database_pid` is PostgreSQL's, if it is used."""

    def __init__(self, rounds: int, seconds: float, database_pid: int | None) -> None:
        self._rounds, self._seconds = rounds, seconds
        self._database = [database_pid] if database_pid else []
        self._pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown()

    def compare(self, database: str, work: Work, ours: Server, bare: Server) -> Result:
        """Run all rounds of one work."""
        result = Result(database, work, Figures(), Figures())
        sides = ((ours, work.ours, result.ours), (bare, work.bare, result.bare))
        for server, asks, _ in sides:
            self._drive(server, asks, work.clients, _WARM_S)
        for _ in range(self._rounds):
            for server, asks, figures in sides:
                self._round(server, asks, work.clients, figures)
        return result

    def ceiling(self, server: Server, asks: Sequence[Ask], clients: int) -> Figures:
        """Measure the load generator itself against a server with a constant response."""
        figures = Figures()
        for _ in range(self._rounds):
            self._round(server, asks, clients, figures)
        return figures

    def _round(self, server: Server, asks: Sequence[Ask], clients: int, figures: Figures) -> None:
        before, before_database = server.cpu(), sum(worked(self._database).values())
        tally = self._drive(server, asks, clients, self._seconds)
        database = sum(worked(self._database).values()) - before_database
        figures.add(tally, server.cpu() - before, max(0.0, database / 1000))

    def _drive(self, server: Server, asks: Sequence[Ask], clients: int, seconds: float) -> Tally:
        return self._pool.submit(drive, server.port, list(asks), clients, seconds).result()
