"""In these tests, every response is validated against the OpenAPI document."""

import pytest
from actors import Account
from factories.openapi_validator import check


@pytest.fixture
def account(account: Account) -> Account:
    """An account whose calls are validated against the OpenAPI document."""
    account.api.event_hooks["response"].append(check)
    return account
