"""TOTP codes (RFC 6238): the test vectors of the standard, and how far the clock may be off."""

import base64
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from formwright.core import crypto

SECRET = base64.b32encode(b"12345678901234567890").decode()
"""The secret of the test vectors in RFC 6238, appendix B."""


@pytest.mark.parametrize(
    ("second", "code"),
    [
        (59, "94287082"),
        (1111111109, "07081804"),
        (1111111111, "14050471"),
        (1234567890, "89005924"),
        (2000000000, "69279037"),
        (20000000000, "65353130"),
    ],
)
def test_the_test_vectors_of_the_standard(second: int, code: str) -> None:
    assert crypto.totp_code(SECRET, second // crypto.STEP_S, digits=8) == code
    assert crypto.totp_code(SECRET, second // crypto.STEP_S) == code[2:]


def test_the_clock_may_be_off_by_one_step() -> None:
    now, step = 1_700_000_000_000, 1_700_000_000 // 30
    for off in (-1, 0, 1):
        assert crypto.find_totp_step(SECRET, crypto.totp_code(SECRET, step + off), now) == step + off
    for off in (-2, 2):
        assert crypto.find_totp_step(SECRET, crypto.totp_code(SECRET, step + off), now) is None


@pytest.mark.parametrize("typed", ["", "1", "١٢٣٤٥٦", "🎉", "0" * 100])
def test_an_invalid_code_matches_no_step(typed: str) -> None:
    assert crypto.find_totp_step(SECRET, typed, 1_700_000_000_000) is None


def test_secrets_are_long_and_unique() -> None:
    secrets = {crypto.new_totp_secret() for _ in range(20)}
    assert len(secrets) == 20
    assert {len(base64.b32decode(secret)) for secret in secrets} == {20}


def test_the_uri_for_authenticator_apps() -> None:
    parts = urlsplit(crypto.totp_uri(SECRET, issuer="Häfen & Co: Ltd", account="ann@example.org"))
    assert (parts.scheme, parts.netloc) == ("otpauth", "totp")
    assert unquote(parts.path) == "/Häfen & Co: Ltd:ann@example.org"
    assert parse_qs(parts.query) == {"secret": [SECRET], "issuer": ["Häfen & Co: Ltd"]}
