"""Tests of the API. Every response is validated against the OpenAPI document."""

import pytest
from actors import Account
from factories.openapi_validator import check


@pytest.fixture
def account(account: Account) -> Account:
    """An account whose client validates every response against the document."""
    account.api.event_hooks["response"].append(check)
    return account
