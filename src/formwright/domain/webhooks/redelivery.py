"""What people do to single deliveries: send a test, try one again, cancel one, and see what was sent."""

from formwright.core.access.actor import Actor
from formwright.core.access.permissions import Permission
from formwright.core.access.policy import allow
from formwright.core.access.scope import Scope
from formwright.core.kernel.note import Note
from formwright.core.storage import order
from formwright.core.storage.database import Reading, Writing
from formwright.domain.webhooks import healthstore, service, store
from formwright.domain.webhooks.model import (
    TEST,
    Invocation,
    InvocationEnded,
    InvocationNotKept,
    InvocationStatus,
    InvocationUnderWay,
    LoggedEvent,
    Subscriber,
    SubscriberDisabled,
    SubscriberGone,
    SubscriberStatus,
)

AT_ONCE = 0
"""Before all that waits: somebody looks on."""
_COLUMNS = "customer_id, id, subscriber_id, sequence, previous, event_id, type, created, tries, body"
_ONE = "customer_id = $1 AND id = $2"


async def send_test(tx: Writing, actor: Actor, test: LoggedEvent, *, subscriber_id: str) -> Invocation:
    """Send one subscriber what stands in no log, once; `SubscriberDisabled` where nothing is sent."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await order.stamp(tx, scope.customer_id)
    subscriber = await _awake(tx, actor, subscriber_id)
    invocation_id = tx.new_id("inv")
    await healthstore.probe_now(tx, scope, subscriber_id)
    await tx.execute(
        "INSERT INTO deliveries (customer_id, id, subscriber_id, sequence, event_id, type, created, due, tries, body)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 0, $9)",
        scope.customer_id,
        invocation_id,
        subscriber_id,
        TEST,
        test.id,
        test.type,
        test.created,
        AT_ONCE,
        test.body,
    )
    tx.note(Note(scope.customer_id, "subscriber.tested", subscriber.id, subscriber.name))
    tx.wake()
    return await service.invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _awake(tx: Reading, actor: Actor, subscriber_id: str) -> Subscriber:
    subscriber = await service.get(tx, actor, subscriber_id=subscriber_id)
    if subscriber.status is SubscriberStatus.DISABLED:
        raise SubscriberDisabled()
    return subscriber


async def retry(tx: Writing, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Send it now: one that waits is due at once, one that has ended begins its schedule anew."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await order.stamp(tx, scope.customer_id)
    found = await service.invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if await store.find(tx, scope, subscriber_id) is None:
        raise SubscriberGone()
    await _awake(tx, actor, subscriber_id)
    if await body(tx, actor, found) is None:
        raise InvocationNotKept()
    await healthstore.probe_now(tx, scope, subscriber_id)
    if found.status is InvocationStatus.PENDING:
        await _expect_free(tx, scope, found)
        await tx.execute(f"UPDATE deliveries SET due = $3 WHERE {_ONE}", scope.customer_id, found.id, AT_ONCE)
    else:
        await tx.execute(
            f"INSERT INTO deliveries ({_COLUMNS}, due, base) SELECT {_COLUMNS}, $3, tries FROM invocations"
            f" WHERE {_ONE}",
            scope.customer_id,
            found.id,
            AT_ONCE,
        )
        await tx.execute(f"DELETE FROM invocations WHERE {_ONE}", scope.customer_id, found.id)
    tx.note(Note(scope.customer_id, "invocation.retried", found.id, found.type))
    tx.wake()
    return await service.invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def cancel(tx: Writing, actor: Actor, *, subscriber_id: str, invocation_id: str) -> Invocation:
    """Let one that waits go. `InvocationEnded` where it waits no more, `InvocationUnderWay` where it is being sent."""
    scope = allow(actor, Permission.WEBHOOKS_MANAGE)
    await order.stamp(tx, scope.customer_id)
    found = await service.invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)
    if found.status is not InvocationStatus.PENDING:
        raise InvocationEnded()
    await _expect_free(tx, scope, found)
    await tx.execute(
        f"INSERT INTO invocations ({_COLUMNS}, status, ended) SELECT {_COLUMNS}, $3, $4 FROM deliveries WHERE {_ONE}",
        scope.customer_id,
        found.id,
        InvocationStatus.CANCELLED,
        tx.now(),
    )
    await tx.execute(f"DELETE FROM deliveries WHERE {_ONE}", scope.customer_id, found.id)
    tx.note(Note(scope.customer_id, "invocation.cancelled", found.id, found.type))
    return await service.invocation(tx, actor, subscriber_id=subscriber_id, invocation_id=invocation_id)


async def _expect_free(tx: Writing, scope: Scope, found: Invocation) -> None:
    """Hold it back from the workers, unless one of them has it: what it did must still be written down."""
    row = await tx.fetch_one(
        f"SELECT due FROM deliveries WHERE {_ONE} AND lease IS NULL /*postgres FOR UPDATE */",
        scope.customer_id,
        found.id,
    )
    if row is None:
        raise InvocationUnderWay()


async def body(tx: Reading, actor: Actor, found: Invocation) -> str | None:
    """What was or will be sent, byte for byte."""
    scope = allow(actor, Permission.WEBHOOKS_READ)
    if found.sequence == TEST:
        sql = f"SELECT body FROM deliveries WHERE {_ONE} UNION ALL SELECT body FROM invocations WHERE {_ONE}"
        row = await tx.fetch_one(sql, scope.customer_id, found.id)
    else:
        sql = "SELECT body FROM events WHERE customer_id = $1 AND sequence = $2"
        row = await tx.fetch_one(sql, scope.customer_id, found.sequence)
    return str(row[0]) if row else None
