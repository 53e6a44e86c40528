"""Who is not known takes as long to refuse as who is."""

import pytest
from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from formwright.domain.users import password_hashing as module
from formwright.domain.users.password_hashing import DUMMY_HASH, PasswordVerifier, extract_salt


async def test_a_password_is_known_by_its_hash_alone() -> None:
    passwords = PasswordVerifier(cheap=True)
    kept = await passwords.hash("a good password")
    assert await passwords.verify("a good password", kept)
    assert not await passwords.verify("another password", kept)


async def test_nobody_has_any_password() -> None:
    passwords = PasswordVerifier(cheap=True)
    assert not await passwords.verify("nobody has this password", None)


def test_what_is_checked_for_nobody_costs_what_a_real_check_costs() -> None:
    assert extract_parameters(DUMMY_HASH) == RFC_9106_LOW_MEMORY
    assert not PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY).check_needs_rehash(DUMMY_HASH)


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The salts with which a hash was computed to check a password, as it happens."""
    found: list[str] = []
    real = module._hash_with_prefix

    def counted(password: str, prefix: str) -> bytes:
        found.append(prefix)
        return real(password, prefix)

    monkeypatch.setattr(module, "_hash_with_prefix", counted)
    return found


@pytest.mark.parametrize("accounts", [0, 1, 2, 5])
@pytest.mark.parametrize("typed", ["password number 1", "the password of nobody"])
async def test_one_computation_checks_all_accounts_of_an_address(
    computed: list[str], accounts: int, typed: str
) -> None:
    """Each has a password of its own; which fits is known all the same."""
    passwords, hashes = PasswordVerifier(cheap=True), list[str]()
    for number in range(accounts):
        hashes.append(await passwords.hash(f"password number {number}", hashes))
    assert len({extract_salt(one) for one in hashes}) == min(accounts, 1)
    fits = await passwords.verify_each(typed, hashes)
    assert fits == [typed == f"password number {number}" for number in range(accounts)]
    assert len(computed) == 1


async def test_hashes_that_share_no_salt_are_checked_one_by_one(computed: list[str]) -> None:
    passwords = PasswordVerifier(cheap=True)
    hashes = [await passwords.hash(word) for word in ("the first one", "the second one", "the first one")]
    assert await passwords.verify_each("the first one", hashes) == [True, False, True]
    assert len(computed) == 3
    assert await passwords.verify_each("-", ["-", "", "$argon2id$v=19$m=8"]) == [False] * 3


async def test_a_real_hash_is_known_too() -> None:
    passwords = PasswordVerifier()
    kept = await passwords.hash("a good password")
    assert await passwords.verify_each("a good password", [kept, DUMMY_HASH]) == [True, False]
    assert await passwords.verify("a good password", kept)
