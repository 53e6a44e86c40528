"""The seal: secrets that have to be read again, unreadable where they are kept."""

import pytest
from cryptography.fernet import InvalidToken

from formwright.core.crypto import SecretBox

KEY = "k" * 32


@pytest.mark.parametrize("text", ["whsec_abc", "", "Ää 🎉", "x" * 10_000])
def test_what_was_sealed_is_read_again(text: str) -> None:
    sealed = SecretBox(KEY).close(text)
    assert SecretBox(KEY).open(sealed) == text
    assert text == "" or text not in sealed


def test_the_same_text_is_sealed_differently_each_time() -> None:
    assert SecretBox(KEY).close("a") != SecretBox(KEY).close("a")


def test_another_key_opens_nothing() -> None:
    with pytest.raises(InvalidToken):
        SecretBox("K" * 32).open(SecretBox(KEY).close("a"))


def test_what_was_tampered_with_is_not_opened() -> None:
    sealed = SecretBox(KEY).close("a secret")
    middle = len(sealed) // 2
    other = "A" if sealed[middle] != "A" else "B"
    with pytest.raises(InvalidToken):
        SecretBox(KEY).open(sealed[:middle] + other + sealed[middle + 1 :])
