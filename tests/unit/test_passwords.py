"""Who is not known takes as long to refuse as who is."""

from argon2 import PasswordHasher, extract_parameters
from argon2.profiles import RFC_9106_LOW_MEMORY

from formwright.domain.people.passwords import NOBODY, Passwords


async def test_a_password_is_known_by_its_hash_alone() -> None:
    passwords = Passwords(cheap=True)
    kept = await passwords.hash("a good password")
    assert await passwords.fits("a good password", kept)
    assert not await passwords.fits("another password", kept)


async def test_nobody_has_any_password() -> None:
    passwords = Passwords(cheap=True)
    assert not await passwords.fits("nobody has this password", None)


def test_what_is_checked_for_nobody_costs_what_a_real_check_costs() -> None:
    assert extract_parameters(NOBODY) == RFC_9106_LOW_MEMORY
    assert not PasswordHasher.from_parameters(RFC_9106_LOW_MEMORY).check_needs_rehash(NOBODY)
