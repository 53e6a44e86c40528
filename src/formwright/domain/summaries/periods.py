"""Time series: periods of equal length between the first and the last time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

from formwright.core.clock import to_local, to_milliseconds
from formwright.domain.summaries.distribution import Distribution
from formwright.domain.summaries.models import Period, Periods, PeriodUnit

_DAYS_BY_UNIT = (
    (2, PeriodUnit.HOUR),
    (62, PeriodUnit.DAY),
    (370, PeriodUnit.WEEK),
    (366 * 6, PeriodUnit.MONTH),
    (366 * 80, PeriodUnit.YEAR),
    (366 * 800, PeriodUnit.DECADE),
)
"""The longest range in days for each unit; centuries beyond."""
_YEARS = {PeriodUnit.YEAR: 1, PeriodUnit.DECADE: 10, PeriodUnit.CENTURY: 100}
_LAST_YEAR = 9999


@dataclass(frozen=True, slots=True)
class _Scale:
    """How the numbers of a distribution relate to local times."""

    to_time: Callable[[float], datetime]
    to_number: Callable[[datetime], float]
    shortest: PeriodUnit


@dataclass(frozen=True, slots=True)
class PeriodPlan:
    """The periods between the first and the last time."""

    unit: PeriodUnit
    first: str
    last: str
    starts: Sequence[datetime]
    edges: Sequence[float]
    """The numbers at which the second and all following periods start."""

    def build(self, below: Sequence[int], count: int) -> Periods:
        """Return the number of times by period: so many are `below` each edge, of a `count` of all."""
        # No time is before the first start, and the clock may have been set back into it.
        bounds = [0, *below, count]
        texts = (_text(start, self.unit) for start in self.starts)
        items = [Period(text, max(0, bounds[index + 1] - bounds[index])) for index, text in enumerate(texts)]
        return Periods(self.unit, self.first, self.last, items)


def plan_moments(first: float, last: float, zone: str) -> PeriodPlan:
    """Return the periods of a time zone between two times, in milliseconds since 1970."""
    return _plan(first, last, _moments(zone))


def count_moments(times: Distribution, zone: str) -> Periods | None:
    """Return the number of times, in milliseconds since 1970, by period of a time zone; None without any."""
    return _count(times, _moments(zone))


def _moments(zone: str) -> _Scale:
    tz = ZoneInfo(zone)

    def to_number(local: datetime) -> float:
        # In the first and last year, the conversion to UTC could leave the range of datetime.
        return to_milliseconds(local.replace(tzinfo=tz if 1 < local.year < _LAST_YEAR else UTC))

    return _Scale(lambda ms: to_local(int(ms), zone).replace(tzinfo=None), to_number, PeriodUnit.HOUR)


def count_days(days: Distribution) -> Periods | None:
    """Return the number of days, as ordinals, by period; None without any."""
    scale = _Scale(
        lambda ordinal: datetime.combine(date.fromordinal(int(ordinal)), datetime.min.time()),
        lambda local: local.toordinal(),
        PeriodUnit.DAY,
    )
    return _count(days, scale)


def count_times_of_day(seconds: Distribution) -> Periods | None:
    """Return the number of times of day, in seconds since midnight, by hour; None without any."""
    if not seconds.count:
        return None
    edges = [seconds.count_below(hour * 3600) for hour in range(25)]
    items = [Period(f"{hour:02}:00", edges[hour + 1] - edges[hour]) for hour in range(24)]
    first, last = (_time_text(int(value)) for value in (seconds.minimum, seconds.maximum))
    return Periods(PeriodUnit.HOUR_OF_DAY, first, last, items)


def _time_text(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _count(numbers: Distribution, scale: _Scale) -> Periods | None:
    if not numbers.count:
        return None
    plan = _plan(numbers.minimum, numbers.maximum, scale)
    return plan.build([numbers.count_below(edge) for edge in plan.edges], numbers.count)


def _plan(lowest: float, highest: float, scale: _Scale) -> PeriodPlan:
    first, last = scale.to_time(lowest), scale.to_time(highest)
    days = (last - first) / timedelta(days=1)
    unit = next((unit for longest, unit in _DAYS_BY_UNIT if days <= longest), PeriodUnit.CENTURY)
    if unit is PeriodUnit.HOUR and scale.shortest is not PeriodUnit.HOUR:
        unit = scale.shortest
    starts = [_start(first, unit)]
    while (after := _next(starts[-1], unit)) and after <= last:
        starts.append(after)
    edges = [scale.to_number(start) for start in starts[1:]]
    return PeriodPlan(unit, _detailed(first, scale), _detailed(last, scale), starts, edges)


def _start(time: datetime, unit: PeriodUnit) -> datetime:
    """Return the beginning of the period that contains a local time."""
    day = time.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
    match unit:
        case PeriodUnit.HOUR:
            return day.replace(hour=time.hour)
        case PeriodUnit.WEEK:
            # The first week of year 1 is the only one that may have no Monday; 1 January was one.
            return day - timedelta(days=day.weekday())
        case PeriodUnit.MONTH:
            return day.replace(day=1)
        case PeriodUnit.YEAR | PeriodUnit.DECADE | PeriodUnit.CENTURY:
            return day.replace(year=max(1, day.year - day.year % _YEARS[unit]), month=1, day=1)
    return day


def _next(start: datetime, unit: PeriodUnit) -> datetime | None:
    """Return the beginning of the next period; None if it is after the year 9999."""
    try:
        match unit:
            case PeriodUnit.HOUR:
                return start + timedelta(hours=1)
            case PeriodUnit.WEEK:
                return start + timedelta(days=7)
            case PeriodUnit.MONTH:
                return _start(start + timedelta(days=31), unit)
            case PeriodUnit.YEAR | PeriodUnit.DECADE | PeriodUnit.CENTURY:
                years = _YEARS[unit]
                return start.replace(year=start.year - start.year % years + years)
        return start + timedelta(days=1)
    except (OverflowError, ValueError):
        return None


def _text(start: datetime, unit: PeriodUnit) -> str:
    return start.isoformat(timespec="minutes") if unit is PeriodUnit.HOUR else start.date().isoformat()


def _detailed(time: datetime, scale: _Scale) -> str:
    return _text(time, PeriodUnit.HOUR if scale.shortest is PeriodUnit.HOUR else PeriodUnit.DAY)
