"""A summary takes whatever drafts contain, and its figures do not depend on the order of the submissions."""

import json
import random
from typing import Any

import msgspec
import pytest
from factories import stored_answers
from factories.definitions import version
from hypothesis import example, given
from hypothesis import strategies as st

from formwright.domain.summaries.builder import Batch, SummaryBuilder
from formwright.domain.summaries.fields import collect_fields

SOURCE = "dat_01h455vb4pex5vsknk084sn02q"
FORM = version(*stored_answers.fields(SOURCE))
FIELDS = collect_fields([FORM], FORM.id)
SAMPLES = ("newest", "files", "rows")
"""Properties with the newest answers, which depend on the order."""


def summarize(answers: list[dict[str, Any]], size: int) -> list[dict[str, Any]]:
    """Return the figures of all fields, of submissions that are added in batches of this size."""
    builder = SummaryBuilder(FIELDS, "America/St_Johns")
    for start in range(0, len(answers), size):
        part = answers[start : start + size]
        ids = [f"sub_{number}" for number in range(start, start + len(part))]
        builder.add(Batch(ids, [FORM.id] * len(part), ["STARTED"] * len(part), [0] * len(part), [0] * len(part), part))
    built = json.loads(msgspec.json.encode(builder.build("frm_1").fields))
    return [{name: value for name, value in one.items() if name not in ("texts", "files", "rows")} for one in built]


@given(
    answers=st.lists(stored_answers.stored_answers(stored_answers.fields(SOURCE)), max_size=6),
    order=st.randoms(use_true_random=False),
    size=st.integers(1, 6),
)
@example(answers=[{"a_datetime": "0001-01-01T00:00:00+14:00"}], order=random.Random(1), size=1)
def test_figures_do_not_depend_on_the_order(answers: list[dict[str, Any]], order: Any, size: int) -> None:
    shuffled = list(answers)
    order.shuffle(shuffled)
    assert summarize(answers, 6) == summarize(shuffled, size)


HERE = {"latitude": 0.05, "longitude": 0.05}
OTHER = HERE | {"latitude": 1}
PLACES = [HERE, HERE | {"accuracy": 3.5}, HERE | {"accuracy": None}, HERE | {"accuracy": 0}, OTHER]


@pytest.mark.parametrize("one", PLACES)
@pytest.mark.parametrize("other", PLACES)
@pytest.mark.parametrize(("name", "count"), [("a_location", 0), ("a_line", 2), ("a_area", 3)])
def test_places_may_have_an_accuracy_or_none(one: Any, other: Any, name: str, count: int) -> None:
    pairs = ([one, other], [other, one])
    for pair in pairs if not count else [[[first] * count, [second] * count] for first, second in pairs]:
        [found] = [field for field in summarize([{name: value} for value in pair], 1) if field["name"] == name]
        north = max(one["latitude"], other["latitude"])
        assert found["bounding_box"] == [0.05, min(one["latitude"], other["latitude"]), 0.05, north]
