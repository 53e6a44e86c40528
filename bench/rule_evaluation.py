"""How long the rules of one submission take: 100 fields, 44 rules. `python -m bench.rule_evaluation`."""

import time
from statistics import median, quantiles
from typing import Any

import msgspec

from formwright.domain.forms.answers.validation import validate
from formwright.domain.forms.definition import Definition
from formwright.domain.forms.definition_validation import find_errors
from formwright.domain.forms.models import Version, VersionStatus

FIELDS = 100
ROUNDS = 3000
TARGET = 0.3


def fields() -> list[dict[str, Any]]:
    """Return fields of four types in turn, with 20 visibility rules, 14 validation rules and 10 calculations."""
    fields_ = [_kind(index) for index in range(FIELDS)]
    for index in range(20):
        fields_[4 * index + 3]["visibleIf"] = f"f{4 * index + 1} > 0 && answered.f{4 * index}"
    for index in range(14):
        fields_[4 * index + 1]["validIf"] = f"f{4 * index + 1} < 1000 || f{4 * index + 2} == 'a'"
    for index in range(10):
        fields_[4 * index + 61]["calculate"] = f"f{4 * index + 1} * 2 + f{4 * index + 5}"
    return fields_


def _kind(index: int) -> dict[str, Any]:
    kinds: list[dict[str, Any]] = [
        {"type": "text", "maxLength": 200, "required": True},
        {"type": "integer", "min": 0},
        {"type": "choice", "options": [{"value": value, "label": value} for value in "abc"]},
        {"type": "boolean"},
    ]
    return {"name": f"f{index}", "label": f"Field {index}", **kinds[index % 4]}


def answers() -> dict[str, Any]:
    values: list[Any] = ["Some words", 7, "a", True]
    return {f"f{index}": values[index % 4] for index in range(FIELDS)}


def measure() -> list[float]:
    """Return the milliseconds for one submission, several times."""
    definition = msgspec.convert({"fields": fields(), "settings": {}}, Definition)
    version = Version("ver", "cus", "frm", 1, VersionStatus.FINAL, "", definition, 0, 0, 1)
    values_ = answers()
    if find_errors(definition.fields) or validate(version, values_)[1]:
        raise SystemExit("These fields or answers have faults, so the figure would mean nothing.")
    times = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        validate(version, values_)
        times.append((time.perf_counter() - started) * 1000)
    return times


def median_ms() -> float:
    """Return their median."""
    return median(measure())


def main() -> None:
    """Print the median and the 99th percentile in milliseconds for one submission."""
    times = measure()
    print(
        f"{median(times):.3f} ms at the median, {quantiles(times, n=100)[98]:.3f} ms at 99 of 100; wanted: {TARGET} ms"
    )


if __name__ == "__main__":
    main()
