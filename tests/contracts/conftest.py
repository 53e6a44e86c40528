"""In these tests the OpenAPI document judges every answer."""

import pytest
from actors import Account
from factories.openapi_validator import check


@pytest.fixture
def account(account: Account) -> Account:
    """An account whose every call is held against the document."""
    account.api.event_hooks["response"].append(check)
    return account
