"""Secrets that people copy: their prefix and checksum."""

import string

import pytest

from formwright.core.crypto import fingerprint, is_well_formed, new_secret

LETTERS = string.digits + string.ascii_letters


def test_a_secret_has_its_prefix_and_is_well_formed() -> None:
    secret = new_secret("fwk_")
    assert secret.startswith("fwk_")
    assert set(secret.removeprefix("fwk_")) <= set(LETTERS)
    assert len(secret) == 4 + 36 + 6
    assert is_well_formed(secret, "fwk_")


def test_secrets_are_unique() -> None:
    assert len({new_secret("fwk_") for _ in range(1000)}) == 1000


def test_a_mistyped_character_is_detected() -> None:
    secret = new_secret("fwk_")
    for place, letter in enumerate(secret):
        for other in LETTERS:
            if other != letter:
                assert not is_well_formed(secret[:place] + other + secret[place + 1 :], "fwk_")


def test_swapped_characters_are_detected() -> None:
    secret = new_secret("fwk_")
    for place in range(4, len(secret) - 1):
        swapped = secret[:place] + secret[place + 1] + secret[place] + secret[place + 2 :]
        assert swapped == secret or not is_well_formed(swapped, "fwk_")


@pytest.mark.parametrize("change", [str.upper, str.lower, str.swapcase, lambda s: s[:-1], lambda s: s + "0"])
def test_changes_of_length_and_case_are_detected(change: object) -> None:
    assert not is_well_formed(change(new_secret("fwk_")), "fwk_")


@pytest.mark.parametrize("text", ["", "fwk_", "x", "🎉" * 46, "fwk_" + "é" * 42, "fws_" + "0" * 42, "\0" * 46])
def test_malformed_secrets(text: str) -> None:
    assert not is_well_formed(text, "fwk_")


def test_a_secret_is_well_formed_with_its_own_prefix_only() -> None:
    assert not is_well_formed(new_secret("fws_"), "fwk_")


def test_the_fingerprint_is_sha_256() -> None:
    assert fingerprint("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
