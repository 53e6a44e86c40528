"""Password hashes, and that rejecting an unknown user takes as long as rejecting a wrong password."""

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from formwright.domain.users import password_hashing as module
from formwright.domain.users.password_hashing import DUMMY_HASH, PasswordVerifier, extract_salt


async def test_a_password_is_verified_against_its_hash() -> None:
    passwords = PasswordVerifier(cheap=True)
    password_hash = await passwords.hash("a good password")
    assert await passwords.verify("a good password", password_hash)
    assert not await passwords.verify("another password", password_hash)


async def test_no_password_is_valid_without_a_hash() -> None:
    passwords = PasswordVerifier(cheap=True)
    assert not await passwords.verify("nobody has this password", None)


def test_the_dummy_hash_costs_as_much_as_a_real_one() -> None:
    assert extract_parameters(DUMMY_HASH) == RFC_9106_LOW_MEMORY
    assert not PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY).check_needs_rehash(DUMMY_HASH)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the prefix, with the salt, of each hash computation."""
    prefixes: list[str] = []
    real = module._hash_with_prefix

    def record(password: str, prefix: str) -> bytes:
        prefixes.append(prefix)
        return real(password, prefix)

    monkeypatch.setattr(module, "_hash_with_prefix", record)
    return prefixes


@pytest.mark.parametrize("accounts", [0, 1, 2, 5])
@pytest.mark.parametrize("typed", ["password number 1", "the password of nobody"])
async def test_one_computation_checks_the_password_for_all_accounts_of_an_address(
    computed: list[str], accounts: int, typed: str
) -> None:
    """Each account has a password of its own, and the result is still right for each."""
    passwords, hashes = PasswordVerifier(cheap=True), list[str]()
    for number in range(accounts):
        hashes.append(await passwords.hash(f"password number {number}", hashes))
    assert len({extract_salt(password_hash) for password_hash in hashes}) == min(accounts, 1)
    results = await passwords.verify_each(typed, hashes)
    assert results == [typed == f"password number {number}" for number in range(accounts)]
    assert len(computed) == 1


async def test_hashes_with_different_salts_are_checked_one_by_one(computed: list[str]) -> None:
    passwords = PasswordVerifier(cheap=True)
    hashes = [await passwords.hash(word) for word in ("the first one", "the second one", "the first one")]
    assert await passwords.verify_each("the first one", hashes) == [True, False, True]
    assert len(computed) == 3
    assert await passwords.verify_each("-", ["-", "", "$argon2id$v=19$m=8"]) == [False] * 3


async def test_hashes_with_production_parameters_are_verified() -> None:
    passwords = PasswordVerifier()
    password_hash = await passwords.hash("a good password")
    assert await passwords.verify_each("a good password", [password_hash, DUMMY_HASH]) == [True, False]
    assert await passwords.verify("a good password", password_hash)
