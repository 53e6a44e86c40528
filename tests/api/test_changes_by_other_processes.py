"""Changes by another process apply to the very next submission, even if this process has just read the account."""

from collections.abc import AsyncIterator

import msgspec
import pytest
from actors import Account
from factories.forms import form
from factories.submissions import submission
from fixtures.app_contexts import open_migrated_context

from formwright.context import AppContext
from formwright.core.pagination import Window
from formwright.domain.api_keys import service as keys
from formwright.domain.forms import service as forms
from formwright.domain.forms import versions
from formwright.domain.forms.fields import AnyField
from formwright.domain.forms.models import FormChange, FormStatus
from formwright.domain.webhooks import service as webhooks
from formwright.domain.webhooks.models import NewSubscriber
from formwright.settings import Settings


@pytest.fixture
async def other(settings: Settings, account: Account) -> AsyncIterator[AppContext]:
    """Another process on the same database. This process has already received three submissions."""
    async with open_migrated_context(settings) as ctx:
        yield ctx


async def _sent(account: Account, form_id: str) -> int:
    path = f"/api/v1.0/customers/{account.id}/forms/{form_id}/submissions"
    response = await account.api.post(path, json={"data": {"site": "Harbour"}})
    return response.status_code


async def _busy(account: Account) -> str:
    """Return the id of a form with three new submissions."""
    new_form = await form(account)
    for _ in range(3):
        await submission(account, new_form)
    return str(new_form["id"])


async def test_a_key_revoked_by_another_process_stops_working(account: Account, other: AppContext) -> None:
    form_id = await _busy(account)
    async with other.db.writing() as tx:
        [key] = await keys.list_active(tx, account.actor)
        await keys.revoke(tx, account.actor, key_id=key.id)
    assert await _sent(account, form_id) == 401


async def test_archiving_and_restoring_by_another_process_takes_effect(account: Account, other: AppContext) -> None:
    form_id = await _busy(account)
    for status, answered in ((FormStatus.ARCHIVED, 409), (FormStatus.ACTIVE, 201)):
        async with other.db.writing() as tx:
            await forms.change(tx, account.actor, FormChange(status=status), form_id=form_id)
        assert [await _sent(account, form_id) for _ in range(2)] == [answered] * 2


async def test_a_version_published_by_another_process_is_used(account: Account, other: AppContext) -> None:
    form_id = await _busy(account)
    async with other.db.writing() as tx:
        asked = msgspec.convert([{"type": "text", "name": "town", "label": "Town"}], list[AnyField])
        draft = await versions.create(tx, account.actor, form_id=form_id, fields=asked)
        await forms.publish(tx, account.actor, form_id=form_id, version_id=draft.id)
    assert await _sent(account, form_id) == 422


async def test_subscribers_changed_by_another_process_take_effect(account: Account, other: AppContext) -> None:
    form_id = await _busy(account)
    async with other.db.writing() as tx:
        wanted = NewSubscriber("CRM", "https://crm.example.org", ["submission.*"], [])
        subscriber, _ = await webhooks.subscribe(tx, account.actor, wanted, secret_box=other.secret_box, check_url=str)
    assert await _sent(account, form_id) == 201
    async with other.db.reading() as tx:
        page = await webhooks.page_invocations(tx, account.actor, Window(10), subscriber_id=subscriber.id)
    assert [one.type for one in page.items] == ["submission.submitted"]
    async with other.db.writing() as tx:
        await webhooks.unsubscribe(tx, account.actor, subscriber_id=subscriber.id)
    assert await _sent(account, form_id) == 201
    async with other.db.reading() as tx:
        row = await tx.fetch_one("SELECT count(*) FROM deliveries WHERE customer_id = $1", account.id)
    assert row is not None
    assert row[0] == 0
