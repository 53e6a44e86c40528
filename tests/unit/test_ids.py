"""Ids: their format and their order."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formwright.core.ids import Ids, is_id


class Hands:
    """A clock that is set by hand."""

    def __init__(self, now: int) -> None:
        self.at = now

    def now(self) -> int:
        return self.at


ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def uuid_of(new_id: str) -> uuid.UUID:
    """Decode the UUID of an id according to the TypeID specification."""
    number = 0
    for letter in new_id.rpartition("_")[2]:
        number = number * 32 + ALPHABET.index(letter)
    return uuid.UUID(int=number)


def test_an_id_is_its_prefix_and_a_uuid_of_version_7() -> None:
    new_id = Ids(Hands(1_614_265_330_123)).new("sub")
    assert is_id(new_id, "sub")
    assert (uuid_of(new_id).version, uuid_of(new_id).variant) == (7, uuid.RFC_4122)
    assert uuid_of(new_id).int >> 80 == 1_614_265_330_123


def test_ids_of_a_millisecond_increase() -> None:
    ids = Ids(Hands(1_614_265_330_123))
    created = [ids.new("evt") for _ in range(10_000)]
    assert created == sorted(set(created))


def test_ids_increase_when_the_clock_is_set_back() -> None:
    clock = Hands(2_000)
    ids = Ids(clock)
    created = [ids.new("evt")]
    for clock.at in (1_000, 1_999, 0, 2_000, 2_001):
        created.append(ids.new("evt"))
    assert created == sorted(set(created))


@given(st.lists(st.integers(0, 2**47), min_size=2, max_size=20))
def test_ids_are_sorted_by_time(times: list[int]) -> None:
    clock = Hands(0)
    ids = Ids(clock)
    created = []
    for clock.at in sorted(times):
        created.append(ids.new("x"))
    assert created == sorted(set(created))


def test_two_processes_create_different_ids_in_the_same_millisecond() -> None:
    assert len({Ids(Hands(1)).new("sub") for _ in range(1000)}) == 1000


def test_the_random_part_never_spills_into_the_time() -> None:
    ids = Ids(Hands(1), random_bits=lambda bits: 2**bits - 1)
    created = [ids.new("sub") for _ in range(1000)]
    assert {uuid_of(m).int >> 80 for m in created} == {1}
    assert {uuid_of(m).version for m in created} == {7}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "sub_",
        "sub",
        "evt_01h455vb4pex5vsknk084sn02q",
        "sub_81h455vb4pex5vsknk084sn02q",
        "sub_01h455vb4pex5vsknk084sn02",
        "sub_01h455vb4pex5vsknk084sn02qq",
        "sub_01h455vb4pex5vsknk084sn0iq",
        "SUB_01H455VB4PEX5VSKNK084SN02Q",
        "sub_01h455vb4pex5vsknk084sn02q\n",
        " sub_01h455vb4pex5vsknk084sn02q",
    ],
)
def test_texts_that_are_not_submission_ids(text: str) -> None:
    assert not is_id(text, "sub")
