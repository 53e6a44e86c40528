"""Secrets that people copy: known as ours, and not mistyped unseen."""

import string

import pytest

from formwright.core.crypto import fingerprint, is_well_formed, new_secret

LETTERS = string.digits + string.ascii_letters


def test_a_secret_begins_with_its_prefix_and_is_whole() -> None:
    secret = new_secret("fwk_")
    assert secret.startswith("fwk_")
    assert set(secret.removeprefix("fwk_")) <= set(LETTERS)
    assert len(secret) == 4 + 36 + 6
    assert is_well_formed(secret, "fwk_")


def test_no_two_are_the_same() -> None:
    assert len({new_secret("fwk_") for _ in range(1000)}) == 1000


def test_a_letter_mistyped_anywhere_is_seen() -> None:
    secret = new_secret("fwk_")
    for place, letter in enumerate(secret):
        for other in LETTERS:
            if other != letter:
                assert not is_well_formed(secret[:place] + other + secret[place + 1 :], "fwk_")


def test_neighbours_that_changed_places_are_seen() -> None:
    secret = new_secret("fwk_")
    for place in range(4, len(secret) - 1):
        swapped = secret[:place] + secret[place + 1] + secret[place] + secret[place + 2 :]
        assert swapped == secret or not is_well_formed(swapped, "fwk_")


@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase, lambda s: s[:-1], lambda s: s + "0"])
def test_what_was_changed_as_a_whole_is_not_ours(change: object) -> None:
    assert not is_well_formed(change(new_secret("fwk_")), "fwk_")  # type: ignore[operator]


@pytest.mark.parametrize("text", ["", "fwk_", "x", "🎉" * 46, "fwk_" + "é" * 42, "fws_" + "0" * 42, "\0" * 46])
def test_what_was_never_ours(text: str) -> None:
    assert not is_well_formed(text, "fwk_")


def test_a_secret_of_one_kind_is_none_of_another() -> None:
    assert not is_well_formed(new_secret("fws_"), "fwk_")


def test_the_fingerprint_is_sha_256() -> None:
    assert fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
