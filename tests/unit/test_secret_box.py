"""Encryption of stored secrets."""

import pytest
from cryptography.fernet import InvalidToken

from formwright.core.crypto import SecretBox

KEY = "k" * 32


@pytest.mark.parametrize("text", ["whsec_abc", "", "Ää 🎉", "x" * 10_000])
def test_encrypted_text_is_decrypted(text: str) -> None:
    encrypted = SecretBox(KEY).close(text)
    assert SecretBox(KEY).open(encrypted) == text
    assert text == "" or text not in encrypted


def test_the_same_text_is_encrypted_differently_each_time() -> None:
    assert SecretBox(KEY).close("a") != SecretBox(KEY).close("a")


def test_another_key_decrypts_nothing() -> None:
    with pytest.raises(InvalidToken):
        SecretBox("K" * 32).open(SecretBox(KEY).close("a"))


def test_modified_text_is_not_decrypted() -> None:
    encrypted = SecretBox(KEY).close("a secret")
    middle = len(encrypted) // 2
    other = "A" if encrypted[middle] != "A" else "B"
    with pytest.raises(InvalidToken):
        SecretBox(KEY).open(encrypted[:middle] + other + encrypted[middle + 1 :])
